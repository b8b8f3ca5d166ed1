/** The blocks of `blocks.sql`, read in one statement and checked; before them, how far the data are complete. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { toLocalDate, toStartOfDay } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { selectRows, toDateTime, toScopeParams } from '../queries/sql.ts'
import { toFacts, toRankingFacts } from './tallied-facts.ts'

/** 64-bit integers come as text; counts and times in ms fit a double. */
const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)

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

const kinds = [
  'facts',
  'people',
  'people_complete',
  'challenges',
  'teams',
  'due_weeks',
  'ages',
  'grades',
  'time_to_complete',
  'grading_turnaround',
  ...dayKinds,
] as const
type Kind = (typeof kinds)[number]

/** What one row of `blocks.sql` counts, and how many of each combination of bits: thousands of counts in some hundred rows. */
const rowSchema = z.object({
  kind: z.enum(kinds),
  ids: z.array(z.string()),
  /** Days since 1970. */
  day: z.number(),
  bits: z.array(z.string().regex(/^\d+$/)),
  counts: z.array(integer),
  /** By name. What JSON cannot say comes as null. */
  numbers: z.record(z.string(), z.number().nullable()),
})
type Row = Pick<z.infer<typeof rowSchema>, 'kind' | 'ids' | 'day' | 'numbers'> & { bits: string; n: number }

/** p50, p90, ended, still going on. */
type Wait = [p50Ms: number | null, p90Ms: number | null, ended: number, goingOn: number]

export type Blocks = {
  facts: [bits: string, n: number][]
  /** People in scope, and those of them who have completed everything. */
  people: [all: number, complete: number]
  challenges: [id: string, bits: string, n: number][]
  /** By set of teams. */
  team_sets: [teams: string[], bits: string, n: number][]
  days: [kind: DayKind, date: string, n: number][]
  /** By the first day of the week of the due day, as far as the engine has days. */
  due_weeks: [day: string, bits: string, n: number][]
  backlog: [n: number, lower: number | null, upper: number | null, maximum: number | null]
  grades: [n: number, sum: number | null, lower: number | null, upper: number | null, bins: Record<string, number>]
  time_to_complete: Wait
  grading_turnaround: Wait
  /** Epoch ms. */
  complete_through: number | null
} & z.infer<typeof pageSchema>

const pageSchema = z.object({
  names: z.array(z.tuple([z.enum(['challenge', 'team']), z.string(), z.string()])),
  is_sample: z.number().transform(Boolean),
  has_challenge_events: z.number().transform(Boolean),
  /** Newest event, newest failed one, failed today, unrecognised today; 0 = none. */
  received: z.tuple([integer.nullable(), integer.nullable(), integer.nullable(), integer.nullable()]),
})

const throughSchema = z.tuple([z.object({ complete_through: integer.nullable() })])

/** `overview`: also rankings, due cohorts, names and what has arrived. */
export type Detail = 'metrics' | 'overview'

export async function readBlocks(client: ClickHouseClient, scope: Scope, detail: Detail): Promise<Blocks> {
  const [{ complete_through }] = throughSchema.parse(await selectRows(client, 'complete-through', {}))
  const [rows, page] = await Promise.all([readRows(client, scope, detail), readPage(client, scope, detail)])
  return { ...toBlocks(rows, scope), ...page, complete_through }
}

async function readRows(client: ClickHouseClient, scope: Scope, detail: Detail): Promise<Row[]> {
  const found = await selectRows(client, 'blocks', toScopeParams(scope), toFlags(scope, detail))
  return rowSchema
    .array()
    .parse(found)
    .flatMap(({ bits, counts, ...row }) => bits.map((each, index) => ({ ...row, bits: each, n: counts[index] ?? 0 })))
}

async function readPage(client: ClickHouseClient, scope: Scope, detail: Detail): Promise<z.infer<typeof pageSchema>> {
  return detail === 'metrics'
    ? { names: [], is_sample: false, has_challenge_events: false, received: [null, null, null, null] }
    : selectPage(client, scope)
}

/** What a page shows around numbers that come from elsewhere. */
export async function readPageFrame(
  client: ClickHouseClient,
  scope: Scope,
): Promise<z.infer<typeof pageSchema> & Pick<Blocks, 'complete_through'>> {
  const [{ complete_through }] = throughSchema.parse(await selectRows(client, 'complete-through', {}))
  return { ...(await selectPage(client, scope)), complete_through }
}

async function selectPage(client: ClickHouseClient, scope: Scope): Promise<z.infer<typeof pageSchema>> {
  const today = toDateTime(toStartOfDay(scope.timeZone, toLocalDate(scope.timeZone, scope.now)))
  return z.tuple([pageSchema]).parse(await selectRows(client, 'page', { today }))[0]
}

