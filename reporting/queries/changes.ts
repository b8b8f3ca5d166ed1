/** The changes in a scope between two moments, assignment by assignment, with causes. */
import { z } from 'zod'
import { agingBuckets } from '../../schemas/metrics/answer.ts'
import { factBits, toHas, type Fact } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { askOnce, selectRows, toDateTime, toScopeParams } from './sql.ts'
import type { Reader } from '../read/reader.ts'

const flag = z.union([z.boolean(), z.number()]).transform(Boolean)

const changedSchema = z.object({
  akey: z.string(),
  assignment_id: z.string(),
  user_id: z.string(),
  /** At the earlier moment; the same where the assignment was not there then. */
  user_id_before: z.string(),
  user_name: z.string(),
  challenge_id: z.string(),
  challenge: z.string(),
  was_there: flag,
  is_there: flag,
  facts_before: z.string(),
  facts_after: z.string(),
  due_before: z.coerce.number(),
  due_after: z.coerce.number(),
  grade_before: z.number().nullable(),
  grade_after: z.number().nullable(),
  was_in_scope: flag,
  is_in_scope: flag,
  kinds: z.number(),
  by_event: z.number(),
  by_time: z.number(),
  by_people: z.number(),
  total: z.string().transform(Number),
})
type Changed = z.infer<typeof changedSchema>

const eventSchema = z.object({
  akey: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  at: z.number(),
  received_at: z.number(),
})

/** In the order of their bits in `changed-between.sql`. Several may hold; `other` stands alone. */
export const changeKinds = [
  'assigned',
  'became_overdue',
  'no_longer_overdue',
  'handed_in',
  'graded',
  'completed',
  'failed',
  'regraded',
  'reopened',
  'deadline_moved',
  'removed',
  'came_into_scope',
  'left_scope',
  'other',
] as const
export type ChangeKind = (typeof changeKinds)[number]

/** METRICS.md, Cause of a change. */
export const changeCauses = ['event', 'time', 'people'] as const
export type ChangeCause = (typeof changeCauses)[number]

/** `grade`: the final one. `due_date`: ISO 8601, UTC. */
export type SideOfChange = { in_scope: boolean; facts: Fact[]; grade: number | null; due_date: string | null }

export type Change = {
  assignment_id: string
  user_id: string | null
  user_name: string | null
  challenge_id: string | null
  challenge: string | null
  before: SideOfChange
  after: SideOfChange
  kinds: ChangeKind[]
  /** Each of its kinds with its cause; `other` may have several. */
  reasons: { kind: ChangeKind; causes: ChangeCause[] }[]
  /** Those of all its kinds. */
  causes: ChangeCause[]
  events: { event_id: string; event_type: string; at: string; received_at: string }[]
}

export type ChangePage = { total: number; changes: Change[]; next: string | null }

export type ChangePageRequest = {
  /** The `next` of the previous page; `0` = from the beginning. */
  after: string
  limit: number
  /** Only changes of one of these kinds by one of these causes. Default: all. */
  kinds?: readonly ChangeKind[]
  causes?: readonly ChangeCause[]
  /** Whether the events of each are read, too. Default: yes. */
  withEvents?: boolean
}

/** `scope` is as of the later moment, `before` the same scope as of the earlier one. */
export async function readChanges(
  reader: Reader,
  before: Scope,
  scope: Scope,
  { after, limit, kinds = [], causes = [], withEvents = true }: ChangePageRequest,
): Promise<ChangePage> {
  const params = {
    ...toBetweenParams(before, scope),
    ...toMasks(kinds, causes),
    after,
    limit: limit + 1,
  }
  const found = await selectRows(reader, 'changes', params, { only_moving: true, brief: false, by_person: false })
  const rows = changedSchema.array().parse(found)
  const page = rows.slice(0, limit)
  const asked = { from: toDateTime(before.asOf), as_of: toDateTime(scope.asOf) }
  const akeys = page.map(({ akey }) => BigInt(akey))
  const events = withEvents ? await selectRows(reader, 'events-between', { ...asked, akeys }) : []
  const eventsOf = Map.groupBy(eventSchema.array().parse(events), ({ akey }) => akey)
  return {
    // A page after the last row has no total; its reader has it from an earlier page.
    total: rows[0]?.total ?? 0,
    changes: page.map((row) => toChange(row, eventsOf.get(row.akey) ?? [])),
    next: rows.length > limit ? (page.at(-1)?.akey ?? null) : null,
  }
}

/** Whose each is: at the later moment, and at the earlier one where that was somebody else. */
export type ChangeOfPeople = { change: Change; people: readonly string[] }

/**
 * The same without events, for a split by people; `null`: there are more than `most`. With what went from one person to another and changed
 * in no other way, as `other`.
 */
