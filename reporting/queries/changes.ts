/** The changes in a scope between two moments, assignment by assignment, with causes. */
import { z } from 'zod'
import { instant } from '../../schemas/answers/values.ts'
import { factBits, toHas, type Fact } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'
import { findChanges } from '../columns/changes.ts'
import { columnsBetween } from '../statements/columns-for.ts'
import { readNamesById } from '../statements/people.ts'
import {
  changeCauses,
  changeKinds,
  type ChangeCursor,
  type ChangeCause,
  type Changed,
  type ChangeKind,
  type ChangesArgs,
} from '../metrics/changes.ts'
import { eventsBetween } from './assignment-events.ts'

const eventSchema = z.object({
  akey: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  at: z.number(),
  received_at: z.number(),
})

/** A cursor in an address: `<changed_ms>.<akey>`. */
export function parseChangeCursor(text: string): ChangeCursor | undefined {
  const [, changed_ms, akey = ''] = /^(\d{1,15})\.(\d{1,20})$/.exec(text) ?? []
  return changed_ms === undefined || BigInt(akey) >= 2n ** 64n
    ? undefined
    : { changed_ms: Number(changed_ms), akey }
}

const sideSchema = z.object({
  in_scope: z.boolean(),
  facts: z
    .array(z.enum(Object.keys(factBits) as [Fact, ...Fact[]]))
    .meta({ description: 'Every fact that held' }),
  grade: z.number().nullable().meta({ description: 'The final grade; null = not graded yet, or unknown' }),
  due_date: instant.nullable(),
})
export type SideOfChange = z.infer<typeof sideSchema>

export const changeSchema = z.object({
  assignment_id: z.string(),
  user_id: z.string().nullable(),
  user_name: z.string().nullable(),
  challenge_id: z.string().nullable(),
  challenge: z.string().nullable(),
  before: sideSchema,
  after: sideSchema,
  kinds: z.array(z.enum(changeKinds)).meta({
    description:
      'In what ways it changed. `assigned`: it was added between the moments, whenever it was created; `other` stands alone',
  }),
  reasons: z.array(z.object({ kind: z.enum(changeKinds), causes: z.array(z.enum(changeCauses)) })).meta({
    description:
      'Why, for each kind. event: it would have changed without time passing; time: a due date or its creation has passed; people: its person left, came back or moved. Only `other` may have several causes',
  }),
  causes: z.array(z.enum(changeCauses)).meta({ description: 'The causes of all its kinds' }),
  changed_at: instant.nullable().meta({
    description:
      'When the last event that changed it came, or its due date where that has passed; null = neither',
  }),
  events: z
    .array(z.object({ event_id: z.string(), event_type: z.string(), at: instant, received_at: instant }))
    .meta({ description: 'Its events after the first moment and up to the second, in event order' }),
})
export type Change = z.infer<typeof changeSchema>

export type ChangePage = { total: number; changes: Change[]; next: string | null }

type ChangePageRequest = {
  /** Default: from the beginning. */
  after?: ChangeCursor | undefined
  /** Changes to skip from there. Default: none. */
  offset?: number
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
  { after, offset = 0, limit, kinds = [], causes = [], withEvents = true }: ChangePageRequest,
): Promise<ChangePage> {
  const request: ChangesArgs = { kinds, causes, after: after ?? null, limit: offset + limit + 1 }
  const rows = await columnsBetween(reader, before, scope, (memory, moments) =>
    findChanges(memory, moments, request),
  )
  const page = rows.slice(offset, offset + limit)
  const args = { akeys: page.map(({ akey }) => akey), from: before.asOf, asOf: scope.asOf }
  const [nameOf, events] = await Promise.all([
    readNamesById(
      reader,
      scope,
      page.map(({ user_id }) => user_id),
    ),
    withEvents ? select(reader, eventsBetween, args) : [],
  ])
  const eventsOf = Map.groupBy(eventSchema.array().parse(events), ({ akey }) => akey)
  return {
    // A page after the last row has no total; its reader has it from an earlier page.
    total: rows[0]?.total ?? 0,
    changes: page.map((row) => toChange(row, nameOf, eventsOf.get(row.akey) ?? [])),
    next: rows.length > offset + limit ? `${page.at(-1)?.changed_ms ?? 0}.${page.at(-1)?.akey ?? 0}` : null,
  }
}

function hasBit(mask: number, bit: number): boolean {
  return ((mask >> bit) & 1) === 1
}

function toChange(
  row: Changed,
  nameOf: Awaited<ReturnType<typeof readNamesById>>,
  events: z.infer<typeof eventSchema>[],
): Change {
  const byCause = { event: row.by_event, time: row.by_time, people: row.by_people }
  const kinds = changeKinds.filter((_, bit) => hasBit(row.kinds, bit))
  return {
    assignment_id: row.assignment_id,
    user_id: row.user_id || null,
    user_name: nameOf('person', row.user_id) || null,
    challenge_id: row.challenge_id || null,
    challenge: nameOf('challenge', row.challenge_id) || null,
    before: toSide(row.was_in_scope, row.was_there, row.facts_before, row.grade_before, row.due_before),
    after: toSide(row.is_in_scope, row.is_there, row.facts_after, row.grade_after, row.due_after),
    kinds,
    reasons: kinds.map((kind) => ({
      kind,
      causes: changeCauses.filter((cause) => hasBit(byCause[cause], changeKinds.indexOf(kind))),
    })),
    causes: changeCauses.filter((cause) => byCause[cause] !== 0),
    changed_at: row.changed_ms === 0 ? null : new Date(row.changed_ms).toISOString(),
    events: events.map(({ event_id, event_type, at, received_at }) => ({
      event_id,
      event_type,
      at: new Date(at).toISOString(),
      received_at: new Date(received_at).toISOString(),
    })),
  }
}

function toSide(
  in_scope: boolean,
  isThere: boolean,
  facts: string,
  grade: number | null,
  dueMs: number,
): SideOfChange {
  if (!isThere) return { in_scope, facts: [], grade: null, due_date: null }
  return {
    in_scope,
    facts: toFacts(facts),
    grade,
    due_date: dueMs === 0 ? null : new Date(dueMs).toISOString(),
  }
}

function toFacts(facts: string): Fact[] {
  return (Object.keys(factBits) as Fact[]).filter(toHas(facts))
}