/** What the statement has to hold. A filter by facts needs them of every assignment; then the view does all the filtering. */
function toFlags(scope: Scope, detail: Detail): Record<string, boolean> {
  const byFact = [scope.status, scope.fact, scope.aging].some((filter) => filter.length > 0)
  const isGiven = (...filters: unknown[]) =>
    !byFact && filters.some((filter) => (Array.isArray(filter) ? filter.length > 0 : filter !== undefined))
  const given = {
    assigned: isGiven(scope.assignedFrom, scope.assignedTo),
    completed: isGiven(scope.completedFrom, scope.completedTo),
    due: isGiven(scope.dueFrom, scope.dueTo),
    challenge: isGiven(scope.challenge),
    user: isGiven(scope.user),
    manager: isGiven(scope.manager),
    team: isGiven(scope.team),
  }
  return {
    ...given,
    filtered: byFact || Object.values(given).some(Boolean),
    overview: detail === 'overview',
    instant: scope.dueEnd === 'instant',
    by_fact: byFact,
    without_leavers: !byFact && scope.team.length === 0 && !scope.includeLeavers,
  }
}

/** 65535: a day after every time that can be read. */
const noDay = 65_535

function toBlocks(
  rows: readonly Row[],
  scope: Scope,
): Omit<Blocks, keyof z.infer<typeof pageSchema> | 'complete_through'> {
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  const of = (kind: Kind) => byKind.get(kind) ?? []
  const countOf = (kind: Kind) => of(kind).reduce((sum, { n }) => sum + n, 0)
  const [ages] = of('ages')
  const [grades] = of('grades')
  const complete = countOf('people_complete')
  return {
    facts: sumByFacts(of('facts'), (bits) => toFacts(bits, scope.dueSoonDays)).map(({ bits, n }) => [bits, n]),
    people: [countOf('people') + complete, complete],
    challenges: sumByFacts(of('challenges'), toRankingFacts).map(({ ids, bits, n }) => [ids[0] ?? '', bits, n]),
    team_sets: sumByFacts(of('teams'), toRankingFacts).map(({ ids, bits, n }) => [ids, bits, n]),
    days: dayKinds.flatMap((kind) =>
      of(kind)
        .filter(({ day }) => day !== noDay)
        .map(({ day, n }): Blocks['days'][number] => [kind, toDate(day), n]),
    ),
    due_weeks: sumByFacts(
      of('due_weeks').filter(({ day }) => day !== noDay),
      toRankingFacts,
    ).map(({ day, bits, n }) => [toDate(day), bits, n]),
    backlog: [ages?.n ?? 0, numberOf(ages, 'lower'), numberOf(ages, 'upper'), numberOf(ages, 'maximum')],
    grades: [
      grades?.n ?? 0,
      numberOf(grades, 'sum'),
      numberOf(grades, 'lower'),
      numberOf(grades, 'upper'),
      toBins(grades?.numbers ?? {}),
    ],
    time_to_complete: toWait(of('time_to_complete')[0]),
    grading_turnaround: toWait(of('grading_turnaround')[0]),
  }
}

/** Kinds of assignments that agree in their facts at T are one. */
function sumByFacts(rows: readonly Row[], toOwnFacts: (bits: string) => string): Row[] {
  const sums = new Map<string, Row>()
  const facts = new Map<string, string>()
  for (const row of rows) {
    // Thousands of rows have a few dozen combinations of bits.
    let bits = facts.get(row.bits)
    if (bits === undefined) facts.set(row.bits, (bits = toOwnFacts(row.bits)))
    const key = JSON.stringify([row.ids, row.day, bits])
    const sum = sums.get(key)
    if (sum === undefined) sums.set(key, { ...row, bits })
    else sum.n += row.n
  }
  return [...sums.values()]
}

function toWait(row: Row | undefined): Wait {
  const ended = numberOf(row, 'ended') ?? 0
  return [numberOf(row, 'p50'), numberOf(row, 'p90'), ended, (row?.n ?? 0) - ended]
}

/** The bins of grades that hold something, by their number. */
function toBins(numbers: Row['numbers']): Record<string, number> {
  return Object.fromEntries(
    Object.entries(numbers).flatMap(([name, n]) => (/^\d$/.test(name) && n !== null && n !== 0 ? [[name, n]] : [])),
  )
}

function numberOf(row: Row | undefined, name: string): number | null {
  return row?.numbers[name] ?? null
}

function toDate(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}
