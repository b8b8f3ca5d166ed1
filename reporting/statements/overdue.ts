/** Overdue assignments and whose people they concern; those that fall due next. As of the moment of a scope. */
import { z } from 'zod'
import { agingBuckets, type AgingBucket } from '../../schemas/metrics/answer.ts'
import { addDays, toDate, toLocalDate } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { columnsFor } from './columns-for.ts'
import { countOverdue, findOverdue, type LateCount } from '../columns/overdue.ts'
import { readNames, readPageMoment, type PageMoment } from './page-frame.ts'
import { readReporting } from './reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { idsOf, sql, where } from '../expressions/sql.ts'
import { readSeenAndSelf, select, type Statement } from '../read/statement.ts'
import { toDay } from '../scope/filter.ts'
import { asOf, people, readLatestNames, settle } from './people.ts'

/** Somebody with at least one overdue assignment. The empty id: assignments without a person. */
export type LatePerson = {
  user_id: string
  name: string
  email: string
  teams: string[]
  /** Direct managers at the moment. */
  managers: string[]
  overdue: number
  /** Days of the longest overdue assignment. */
  most_days: number
  buckets: number[]
}

/** People by direct manager. The empty id: people without one. */
export type LateGroup = {
  id: string
  name: string
  overdue: number
  most_days: number
  people: LatePerson[]
}

/** Assignments by due day: `due` = handed in + failed without that + open. */
export type DueDay = { day: string; due: number; handed_in: number; failed: number; open: number }

export type LateAssignment = {
  assignment_id: string
  user_id: string
  challenge_id: string
  challenge: string
  due_day: string
  days_overdue: number
  viewed: boolean
}

export type Overdue = PageMoment & {
  overdue: number
  /** Open ones with a due date: what could be overdue. */
  open_with_due_date: number
  aging: { bucket: AgingBucket; count: number }[]
  people: LatePerson[]
  /** By direct manager, most overdue first; people whose manager nobody knows come last. Two managers: counted under both. */
  by_manager: LateGroup[]
  /** Empty under a filter of days overdue, which selects no work that is not due yet. */
  due_days: DueDay[]
}

/** The day of the moment and the 13 after it. */
const dueDaysAhead = 14

/** Those of these people whom the reader sees. */
export const latePeople: Statement<{ scope: Scope; ids: readonly string[] }> = {
  name: 'late-people',
  about: 'names',
  isHeld: true,
  text: ({ scope, ids }, seen) => sql`WITH ${asOf(scope)}
SELECT user_id, ${seen.name('name')} AS name, ${seen.name('email')} AS email, teams
FROM (${people(scope, ['name', 'email', 'teams'], sql`user_id IN ${idsOf(ids)}`)})
${where(seen.only('user_id'))}`,
}

const personSchema = z.object({
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  teams: z.array(z.string()),
})
type Person = z.infer<typeof personSchema>

export async function readOverdue(reader: Reader, scope: Scope): Promise<Overdue> {
  const today = toLocalDate(scope.dueZone, scope.asOf)
  const [frame, shown, reporting, rows] = await Promise.all([
    readPageMoment(reader, scope),
    readSeenAndSelf(reader),
    readReporting(reader, scope),
    readCounts(reader, scope, today),
  ])
  const counts = rows.filter(({ kind }) => kind === 'person')
  const peopleById = await readLatePeople(
    reader,
    scope,
    counts.map(({ id }) => id),
  )
  const managersOf = (id: string) => reporting.managersOf(id).filter((each) => shown?.has(each) ?? true)
  const late = counts.map((row) => toPerson(row, peopleById.get(row.id), managersOf(row.id)))
  late.sort(
    (a, b) =>
      b.most_days - a.most_days ||
      b.overdue - a.overdue ||
      compare(a.name, b.name) ||
      compare(a.user_id, b.user_id),
  )
  const byManager = toGroups(late)
  const managerNames = await readNames(
    reader,
    scope,
    byManager
      .slice(0, mostNamed)
      .map(({ id }) => id)
      .filter(Boolean),
  )
  const byAge = agingBuckets.map(() => 0)
  for (const { buckets } of late)
    for (let index = 0; index < byAge.length; index++) byAge[index]! += buckets[index] ?? 0
  const due = rows.filter(({ kind }) => kind !== 'person')
  return {
    ...frame,
    overdue: sum(late.map((person) => person.overdue)),
    open_with_due_date: sum(rows.filter(({ kind }) => kind === 'open').map(({ n }) => n)),
    aging: agingBuckets.map((bucket, index) => ({ bucket, count: byAge[index]! })),
    people: late,
    by_manager: withNames(byManager, new Map(managerNames.map(({ id, name }) => [id, name]))),
    due_days: Array.from({ length: scope.aging.length > 0 ? 0 : dueDaysAhead }, (_, index) =>
      toDueDay(addDays(today, index), due),
    ),
  }
}

