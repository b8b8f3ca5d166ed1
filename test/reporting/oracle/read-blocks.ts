/**
 * The numbers by the statement that pages were drawn from before: all facts by the engine, over `scope-at.sql`. It shares nothing with
 * the present one but the tables, and so is its oracle.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { toLocalDate, toPeriodStart, toStartOfDay } from '../../../schemas/metrics/calendar.ts'
import { rankingMask } from '../../../schemas/metrics/facts.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { readUnder } from '../../../reporting/statements/reporting-lines.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { scopeAt, toScopeParams } from './scope-at.ts'

/** 64-bit integers come as text; counts and times in ms fit a double. */
const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
const bits = z.string().regex(/^\d+$/)
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
/** A number that JSON cannot say (nothing to take a median of) comes as null. */
const number = z.number().nullable()

const dayKinds = [
  'assigned_completed',
  'assigned_other',
  'completed',
  'graded',
  'overdue_began',
  'overdue_turned',
  'overdue_ended',
] as const
const durationSchema = z.tuple([integer.nullable(), integer.nullable(), integer, integer])

/** `blocks.sql` gives one row; blocks that were not asked for are empty in it. */
const blocksSchema = z.object({
  facts: z.array(z.tuple([bits, integer])),
  /** People in scope, and those of them who have completed everything. */
  people: z.tuple([integer, integer]),
  challenges: z.array(z.tuple([z.string(), bits, integer])),
  /** By set of teams. */
  team_sets: z.array(z.tuple([z.array(z.string()), bits, integer])),
  days: z.array(z.tuple([z.enum(dayKinds), date, integer])),
  due_days: z.array(z.tuple([date, bits, integer])),
  /** n, lower median, upper median, maximum. */
  backlog: z.tuple([integer, number, number, number]),
  /** n, sum, lower median, upper median, count by bin. */
  grades: z.tuple([integer, number, number, number, z.record(z.string(), integer)]),
  /** p50, p90, ended, still going on. */
  time_to_complete: durationSchema,
  grading_turnaround: durationSchema,
  /** Kind, id, name. */
  names: z.array(z.tuple([z.string(), z.string(), z.string()])),
  is_sample: z.number().transform(Boolean),
  /** Newest event, newest failed one, failed today, unrecognised today; 0 = none. */
  received: z.tuple([integer.nullable(), integer.nullable(), integer.nullable(), integer.nullable()]),
})

const overviewBlocks = ['challenges', 'teams', 'due_days', 'names', 'received']

export async function readBlocksByView(
  client: ClickHouseClient,
  scope: Scope,
  blocks: readonly string[] = overviewBlocks,
): Promise<Omit<z.infer<typeof blocksSchema>, 'due_days'> & { due_weeks: [day: string, bits: string, n: number][] }> {
  const answer = await client.query({
    query: (await readFile(join(import.meta.dirname, 'blocks.sql'), 'utf8')).replace('-- scope-at.sql', scopeAt),
    query_params: {
      ...toScopeParams(scope),
      under: scope.manager.length === 0 ? '' : JSON.stringify(await readUnder(ownReader(client), scope)),
      blocks,
      ranking_facts: rankingMask,
      today: new Date(toStartOfDay(scope.timeZone, toLocalDate(scope.timeZone, scope.now)))
        .toISOString()
        .slice(0, 23)
        .replace('T', ' '),
    },
    format: 'JSONEachRow',
  })
  const { due_days, ...others } = z.tuple([blocksSchema]).parse(await answer.json())[0]
  return { ...others, due_weeks: toWeeks(due_days) }
}

function toWeeks(days: [day: string, bits: string, n: number][]): typeof days {
  const weeks = Map.groupBy(days, ([day, ofDay]) => `${toPeriodStart('week', day)} ${ofDay}`)
  return [...weeks].map(([key, own]) => {
    const [week = '', ofWeek = ''] = key.split(' ')
    return [week, ofWeek, own.reduce((sum, [, , n]) => sum + n, 0)]
  })
}

/** Blocks in an order of their own, so that those of both ways can be compared; sums of fractions may differ in the last digit. */
export function toComparable({
  complete_through: _completeThrough,
  has_challenge_events: _hasEvents,
  ...blocks
}: Record<string, unknown>): unknown {
  return JSON.parse(
    JSON.stringify(blocks, (key, value: unknown) => {
      if (typeof value === 'number') return Number(value.toPrecision(12))
      // Without values there are no medians.
      if ((key === 'backlog' || key === 'grades') && Array.isArray(value) && value[0] === 0) return 'none'
      const isSet = Array.isArray(value) && unordered.has(key)
      return isSet ? value.map((row) => JSON.stringify(row)).sort() : value
    }),
  )
}

const unordered = new Set(['facts', 'challenges', 'team_sets', 'days', 'due_weeks', 'names'])
