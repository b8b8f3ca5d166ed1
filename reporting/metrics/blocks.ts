/** The blocks that metrics and the Overview are computed from, and how they come out of the rows of `statements/blocks.ts`. */
import { z } from 'zod'
import { toDate } from '../../schemas/metrics/calendar.ts'
import { derive, rankingMask, toDecimal } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'

/** 64-bit integers come as text; counts and times in ms fit a double. */
export const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)

export const dayKinds = [
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

/** A row of `blocks`: its kind, and how many of each combination of bits; thousands of counts in some hundred rows. */
const rowSchema = z.object({
  kind: z.enum(kinds),
  ids: z.array(z.string()),
  /** Days since 1970. */
  day: z.number(),
  bits: z.array(z.string().regex(/^\d+$/)),
  counts: z.array(integer),
  /** By name. A number that JSON cannot say comes as null. */
  numbers: z.record(z.string(), z.number().nullable()),
})
export type Row = Pick<z.infer<typeof rowSchema>, 'kind' | 'ids' | 'day' | 'numbers'> & { bits: string; n: number }

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
} & PageBlocks

/** Without the parts of a page besides its numbers. */
export type NumberBlocks = Omit<Blocks, keyof PageBlocks | 'complete_through'>

export const namesSchema = z.array(
  z
    // `kind`: `challenge`, `team` or the parameter of an attribute.
    .object({ kind: z.string(), id: z.string(), name: z.string() })
    .transform(({ kind, id, name }): [string, string, string] => [kind, id, name]),
)
/** The parts of a page besides its numbers. */
export type PageBlocks = {
  names: z.infer<typeof namesSchema>
  is_sample: boolean
  has_challenge_events: boolean
  /** Newest event, newest failed one, failed today, unrecognised today; 0 = none. */
  received: [number | null, number | null, number | null, number | null]
}

/** `counts`: facts and people only, much quicker from memory. `overview`: also rankings, due cohorts, names and arrivals. */
export type Detail = 'counts' | 'metrics' | 'overview'

export function toRows(rows: readonly unknown[]): Row[] {
  return rowSchema
    .array()
    .parse(rows)
    .flatMap(({ bits, counts, ...row }) => bits.map((each, index) => ({ ...row, bits: each, n: counts[index] ?? 0 })))
}

/** 65535: a day after every time that can be read. */
const noDay = 65_535

export function toBlocks(rows: readonly Row[], scope: Scope): NumberBlocks {
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  const of = (kind: Kind) => byKind.get(kind) ?? []
  const countOf = (kind: Kind) => of(kind).reduce((sum, { n }) => sum + n, 0)
  const rankingOf = (kind: Kind) => sumByFacts(of(kind), toRankingFacts)
  const [ages] = of('ages')
  const [grades] = of('grades')
  const complete = countOf('people_complete')
  return {
    facts: sumByFacts(of('facts'), (bits) => toFacts(bits, scope.dueSoonDays)).map(({ bits, n }) => [bits, n]),
    people: [countOf('people') + complete, complete],
    challenges: rankingOf('challenges').map(({ ids, bits, n }) => [ids[0] ?? '', bits, n]),
    team_sets: rankingOf('teams').map(({ ids, bits, n }) => [ids, bits, n]),
    due_weeks: rankingOf('due_weeks')
      .filter(({ day }) => day !== noDay)
      .map(({ day, bits, n }) => [toDate(day), bits, n]),
    days: dayKinds.flatMap((kind) =>
      of(kind)
        .filter(({ day }) => day !== noDay)
        .map(({ day, n }): Blocks['days'][number] => [kind, toDate(day), n]),
    ),
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

/** Where the days since the due day begin in the bits that `blocks` counts by, and the number added to them. */
export const daysFrom = 48n
export const daysAdded = 366
/** The most that these bits say: 91 days behind the due day and one. */
export const mostDaysBehind = 458

/** All facts as bits, decimal. */
function toFacts(tallied: string, dueSoonDays: number): string {
  const all = BigInt(tallied)
  const facts = all & ((1n << daysFrom) - 1n)
  const bits = {
    low: Number(facts & 0xffff_ffffn),
    high: Number(facts >> 32n),
    days: Number(all >> daysFrom) - daysAdded,
  }
  return toDecimal(derive(bits, dueSoonDays))
}

/** The facts of a ranking from its own bits, of which `blocks` has fewer; no other can be told from them. */
function toRankingFacts(tallied: string): string {
  return (BigInt(toFacts(tallied, 0)) & BigInt(rankingMask)).toString()
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
