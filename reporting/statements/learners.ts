/** The people of a scope and one person. */
import { foldText } from '../../language/fold.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { isSo, type LearnerCounts, type LearnerRequest } from '../scope/learner-request.ts'
import type { Reader } from '../read/reader.ts'
import { readOwnReporting } from './groups.ts'
import { readSomePeople } from './people.ts'
import type { RowPerson } from './row.ts'
import { readRowPeople, readSortNames } from './rows.ts'

export type Person = Omit<RowPerson, 'user_attributes'>

/** `reports`: direct reports whom the reader may see. */
export type OnePerson = Person & { email: string; reports: number }

export type Learner = Person & LearnerCounts

/** The people whose name has a text, or whose id it is. */
async function findNamed(reader: Reader, scope: Scope, text: string): Promise<ReadonlySet<string>> {
  const needle = foldText(text)
  const names = reader.audience().names ? await readSortNames(reader, scope) : []
  const found = [...names].filter(([, name]) => foldText(name).includes(needle))
  return new Set([text, ...found.map(([id]) => id)])
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
      if (person !== undefined) rows.push({ ...toPerson(person), ...each })
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

/** `null`: nobody by this id is known then. */
export async function readPerson(reader: Reader, userId: string, scope: Scope): Promise<OnePerson | null> {
  const [known, people, { directReportsOf }] = await Promise.all([
    readSomePeople(reader, scope, [userId]),
    readRowPeople(reader, scope, [userId]),
    readOwnReporting(reader, scope),
  ])
  const [one, person] = [known.get(userId), people.get(userId)]
  if (one === undefined || person === undefined) return null
  return { ...toPerson(person), email: one.email, reports: directReportsOf(userId).length }
}

const toPerson = ({ user_attributes: _ofRows, ...person }: RowPerson): Person => person
