/** The people of a scope and one person. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toAssignmentKey } from '../../schemas/webhook/assignment-key.ts'
import { assignmentEventSchema, type AssignmentEvent } from './assignment-events.ts'
import { selectRows, toDateTime, toRowsAt } from './sql.ts'
import type { Reader } from '../read/reader.ts'

/** Which people: all, or those with something overdue, something that waits for a grade, everything or not everything done. */
export const learnerFilters = ['overdue', 'awaiting', 'unfinished', 'complete'] as const
export type LearnerFilter = (typeof learnerFilters)[number]

export type LearnerCursor = { overdue: number; awaiting: number; userId: string }

export type LearnerRequest = {
  /** In the name, or the whole id. Empty: everybody. */
  search: string
  only: LearnerFilter | null
  cursor: LearnerCursor | null
  limit: number
}

type Named = [id: string, name: string]

export type Person = { user_id: string; user_name: string; teams: Named[]; managers: Named[]; is_active: boolean }

/** `reports`: direct reports whom the reader may see. */
export type OnePerson = Person & { reports: number }

export type Learner = Person & { assigned: number; completed: number; overdue: number; awaiting: number }

export type LearnerPage = {
  learners: Learner[]
  /** People found; `null` where the page is empty and not the first. */
  total: number | null
  /** Of everybody in scope, whatever is searched for. */
  people: Record<'all' | LearnerFilter, number>
  next: LearnerCursor | null
}

const named = z.tuple([z.string(), z.string()])
const integer = z.coerce.number().int()

const personSchema = z.object({
  user_id: z.string(),
  user_name: z.string(),
  teams: z.array(named),
  managers: z.array(named),
  is_active: z.coerce.boolean(),
})

const onePersonSchema = personSchema.extend({ reports: integer })

const learnerSchema = personSchema.extend({
  assigned: integer,
  completed: integer,
  overdue: integer,
  awaiting: integer,
  people: z.tuple([integer, integer, integer, integer, integer]),
  total: integer,
})

export async function readLearners(reader: Reader, scope: Scope, request: LearnerRequest): Promise<LearnerPage> {
  const { search, only, cursor, limit } = request
  const { params, flags } = toRowsAt(scope)
  const rows = learnerSchema.array().parse(
    await selectRows(
      reader,
      'learners',
      {
        ...params,
        search,
        ...(cursor !== null && {
          after_overdue: cursor.overdue,
          after_awaiting: cursor.awaiting,
          after_id: cursor.userId,
        }),
        limit: limit + 1,
      },
      {
        ...flags,
        search: search !== '',
        after: cursor !== null,
        ...Object.fromEntries(learnerFilters.map((each) => [`with_${each}`, only === each])),
      },
    ),
  )
  const learners = rows.slice(0, limit)
  const last = learners.at(-1)
  const [all = 0, overdue = 0, awaiting = 0, complete = 0, unfinished = 0] = rows[0]?.people ?? []
  return {
    learners,
    total: rows[0]?.total ?? (cursor === null ? 0 : null),
    people: { all, overdue, awaiting, complete, unfinished },
    next:
      rows.length > limit && last !== undefined
        ? { overdue: last.overdue, awaiting: last.awaiting, userId: last.user_id }
        : null,
  }
}

/** `null`: nobody by this id is known then. */
export async function readPerson(reader: Reader, userId: string, { asOf, now }: Scope): Promise<OnePerson | null> {
  const params = { users: [userId], as_of: toDateTime(asOf), now: toDateTime(now) }
  return onePersonSchema.array().parse(await selectRows(reader, 'person', params))[0] ?? null
}

/** The events of these assignments up to an instant, in event order, by assignment. */
export async function readEventsOf(
  reader: Reader,
  assignmentIds: readonly string[],
  asOf: number,
): Promise<Map<string, AssignmentEvent[]>> {
  if (assignmentIds.length === 0) return new Map()
  const found = await selectRows(reader, 'events-of', {
    akeys: assignmentIds.map((id) => BigInt(toAssignmentKey(id))),
    assignment_ids: assignmentIds,
    as_of: toDateTime(asOf),
  })
  const events = assignmentEventSchema.array().parse(found)
  return Map.groupBy(events, (event) => event.assignment_id)
}
