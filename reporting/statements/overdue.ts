/** Overdue assignments and whose people they concern; those that fall due next. As of the moment of a scope. */
import { agingBuckets } from '../../schemas/metrics/answer.ts'
import { addDays, toLocalDate } from '../../schemas/metrics/calendar.ts'
import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { columnsFor } from './columns-for.ts'
import { groupByIds } from '../metrics/to-overview.ts'
import { countOverdue } from '../columns/overdue.ts'
import { readNames, readPageMoment } from './page-frame.ts'
import { readReporting } from './reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { readSeenAndSelf } from '../read/statement.ts'
import { toDay } from '../scope/filter.ts'
import { readSomePeople } from './people.ts'
import { readRowPage } from './rows.ts'

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
export type LateGroup = { id: string; name: string; overdue: number; most_days: number; people: LatePerson[] }

/** Assignments by due day: `due` = handed in + failed without that + open. */
export type DueDay = { day: string; due: number; handed_in: number; failed: number; open: number }

export type Overdue = Awaited<ReturnType<typeof readOverdue>>

/** The day of the moment and the 13 after it. */
const dueDaysAhead = 14

export async function readOverdue(reader: Reader, scope: Scope) {
  const today = toLocalDate(scope.dueZone, scope.asOf)
  // A filter of days overdue selects no work that is not due yet.
  const days = Array.from({ length: scope.aging.length > 0 ? 0 : dueDaysAhead }, (_, n) => addDays(today, n))
  const [frame, shown, reporting, counts] = await Promise.all([
    readPageMoment(reader, scope),
    readSeenAndSelf(reader),
    readReporting(reader, scope),
    columnsFor(reader, scope, (memory, inScope) => countOverdue(memory, inScope, days.map(toDay))),
  ])
  const users = counts.people.map(({ user_id }) => user_id)
  const known = await readSomePeople(reader, scope, users)
  const people = counts.people.map((person): LatePerson => {
    const { name, email, teams } = known.get(person.user_id) ?? { name: '', email: '', teams: [] }
    const managers = reporting.managersOf(person.user_id).filter((id) => shown?.has(id) ?? true)
    return { ...person, name, email, teams, managers }
  })
  people.sort(
    (a, b) =>
      b.most_days - a.most_days ||
      b.overdue - a.overdue ||
      compare(a.name, b.name) ||
      compare(a.user_id, b.user_id),
  )
  const groups = toGroups(people)
  const nameOf = await readNames(
    reader,
    scope,
    groups.flatMap(({ id }) => id || []),
  )
  return {
    ...frame,
    overdue: sumOverdue(people),
    /** Open ones with a due date: what could be overdue. */
    open_with_due_date: counts.open,
    aging: agingBuckets.map((bucket, at) => ({
      bucket,
      count: people.reduce((total, { buckets }) => total + buckets[at]!, 0),
    })),
    people,
    /** By direct manager, most overdue first; people whose manager nobody knows come last. Two managers: counted under both. */
    by_manager: groups.map((group): LateGroup => ({ ...group, name: nameOf.get(group.id) ?? '' })),
    due_days: days.map((day, at): DueDay => {
      const { handed_in, failed, open } = counts.due[at]!
      return { day, due: handed_in + failed + open, handed_in, failed, open }
    }),
  }
}

/** Overdue assignments of a person, the most days overdue first. */
export async function readLateAssignments(
  reader: Reader,
  scope: Scope,
  user: string,
  limit: number,
): Promise<AssignmentRow[]> {
  // Every overdue assignment is in one of the buckets. A filter of the scope remains.
  const aging = scope.aging.length > 0 ? scope.aging : [...agingBuckets]
  const order = { by: 'days_late', descending: true } as const
  const late = { ...scope, aging, user: [user] }
  return (await readRowPage(reader, late, { order, limit, withTotal: false })).rows
}

/** People with two managers count under both. People without one are a group of their own. */
function toGroups(people: readonly LatePerson[]): Omit<LateGroup, 'name'>[] {
  return [...groupByIds(people, ({ managers }) => managers)]
    .map(([id, people]) => {
      // The longest overdue come first.
      return { id, overdue: sumOverdue(people), most_days: people[0]!.most_days, people }
    })
    .sort(
      (a, b) =>
        Number(a.id === '') - Number(b.id === '') ||
        b.overdue - a.overdue ||
        b.most_days - a.most_days ||
        compare(a.id, b.id),
    )
}

const sumOverdue = (people: readonly LatePerson[]) =>
  people.reduce((total, { overdue }) => total + overdue, 0)

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
