/** The people of a scope and one person. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { LearnerCounts, LearnerCursor, LearnerFilter, LearnerRequest } from '../scope/learner-request.ts'
import { toScopeArgs } from './reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { join, list, raw, sql, value, where, type Fragment } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { links, managers, people, readLatestNames, settle, withTeamNames } from './people.ts'
import { inMemory } from './in-memory.ts'
import { findLearners } from '../columns/learners.ts'
import { readRowPeople, rowPersonSchema, versionsOfPart } from './rows.ts'
import { asOf, factsOf, personsOf, type ScopeArgs } from './versions.ts'

type Named = [id: string, name: string]

export type Person = { user_id: string; user_name: string; teams: Named[]; managers: Named[]; is_active: boolean }

/** `reports`: direct reports whom the reader may see. */
export type OnePerson = Person & { email: string; reports: number }

export type Learner = Person & { assigned: number; completed: number; overdue: number; awaiting: number }

export type LearnerPage = {
  learners: Learner[]
  /** People found; `null` where the page is empty and not the first. */
  total: number | null
  people: LearnerCounts
  next: LearnerCursor | null
}

const integer = z.number().int()

const learnerSchema = rowPersonSchema.extend({
  assigned: integer,
  completed: integer,
  overdue: integer,
  awaiting: integer,
  people: z.tuple([integer, integer, integer, integer, integer]),
  total: integer,
})

const counts = ['overdue', 'awaiting', 'complete', 'unfinished'] as const satisfies LearnerFilter[]
const isSo: Record<LearnerFilter, Fragment> = {
  overdue: raw('overdue_count > 0'),
  awaiting: raw('awaiting > 0'),
  complete: raw('completed = assigned'),
  unfinished: raw('completed < assigned'),
}

/**
 * How many assignments each person has, a page at a time by keyset: most overdue first, then most that wait for a grade. A person counts by
 * the assignments in scope, so somebody without one is not here.
 */
export const learners: Statement<ScopeArgs & LearnerRequest> = {
  name: 'learners',
  about: 'names',
  asNumbers: true,
  persons: personsOf,
  text(args, seen) {
    const { scope, search, only, cursor, limit } = args
    const is = factsOf(scope)
    const text = value('String', search)
    const matches = sql`(positionCaseInsensitiveUTF8(person_name, ${text}) > 0 OR person_id = ${text})`
    return sql`WITH
    ${asOf(scope)},
    found AS
    (
        SELECT *, count() OVER () AS found_people
        FROM
        (
            -- One scan: everybody is counted on the way.
            SELECT
                counted.user_id AS person_id,
                assigned, completed, overdue_count, awaiting,
                ${seen.name('person.name')} AS person_name,
                person.teams AS person_teams,
                person.active AS is_active,
                (count() OVER (), ${join(
                  counts.map((each) => sql`countIf(${isSo[each]}) OVER ()`),
                  ', ',
                )}) AS all_people
            FROM
            (
                SELECT
                    user_id,
                    sum(sign) AS assigned,
                    sumIf(sign, ${is('completed')}) AS completed,
                    sumIf(sign, ${is('overdue')}) AS overdue_count,
                    sumIf(sign, ${is('awaiting_grading')}) AS awaiting
                FROM (${versionsOfPart(args, seen, 'user_id, class, state, due_date, sign')})
                WHERE user_id != ''
                GROUP BY user_id
                HAVING assigned > 0
            ) AS counted
            LEFT JOIN (${people(scope, ['name', 'teams', 'active'])}) AS person ON person.user_id = counted.user_id
        )
        ${where(search === '' ? null : matches, only && isSo[only])}
    )
SELECT
    person_id AS user_id,
    person_name AS user_name,
    person_teams AS teams,
    line.managers AS managers,
    is_active,
    assigned,
    completed,
    overdue_count AS overdue,
    awaiting,
    all_people AS people,
    found_people AS total
FROM found AS row
LEFT JOIN (${managers(scope, seen)}) AS line ON line.report_id = row.person_id
${where(cursor && isAfter(cursor))}
ORDER BY overdue_count DESC, awaiting DESC, person_id
LIMIT ${value('UInt32', limit)}`
  },
}

function isAfter({ overdue, awaiting, userId }: LearnerCursor): Fragment {
  const last = sql`(${value('Int64', overdue)}, ${value('Int64', awaiting)})`
  return sql`(overdue_count, awaiting) <= ${last} AND ((overdue_count, awaiting) < ${last} OR person_id > ${value('String', userId)})`
}