/** The managers with the most overdue have a name; of more than these only the ids are known. */
const mostNamed = 1_000

async function readCounts(reader: Reader, scope: Scope, today: string): Promise<LateCount[]> {
  const days = [toDay(today), toDay(today) + dueDaysAhead - 1] as const
  return columnsFor(reader, scope, (memory, inScope) => countOverdue(memory, inScope, days))
}

async function readLatePeople(
  reader: Reader,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, Person>> {
  if (ids.length === 0) return new Map()
  const rows = await select(reader, latePeople, { scope: await settle(reader, scope), ids })
  const memo = peopleOf.get(rows)
  if (memo !== undefined) return memo
  const people = new Map(
    personSchema
      .array()
      .parse(rows)
      .map((person) => [person.user_id, person]),
  )
  peopleOf.set(rows, people)
  return people
}

/** People by answers that are held: thousands, who are checked once. */
const peopleOf = new WeakMap<readonly unknown[], Map<string, Person>>()

/** The overdue assignments of these people, at most `perPerson` of each, most days overdue first. */
export async function readLateAssignments(
  reader: Reader,
  scope: Scope,
  users: readonly string[],
  perPerson: number,
): Promise<LateAssignment[]> {
  if (users.length === 0) return []
  const rows = await columnsFor(reader, { ...scope, user: [...users] }, findOverdue)
  const nameOf = await readLatestNames(reader)
  const assignments = rows.map(({ is_viewed, due_day, ...row }) => ({
    ...row,
    challenge: nameOf('challenge', row.challenge_id) ?? '',
    viewed: is_viewed,
    due_day: toDate(due_day),
  }))
  assignments.sort(
    (a, b) =>
      b.days_overdue - a.days_overdue ||
      compare(a.challenge, b.challenge) ||
      compare(a.assignment_id, b.assignment_id),
  )
  const listed = new Map<string, number>()
  return assignments.filter(({ user_id }) => {
    const n = (listed.get(user_id) ?? 0) + 1
    listed.set(user_id, n)
    return n <= perPerson
  })
}

function toPerson(
  { id, n, most_days, buckets }: LateCount,
  of: Person | undefined,
  managers: string[],
): LatePerson {
  const { name, email, teams } = of ?? { name: '', email: '', teams: [] }
  return { user_id: id, name, email, teams, managers, overdue: n, most_days, buckets }
}

/** People with two managers count under both. People without one are a group of their own. */
function toGroups(people: readonly LatePerson[]): LateGroup[] {
  const entries = people.flatMap((person) =>
    (person.managers.length === 0 ? [''] : person.managers).map((id) => ({ id, person })),
  )
  return [...Map.groupBy(entries, ({ id }) => id)]
    .map(([id, ofGroup]) => ({
      id,
      name: '',
      overdue: sum(ofGroup.map(({ person }) => person.overdue)),
      most_days: ofGroup.reduce((most, { person }) => Math.max(most, person.most_days), 0),
      people: ofGroup.map(({ person }) => person),
    }))
    .sort(
      (a, b) =>
        Number(a.id === '') - Number(b.id === '') ||
        b.overdue - a.overdue ||
        b.most_days - a.most_days ||
        compare(a.id, b.id),
    )
}

function withNames(groups: LateGroup[], names: ReadonlyMap<string, string>): LateGroup[] {
  return groups.map((group) => ({ ...group, name: names.get(group.id) ?? '' }))
}

function toDueDay(day: string, rows: readonly LateCount[]): DueDay {
  const count = (of: LateCount['kind']) =>
    sum(rows.filter(({ kind, day: at }) => kind === of && at === toDay(day)).map(({ n }) => n))
  const [handed_in, failed, open] = [count('handed_in'), count('failed'), count('still_open')]
  return { day, due: handed_in + failed + open, handed_in, failed, open }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
