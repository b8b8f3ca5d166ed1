/** Reads and checks the blocks of `blocks.sql` in one statement; before them, how far the data are complete. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { rankingMask } from '../../schemas/metrics/fact-bits.ts'
import { toLocalDate, toStartOfDay } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { selectRows, toDateTime, toScopeParams } from '../queries/sql.ts'

/** 64-bit integers come as text; counts and times in ms fit a double. */
const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
const bits = z.string().regex(/^\d+$/)
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
/** JSON has no NaN (median of nothing): it arrives as null. */
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
export type DayKind = (typeof dayKinds)[number]

const durationSchema = z.tuple([integer.nullable(), integer.nullable(), integer, integer])

/** `blocks.sql` gives one row; blocks that were not requested are empty. */
const blocksSchema = z.object({
  facts: z.array(z.tuple([bits, integer])),
  /** People in scope, and those who have completed everything. */
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
  /** p50, p90, ended, still running. */
  time_to_complete: durationSchema,
  grading_turnaround: durationSchema,
  /** Kind, id, name. */
  names: z.array(z.tuple([z.string(), z.string(), z.string()])),
  is_sample: z.number().transform(Boolean),
  /** Newest event, newest failed one, failed today, unrecognised today; 0 = none. */
  received: z.tuple([integer.nullable(), integer.nullable(), integer.nullable(), integer.nullable()]),
})

const throughSchema = z.tuple([z.object({ complete_through: integer.nullable() })])

export type Blocks = z.infer<typeof blocksSchema> & z.infer<typeof throughSchema>[0]

/** What only some answers need; omitted otherwise. */
export type OptionalBlock = 'challenges' | 'teams' | 'due_days' | 'names' | 'received'

export async function readBlocks(
  client: ClickHouseClient,
  scope: Scope,
  optional: readonly OptionalBlock[],
): Promise<Blocks> {
  const [{ complete_through }] = throughSchema.parse(await selectRows(client, 'complete-through', {}))
  const rows = await selectRows(client, 'blocks', {
    ...toScopeParams(scope),
    blocks: optional,
    ranking_facts: rankingMask,
    today: toDateTime(toStartOfDay(scope.timeZone, toLocalDate(scope.timeZone, scope.now))),
  })
  return { ...z.tuple([blocksSchema]).parse(rows)[0], complete_through }
}
