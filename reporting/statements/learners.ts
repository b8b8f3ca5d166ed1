/** The people of a scope and one person. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { isSo, type LearnerCounts, type LearnerRequest } from '../scope/learner-request.ts'
import type { Reader } from '../read/reader.ts'
import { folded } from '../expressions/fold.ts'
import { list, sql, value, where } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { asOf, links, managers, people, readLatestNames, settle, withTeamNames } from './people.ts'
import { readRowPeople, readSortNames, rowPersonSchema } from './rows.ts'

type Named = [id: string, name: string]

export type Person = {
  user_id: string
  user_name: string
  teams: Named[]
  managers: Named[]
  is_active: boolean
}

/** `reports`: direct reports whom the reader may see. */
export type OnePerson = Person & { email: string; reports: number }

export type Learner = Person & LearnerCounts

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

/** A page of the people in `counts`, with their names. People whom the reader no longer sees are excluded. */
export async function readLearners(
  reader: Reader,
  scope: Scope,
  counts: readonly LearnerCounts[],
  { search, only, by = '-overdue', offset, limit }: LearnerRequest,
): Promise<{ rows: Learner[]; total: number }> {
  const named = search === undefined ? null : await findNamed(reader, scope, search)
  const found = counts.filter(
    (each) => (only === undefined || isSo[only](each)) && (named === null || named.has(each.user_id)),
  )
  const names = by.endsWith('user_name') ? await readSortNames(reader, scope) : undefined
  const page = found.toSorted(compareBy(by, names)).slice(offset, offset + limit)
  const rows: Learner[] = []
  for (let from = 0; from < page.length; from += namedAtOnce) {
    const part = page.slice(from, from + namedAtOnce)
    const users = part.map(({ user_id }) => user_id)
    const people = await readRowPeople(reader, scope, users)
    for (const each of part) {
      const person = people.get(each.user_id)
      if (person === undefined) continue
      const { user_attributes: _ofRows, ...known } = person
      rows.push({ ...known, ...each })
    }
  }
  return { rows, total: found.length }
}

const namedAtOnce = 5_000

/** People without a name are last. Equal people: most overdue first, then most that wait for a grade, then by id. */
function compareBy(by: string, names: ReadonlyMap<string, string> | undefined) {
  const [key, sign] = by.startsWith('-') ? [by.slice(1), -1] : [by, 1]
  return (a: LearnerCounts, b: LearnerCounts): number =>
    (names === undefined
      ? sign * (a[key as 'overdue'] - b[key as 'overdue'])
      : compareNames(names.get(a.user_id), names.get(b.user_id), sign)) ||
    b.overdue - a.overdue ||
    b.awaiting_grading - a.awaiting_grading ||
    (a.user_id < b.user_id ? -1 : Number(a.user_id > b.user_id))
}

function compareNames(a: string | undefined, b: string | undefined, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return sign * a.localeCompare(b, 'en', { numeric: true })
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
  const [rows, nameOf] = await Promise.all([
    select(reader, person, { scope: moment, userId }),
    readLatestNames(reader),
  ])
  const [one] = rowPersonSchema.extend({ email: z.string(), reports: integer }).array().parse(rows)
  return one === undefined ? null : withTeamNames(one, nameOf)
}
