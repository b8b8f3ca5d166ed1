/** The blocks of `blocks.sql`, read in one statement and checked. A block that was not asked for comes back empty. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { rankingFacts } from '../../schemas/metrics/fact-bits.ts'
import { toLocalDate, toStartOfDay } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { selectRows, toDateTime, toScopeParams } from './sql.ts'

/** 64-bit integers come as text; counts and times in ms fit a double. */
const integer = z.string().regex(/^-?\d+$/).transform(Number)
const facts = z.string().regex(/^\d+$/)
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

const blockSchemas = {
  facts: z.array(z.tuple([facts, integer])),
  people: z.tuple([integer, integer]),
  durations: z.array(z.tuple([z.string(), integer.nullable(), integer.nullable(), integer, integer])),
  backlog: z.tuple([integer, integer, integer, integer]),
  grades: z.tuple([integer, z.number(), z.number(), z.number(), z.record(z.string(), integer)]),
  days: z.array(z.tuple([z.string(), date, integer])),
  due_days: z.array(z.tuple([date, facts, integer])),
  challenges: z.array(z.tuple([z.string(), facts, integer])),
  teams: z.array(z.tuple([z.string(), facts, integer])),
  names: z.array(z.tuple([z.string(), z.string(), z.string()])),
  complete_through: integer.nullable(),
  received: z.tuple([integer.nullable(), integer.nullable(), integer.nullable(), integer.nullable()]),
}

export type Blocks = { [Name in keyof typeof blockSchemas]: z.infer<(typeof blockSchemas)[Name]> }
export type BlockName = keyof Blocks

/** What `Metrics` is made of. */
export const metricBlocks = [
  'facts',
  'people',
  'durations',
  'backlog',
  'grades',
  'days',
  'complete_through',
] as const satisfies BlockName[]

/** What the Overview needs besides. */
export const overviewBlocks = ['due_days', 'challenges', 'teams', 'names', 'received'] as const satisfies BlockName[]

export async function readBlocks<Name extends BlockName>(
  client: ClickHouseClient,
  scope: Scope,
  names: readonly Name[],
): Promise<Pick<Blocks, Name>> {
  const rows = await selectRows(client, 'blocks', {
    ...toScopeParams(scope),
    blocks: names,
    ranking_facts: rankingFacts.toString(),
    today: toDateTime(toStartOfDay(scope.timeZone, toLocalDate(scope.timeZone, scope.now))),
  })
  const contents = new Map(z.array(rowSchema).parse(rows).map((row) => [row.block, row.content]))
  const blocks: Partial<Record<BlockName, unknown>> = {}
  for (const name of names) blocks[name] = blockSchemas[name].parse(JSON.parse(contents.get(name) ?? 'null'))
  return blocks as Pick<Blocks, Name>
}

const rowSchema = z.object({ block: z.string(), content: z.string() })
