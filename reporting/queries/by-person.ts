/**
 * The data of digests, read once for many readers and split by the people that each reader sees. The statements are narrowed to the
 * people of all readers. A part leaves only through `of`, with the people that its reader sees at that moment.
 */
import { z } from 'zod'
import { toFactCount, type FactCount } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { readChangesOfPeople, type Change } from './changes.ts'
import { readFirstWaiting, type QueueRow } from './grading.ts'
import { toFacts } from '../metrics/blocks.ts'
import type { Reader } from '../read/reader.ts'
import { sql } from '../read/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { factBitsOf } from '../statements/bits.ts'
import { asOf, personsOf, versions, type ScopeArgs } from '../statements/versions.ts'
import { toScopeArgs } from './reporting-lines.ts'

export type OwnPart = {
  /** Of the second moment, and of the first. */
  facts: FactCount[]
  factsBefore: FactCount[]
  changes: Change[]
  /** Handed in longest ago first; of each person at most as many as were asked for. */
  waiting: QueueRow[]
}

export type ByPerson = {
  /**
   * What these people alone would have answered. `null`: it cannot be told from this, because somebody is not in it, or an assignment
   * went from one person to another, and only one of the two is among these.
   */
  of(people: ReadonlySet<string>): OwnPart | null
}

export type ByPersonRequest = {
  /** More changes than this are not held. */
  mostChanges: number
  /** How many waiting assignments of each person. */
  waitingEach: number
}

const factsSchema = z.array(z.object({ user_id: z.string(), bits: z.array(z.string()), counts: z.array(z.number()) }))

/** How many assignments in a scope each person has, by their facts. */
export const factsByPerson: Statement<ScopeArgs> = {
  name: 'facts-by-person',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text(args, seen) {
    const columns =
      'user_id, class, state, completed_at, due_date, first_due_date, reviewers_due_date, first_submitted_at, first_graded_at, sign'
    return sql`WITH ${asOf(args.scope)}
SELECT user_id, groupArray(toString(bits)) AS bits, groupArray(n) AS counts
FROM
(
    SELECT toString(user_id) AS user_id, ${factBitsOf(args.scope)} AS bits, sum(sign) AS n
    FROM (${versions(args, seen, columns)})
    GROUP BY user_id, bits
    HAVING n != 0
)
GROUP BY user_id`
  },
}

/** `null`: it is too much, or a reader sees other people meanwhile. For a reader that sees some people only. */
export async function readByPerson(
  reader: Reader,
  before: Scope,
  scope: Scope,
  { mostChanges, waitingEach }: ByPersonRequest,
): Promise<ByPerson | null> {
  const seen = await reader.seenIds()
  const [facts, factsBefore, changes, waiting] = await Promise.all([
    readFacts(reader, scope),
    readFacts(reader, before),
    readChangesOfPeople(reader, before, scope, mostChanges),
    readFirstWaiting(reader, scope, waitingEach),
  ])
  const still = new Set(await reader.seenIds())
  if (seen === null || changes === null || still.size !== seen.length || seen.some((id) => !still.has(id))) return null
  const changesOf = new Map<string, typeof changes>()
  for (const each of changes) {
    for (const person of each.people) changesOf.set(person, [...(changesOf.get(person) ?? []), each])
  }
  const waitingOf = Map.groupBy(waiting, ({ user_id }) => user_id)
  return {
    of(people) {
      const own = new Set([...people].flatMap((id) => changesOf.get(id) ?? []))
      const isWhole =
        [...people].every((id) => still.has(id)) && [...own].every((each) => each.people.every((id) => people.has(id)))
      if (!isWhole) return null
      return {
        facts: [...people].flatMap((id) => facts.get(id) ?? []),
        factsBefore: [...people].flatMap((id) => factsBefore.get(id) ?? []),
        changes: [...own].map(({ change }) => change),
        waiting: [...people].flatMap((id) => waitingOf.get(id) ?? []).sort(byHandedIn),
      }
    },
  }
}

async function readFacts(reader: Reader, scope: Scope): Promise<Map<string, FactCount[]>> {
  const rows = factsSchema.parse(await select(reader, factsByPerson, await toScopeArgs(reader, scope)))
  return new Map(
    rows.map(({ user_id, bits, counts }) => [
      user_id,
      bits.map((each, index) => toFactCount(toFacts(each, scope.dueSoonDays), counts[index] ?? 0)),
    ]),
  )
}

/** As the queue of Grading; the store compares the bytes of ids. */
function byHandedIn(a: QueueRow, b: QueueRow): number {
  if (a.submitted_at !== b.submitted_at) return a.submitted_at < b.submitted_at ? -1 : 1
  return Buffer.compare(Buffer.from(a.assignment_id), Buffer.from(b.assignment_id))
}