export async function readLearners(reader: Reader, scope: Scope, request: LearnerRequest): Promise<LearnerPage> {
  const { cursor, limit } = request
  const more = { ...request, limit: limit + 1 }
  const { learners, total, people } = (await readHeld(reader, scope, more)) ?? (await readStored(reader, scope, more))
  const page = learners.slice(0, limit)
  const last = page.at(-1)
  return {
    learners: page,
    total: learners.length > 0 ? total : cursor === null ? 0 : null,
    people,
    next:
      learners.length > limit && last !== undefined
        ? { overdue: last.overdue, awaiting: last.awaiting, userId: last.user_id }
        : null,
  }
}

type FoundPage = { learners: Learner[]; total: number; people: LearnerCounts }

async function readStored(reader: Reader, scope: Scope, request: LearnerRequest): Promise<FoundPage> {
  const args = { ...(await toScopeArgs(reader, scope)), ...request }
  const read = async (of: typeof args) => learnerSchema.array().parse(await select(reader, learners, of))
  const [rows, nameOf] = await Promise.all([read(args), readLatestNames(reader)])
  // An empty page has no row that says how many people there are.
  const isAsked = request.search !== '' || request.only !== null || request.cursor !== null
  const [first] =
    rows.length > 0 || !isAsked ? rows : await read({ ...args, search: '', only: null, cursor: null, limit: 1 })
  const [all = 0, overdue = 0, awaiting = 0, complete = 0, unfinished = 0] = first?.people ?? []
  return {
    learners: rows.map(({ people: _people, total: _total, ...learner }) => withTeamNames(learner, nameOf)),
    total: rows[0]?.total ?? 0,
    people: { all, overdue, awaiting, complete, unfinished },
  }
}

/** Names are not held, so they are searched in the store. `undefined`: ask it, also where the reader's people changed in between. */
async function readHeld(reader: Reader, scope: Scope, request: LearnerRequest): Promise<FoundPage | undefined> {
  if (request.search !== '') return undefined
  const fromMemory = await inMemory(reader, scope, (memory, inScope) => findLearners(memory, inScope, request))
  if (fromMemory === undefined) return undefined
  const { counts, total, people } = fromMemory
  const peopleById = await readRowPeople(
    reader,
    scope,
    counts.map(({ user_id }) => user_id),
  )
  const learners = counts.flatMap((each) => {
    const found = peopleById.get(each.user_id)
    if (found === undefined) return []
    const { user_attributes: _ofRows, ...person } = found
    return [{ ...person, ...each }]
  })
  return learners.length === counts.length ? { learners, total, people } : undefined
}

/** One person: name, e-mail, teams, managers, how many direct reports the reader may see, whether active. */
export const person: Statement<{ scope: Scope; userId: string }> = {
  name: 'person',
  about: 'names',
  isHeld: true,
  asNumbers: true,
  persons: ({ userId }) => [userId],
  text({ scope, userId }, seen) {
    const id = value('String', userId)
    const only = seen.only('user_id')
    const isOwn = sql`user_id = ${id}`
    return sql`WITH
    ${asOf(scope)}
SELECT
    person.user_id AS user_id,
    ${seen.name('person.name')} AS user_name,
    ${seen.name('person.email')} AS email,
    person.teams AS teams,
    line.managers AS managers,
    (SELECT uniqExact(report_id) FROM (${links(scope, sql`manager_id = ${id}`, sql`report_id != ${id}`, seen.only('report_id'))})) AS reports,
    person.active AS is_active
FROM (${people(scope, ['name', 'email', 'teams', 'active'], only === null ? isOwn : sql`${isOwn} AND ${only}`)}) AS person
LEFT JOIN (${managers(scope, seen, list('String', [userId]))}) AS line ON line.report_id = person.user_id`
  },
}

/** `null`: nobody by this id is known then. */
export async function readPerson(reader: Reader, userId: string, scope: Scope): Promise<OnePerson | null> {
  const moment = await settle(reader, scope)
  const [rows, nameOf] = await Promise.all([select(reader, person, { scope: moment, userId }), readLatestNames(reader)])
  const [one] = rowPersonSchema.extend({ email: z.string(), reports: integer }).array().parse(rows)
  return one === undefined ? null : withTeamNames(one, nameOf)
}
