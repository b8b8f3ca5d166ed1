/** What is overdue and whose people it concerns; what falls due next. As of the moment of a scope. */
import { z } from 'zod'
import { agingBuckets, type AgingBucket } from '../../schemas/metrics/answer.ts'
import { addDays, toLocalDate } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { AudienceError } from '../audience/audience.ts'
import { readNames, readPageMoment, type PageMoment } from './page-frame.ts'
import { toReporting } from './reporting-lines.ts'
import { readSeenAndSelf, selectRows, toDateTime, toScopeParams } from './sql.ts'
import { ownReader, type Reader } from '../read/reader.ts'

/** Somebody with at least one overdue assignment. The empty id: assignments without a person. */
export type LatePerson = {
  user_id: string
  name: string
  email: string
  teams: string[]
  /** Direct managers at the moment. */
  managers: string[]
  overdue: number
  /** Of the longest overdue one. */
  most_days: number
  buckets: number[]
}

/** People by one thing they share. The empty id: they share the lack of it. */
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
  /** The same by team. */
  by_team: LateGroup[]
  /** Whatever the age filter: it is about what is overdue. */
  due_days: DueDay[]
}

/** The day of the moment and the 13 after it. */
export const dueDaysAhead = 14

const kinds = ['person', 'open', 'handed_in', 'still_open', 'failed'] as const
const rowSchema = z.object({
  kind: z.enum(kinds),
  id: z.string(),
  /** Days since 1970. */
  day: z.number(),
  n: z.number(),
  most_days: z.number(),
  buckets: z.array(z.number()),
  name: z.string(),
  email: z.string(),
  teams: z.array(z.string()),
})
type Row = z.infer<typeof rowSchema>

export async function readOverdue(reader: Reader, scope: Scope): Promise<Overdue> {
  // The whole organisation is walked; the people are those that the reader may see.
  const own = ownReader(reader.client)
  const audience = reader.audience()
  if (!audience.persons) throw new AudienceError('persons', 'Who is overdue is not shown to you')
  const today = toLocalDate(scope.dueZone, scope.asOf)
  const moment = { as_of: toDateTime(scope.asOf), now: toDateTime(scope.now) }
  const days = { first_day: toDay(today), last_day: toDay(today) + dueDaysAhead - 1 }
  // An age is one of what is overdue, so what falls due is asked without it.
  const isOfAnyAge = scope.aging.length === 0
  const [frame, shown, links, found, foundOfAnyAge] = await Promise.all([
    readPageMoment(reader, scope),
    readSeenAndSelf(reader),
    selectRows(own, 'links', moment),
    selectRows(reader, 'overdue', { ...toScopeParams(scope), ...days }),
    isOfAnyAge ? null : selectRows(reader, 'overdue', { ...toScopeParams({ ...scope, aging: [] }), ...days }),
  ])
  const rows = rowSchema.array().parse(found)
  const rowsOfAnyAge = foundOfAnyAge === null ? rows : rowSchema.array().parse(foundOfAnyAge)
  const reporting = toReporting(links)
  const managersOf = (id: string) => reporting.managersOf(id).filter((each) => shown?.has(each) ?? true)
  const people = rows.filter(({ kind }) => kind === 'person').map((row) => toPerson(row, managersOf(row.id)))
  people.sort(
    (a, b) =>
      b.most_days - a.most_days || b.overdue - a.overdue || compare(a.name, b.name) || compare(a.user_id, b.user_id),
  )
  const byManager = toGroups(people, ({ managers }) => managers)
  const managerNames = await readNames(
    reader,
    scope,
    byManager
      .slice(0, mostNamed)
      .map(({ id }) => id)
      .filter(Boolean),
  )
  const teamNames = new Map(frame.options.teams.map(({ id, name }) => [id, name]))
  return {
    ...frame,
    overdue: sum(people.map(({ overdue }) => overdue)),
    open_with_due_date: sum(rows.filter(({ kind }) => kind === 'open').map(({ n }) => n)),
    aging: agingBuckets.map((bucket, index) => ({
      bucket,
      count: sum(people.map(({ buckets }) => buckets[index] ?? 0)),
    })),
    people,
    by_manager: withNames(byManager, new Map(managerNames.map(({ id, name }) => [id, name]))),
    by_team: withNames(
      toGroups(people, ({ teams }) => teams),
      teamNames,
    ),
    due_days: Array.from({ length: dueDaysAhead }, (_, index) => toDueDay(addDays(today, index), rowsOfAnyAge)),
  }
}

/** The managers with the most overdue have a name; of more than these only the ids are known. */
const mostNamed = 1_000

const lateSchema = z.object({
  assignment_id: z.string(),
  user_id: z.string(),
  challenge_id: z.string(),
  challenge: z.string(),
  due_day: z.number(),
  days_overdue: z.number(),
  is_viewed: z.coerce.boolean(),
})

/** The overdue assignments of these people, at most `perPerson` of each, most days overdue first. */
export async function readLateAssignments(
  reader: Reader,
  scope: Scope,
  users: readonly string[],
  perPerson: number,
): Promise<LateAssignment[]> {
  if (users.length === 0) return []
  const params = toScopeParams({ ...scope, user: [...users] })
  const rows = await selectRows(reader, 'late-assignments', { ...params, per_person: perPerson })
  return lateSchema
    .array()
    .parse(rows)
    .map(({ is_viewed, due_day, ...row }) => ({ ...row, viewed: is_viewed, due_day: toDate(due_day) }))
}

function toPerson({ id, name, email, teams, n, most_days, buckets }: Row, managers: readonly string[]): LatePerson {
  return { user_id: id, name, email, teams, managers: [...managers], overdue: n, most_days, buckets }
}

/** Somebody in two groups counts in both; nobody's is a group of its own. */
function toGroups(people: readonly LatePerson[], idsOf: (person: LatePerson) => string[]): LateGroup[] {
  const entries = people.flatMap((person) => {
    const ids = idsOf(person)
    return (ids.length === 0 ? [''] : ids).map((id) => ({ id, person }))
  })
  return [...Map.groupBy(entries, ({ id }) => id)]
    .map(([id, own]) => ({
      id,
      name: '',
      overdue: sum(own.map(({ person }) => person.overdue)),
      most_days: own.reduce((most, { person }) => Math.max(most, person.most_days), 0),
      people: own.map(({ person }) => person),
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

function toDueDay(day: string, rows: readonly Row[]): DueDay {
  const count = (wanted: Row['kind']) =>
    sum(rows.filter(({ kind, day: at }) => kind === wanted && at === toDay(day)).map(({ n }) => n))
  const [handed_in, failed, open] = [count('handed_in'), count('failed'), count('still_open')]
  return { day, due: handed_in + failed + open, handed_in, failed, open }
}

function toDay(date: string): number {
  return Math.round(Date.parse(date) / 86_400_000)
}

function toDate(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