export async function readChangesOfPeople(
  reader: Reader,
  before: Scope,
  scope: Scope,
  most: number,
): Promise<ChangeOfPeople[] | null> {
  const params = { ...toBetweenParams(before, scope), ...toMasks(), after: '0', limit: most + 1 }
  const flags = { only_moving: true, brief: false, by_person: true }
  const rows = changedSchema.array().parse(await selectRows(reader, 'changes', params, flags))
  if (rows.length > most) return null
  return rows.map((row) => ({ change: toChange(row, []), people: [...new Set([row.user_id, row.user_id_before])] }))
}

/**
 * The parameters of `changed-between.sql`. What is included for the earlier moment has `from` for `as_of` and `under_from` for `under`, so
 * `moving.sql`, which is about both moments at once, has names of its own for the later one.
 */
export function toBetweenParams(before: Scope, scope: Scope): Record<string, unknown> {
  const params = toScopeParams(scope)
  const [under, under_from] = [params['under'], toScopeParams(before)['under']].map(askOnce)
  return {
    ...params,
    under,
    under_from,
    led_until: under,
    from: toDateTime(before.asOf),
    moved_until: params['as_of'],
    // A day passes at its end in the due zone, up to 24 h later, or 25 where clocks go back.
    passed_from: toDateTime(Math.max(0, before.asOf - 2 * dayMs)),
    edge_days: toEdgeDays(before, scope),
  }
}

const dayMs = 86_400_000

/** The last day of each bucket of aging. */
const agingEdges = agingBuckets.flatMap((bucket) => bucket.split('-').slice(1).map(Number))

/** After how many days a due date makes an assignment due soon, overdue, or brings it into another bucket of aging. */
const edgesOf = ({ dueSoonDays }: Scope) => [-dueSoonDays, 0, ...agingEdges]

/**
 * How many whole days before the later moment a due date may lie to come over such an edge between the moments. Days begin in the due zone,
 * so two more on each side.
 */
function toEdgeDays(before: Scope, scope: Scope): number[] {
  const span = Math.ceil((scope.asOf - before.asOf) / dayMs)
  const days = edgesOf(scope).flatMap((edge) => Array.from({ length: span + 5 }, (_, day) => edge - 2 + day))
  return [...new Set(days)]
}

/** The kinds that are asked for by each cause. */
export function toMasks(
  kinds: readonly ChangeKind[] = [],
  causes: readonly ChangeCause[] = [],
): Record<string, number> {
  const isAsked = (kind: ChangeKind) => kinds.length === 0 || kinds.includes(kind)
  const all = changeKinds.reduce((mask, kind, bit) => (isAsked(kind) ? mask | (1 << bit) : mask), 0)
  const of = (cause: ChangeCause) => (causes.length === 0 || causes.includes(cause) ? all : 0)
  return Object.fromEntries(changeCauses.map((cause) => [`${cause}_mask`, of(cause)]))
}

function hasBit(mask: number, bit: number): boolean {
  return ((mask >> bit) & 1) === 1
}

function toChange(row: Changed, events: z.infer<typeof eventSchema>[]): Change {
  const byCause = { event: row.by_event, time: row.by_time, people: row.by_people }
  const kinds = changeKinds.filter((_, bit) => hasBit(row.kinds, bit))
  return {
    assignment_id: row.assignment_id,
    user_id: row.user_id || null,
    user_name: row.user_name || null,
    challenge_id: row.challenge_id || null,
    challenge: row.challenge || null,
    before: toSide(row.was_in_scope, row.was_there, row.facts_before, row.grade_before, row.due_before),
    after: toSide(row.is_in_scope, row.is_there, row.facts_after, row.grade_after, row.due_after),
    kinds,
    reasons: kinds.map((kind) => ({
      kind,
      causes: changeCauses.filter((cause) => hasBit(byCause[cause], changeKinds.indexOf(kind))),
    })),
    causes: changeCauses.filter((cause) => byCause[cause] !== 0),
    events: events.map(({ event_id, event_type, at, received_at }) => ({
      event_id,
      event_type,
      at: new Date(at).toISOString(),
      received_at: new Date(received_at).toISOString(),
    })),
  }
}

function toSide(in_scope: boolean, isThere: boolean, facts: string, grade: number | null, dueMs: number): SideOfChange {
  if (!isThere) return { in_scope, facts: [], grade: null, due_date: null }
  return { in_scope, facts: toFacts(facts), grade, due_date: dueMs === 0 ? null : new Date(dueMs).toISOString() }
}

function toFacts(facts: string): Fact[] {
  return (Object.keys(factBits) as Fact[]).filter(toHas(facts))
}
