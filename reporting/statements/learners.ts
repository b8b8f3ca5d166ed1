/** The people of a scope and one person. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { LearnerCounts, LearnerCursor, LearnerRequest } from '../scope/learner-request.ts'
import type { Reader } from '../read/reader.ts'
import { folded } from '../expressions/fold.ts'
import { list, sql, value, where } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { asOf, links, managers, people, readLatestNames, settle, withTeamNames } from './people.ts'
import { columnsFor } from './columns-for.ts'
import { findLearners } from '../columns/learners.ts'
import { readRowPeople, rowPersonSchema } from './rows.ts'

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

/** The people whose name has a text, or whose id it is. */
export const peopleNamed: Statement<{ scope: Scope; text: string }> = {
  name: 'people-named',
  about: 'names',
  isHeld: true,
  text({ scope, text }, seen) {
    const needle = value('String', text)
    return sql`WITH ${asOf(scope)}
SELECT user_id
FROM (SELECT user_id, ${seen.name('name')} AS shown FROM (${people(scope, ['name'])}) ${where(seen.only('user_id'))})
WHERE position(${folded(sql`shown`)}, ${folded(sql`${needle}`)}) > 0`
  },
}

async function findNamed(reader: Reader, scope: Scope, text: string): Promise<ReadonlySet<string>> {
  const rows = await select(reader, peopleNamed, { scope: await settle(reader, scope), text })
  return new Set([
    text,
    ...z
      .array(z.object({ user_id: z.string() }))
      .parse(rows)
      .map(({ user_id }) => user_id),
  ])
}

export async function readLearners(
  reader: Reader,
  scope: Scope,
  request: LearnerRequest,
  isFirstTry = true,
): Promise<LearnerPage> {
  const { cursor, limit, search } = request
  const named = search === '' ? null : await findNamed(reader, scope, search)
  const { counts, total, people } = await columnsFor(reader, scope, (memory, inScope) =>
    findLearners(memory, inScope, { ...request, limit: limit + 1, named }),
  )
  const users = counts.map(({ user_id }) => user_id)
  const peopleById = await readRowPeople(reader, scope, users)
  const learners = counts.flatMap((each): Learner[] => {
    const found = peopleById.get(each.user_id)
    if (found === undefined) return []
    const { user_attributes: _ofRows, ...person } = found
    return [{ ...person, ...each }]
  })
  // The reader's people have changed in between.
  if (learners.length < counts.length && isFirstTry) return readLearners(reader, scope, request, false)
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

/** One person: name, e-mail, teams, managers, how many direct reports the reader may see, whether active. */
export const person: Statement<{ scope: Scope; userId: string }> = {
  name: 'person',
  about: 'names',
  isHeld: true,
  asNumbers: true,
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
