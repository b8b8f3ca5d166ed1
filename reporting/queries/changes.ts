/** The changes in a scope between two moments, assignment by assignment, with causes. */
import { z } from 'zod'
import { instant } from '../../schemas/answers/values.ts'
import { toInstantOrNull } from '../../schemas/instant.ts'
import { factBits, type Fact } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Reader } from '../read/reader.ts'
import { countChanges, findChanges } from '../columns/changes.ts'
import { columnsBetween } from '../statements/columns-for.ts'
import { readNamesById } from '../statements/people.ts'
import {
  changeCauses,
  changeKinds,
  type ChangeCursor,
  type ChangeCause,
  type ChangeCounts,
  type ChangeKind,
  type ChangesArgs,
} from '../metrics/changes.ts'
import { readEvents } from './assignment-events.ts'

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
  after?: ChangeCursor | null | undefined
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
  { after = null, offset = 0, limit, kinds = [], causes = [], withEvents = true }: ChangePageRequest,
): Promise<ChangePage> {
  const request: ChangesArgs = { kinds, causes, after, limit: offset + limit + 1 }
  const { total, changes } = await columnsBetween(reader, before, scope, (memory, moments) =>
    findChanges(memory, moments, request),
  )
  const page = changes.slice(offset, offset + limit)
  const args = { akeys: page.map(({ akey }) => akey), from: before.asOf, asOf: scope.asOf }
  const users = page.map(({ user_id }) => user_id)
  const [nameOf, events] = await Promise.all([
    readNamesById(reader, scope, users),
    withEvents ? readEvents(reader, args) : [],
  ])
  const eventsOf = Map.groupBy(events, ({ akey }) => akey)
  const last = page.at(-1)
  return {
    total,
    changes: page.map(({ akey, changed_ms, ...change }) => ({
      ...change,
      user_id: change.user_id || null,
      user_name: nameOf('person', change.user_id) || null,
      challenge_id: change.challenge_id || null,
      challenge: nameOf('challenge', change.challenge_id) || null,
      changed_at: toInstantOrNull(changed_ms),
      events: (eventsOf.get(akey) ?? []).map(({ event_id, event_type, at, received_at }) => ({
        event_id,
        event_type,
        at,
        received_at,
      })),
    })),
    next: last && changes.length > offset + limit ? `${last.changed_ms}.${last.akey}` : null,
  }
}

export const readChangeCounts = (reader: Reader, before: Scope, scope: Scope): Promise<ChangeCounts> =>
  columnsBetween(reader, before, scope, countChanges)
