/** What is overdue and whose people it concerns; what falls due next. As of the moment of a scope. */
import { z } from 'zod'
import { agingBuckets, type AgingBucket } from '../../schemas/metrics/answer.ts'
import { addDays, toLocalDate } from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { AudienceError } from '../audience/audience.ts'
import { toDate } from '../metrics/blocks.ts'
import { readNames, readPageMoment, type PageMoment } from '../queries/page-frame.ts'
import { readReporting, toScopeArgs } from '../queries/reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { raw, sql, value } from '../read/sql.ts'
import { readSeenAndSelf, select, type Statement } from '../read/statement.ts'
import { daysSinceDue } from '../read/store-sql.ts'
import { toDay } from '../scope/filter.ts'
import { people, titles } from './people.ts'
import { asOf, dayOf, factsOf, personsOf, versions, type ScopeArgs } from './versions.ts'

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

/** Person by person what is overdue, and day by day what falls due: one scan. Someone in two teams is one row. */
export const overdue: Statement<ScopeArgs & { firstDay: number; lastDay: number }> = {
  name: 'overdue',
  about: 'names',
  asNumbers: true,
  persons: personsOf,
  text(args, seen) {
    const { scope, firstDay, lastDay } = args
    const is = factsOf(scope)
    const none = raw("('', '', 0::Int32)")
    return sql`WITH
    ${asOf(scope)},
    entries AS
    (
        SELECT entry.1 AS kind, entry.2 AS id, entry.3 AS number, sum(sign) AS m
        FROM
        (
            SELECT
                arrayJoin(arrayFilter(each -> each.1 != '', [
                    if(${is('overdue')}, ('person', toString(user_id), ${daysSinceDue(scope)}), ${none}),
                    if(${is('open')} AND ${is('due_known')}, ('open', '', 0::Int32), ${none}),
                    -- The state of a day's assignments: handed in, failed without being handed in, or open.
                    if(due_day BETWEEN ${value('UInt16', firstDay)} AND ${value('UInt16', lastDay)},
                        (multiIf(${is('submitted')}, 'handed_in', ${is('open')}, 'still_open', 'failed'), '', due_day::Int32), ${none})
                ])) AS entry,
                sign
            FROM (SELECT *, ${dayOf('due_date', scope.dueZone)} AS due_day FROM (${versions(args, seen, 'class, user_id, state, due_date, sign')}))
        )
        GROUP BY kind, id, number
        HAVING m != 0
    )
SELECT kind, id, day, n, most_days, buckets, ${seen.name('person.name')} AS name, ${seen.name('person.email')} AS email, person.teams AS teams
FROM
(
    SELECT
        kind,
        id,
        if(kind IN ('person', 'open'), 0, number) AS day,
        sum(m) AS n,
        max(number) AS most_days,
        if(kind = 'person', [
            sumIf(m, number <= 7), sumIf(m, number BETWEEN 8 AND 14), sumIf(m, number BETWEEN 15 AND 30),
            sumIf(m, number BETWEEN 31 AND 60), sumIf(m, number BETWEEN 61 AND 90), sumIf(m, number > 90)
        ], []) AS buckets
    FROM entries
    GROUP BY kind, id, day
) AS counted
LEFT JOIN (${people(scope, ['name', 'email', 'teams'])}) AS person ON person.user_id = counted.id AND counted.kind = 'person'`
  },
}

export async function readOverdue(reader: Reader, scope: Scope): Promise<Overdue> {
  if (!reader.audience().persons) throw new AudienceError('persons', 'Who is overdue is not shown to you')
  const today = toLocalDate(scope.dueZone, scope.asOf)
  const days = { firstDay: toDay(today), lastDay: toDay(today) + dueDaysAhead - 1 }
  const args = { ...(await toScopeArgs(reader, scope)), ...days }
  // An age is one of what is overdue, so what falls due is asked without it.
  const isOfAnyAge = scope.aging.length === 0
  const [frame, shown, reporting, found, foundOfAnyAge] = await Promise.all([
    readPageMoment(reader, scope),
    readSeenAndSelf(reader),
    readReporting(reader.client, scope),
    select(reader, overdue, args),
    isOfAnyAge ? null : select(reader, overdue, { ...args, scope: { ...scope, aging: [] } }),
  ])
  const rows = rowSchema.array().parse(found)
  const rowsOfAnyAge = foundOfAnyAge === null ? rows : rowSchema.array().parse(foundOfAnyAge)
  const managersOf = (id: string) => reporting.managersOf(id).filter((each) => shown?.has(each) ?? true)
  const late = rows.filter(({ kind }) => kind === 'person').map((row) => toPerson(row, managersOf(row.id)))
  late.sort(
    (a, b) =>
      b.most_days - a.most_days || b.overdue - a.overdue || compare(a.name, b.name) || compare(a.user_id, b.user_id),
  )
  const byManager = toGroups(late, ({ managers }) => managers)
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
    overdue: sum(late.map((person) => person.overdue)),
    open_with_due_date: sum(rows.filter(({ kind }) => kind === 'open').map(({ n }) => n)),
    aging: agingBuckets.map((bucket, index) => ({
      bucket,
      count: sum(late.map(({ buckets }) => buckets[index] ?? 0)),
    })),
    people: late,
    by_manager: withNames(byManager, new Map(managerNames.map(({ id, name }) => [id, name]))),
    by_team: withNames(
      toGroups(late, ({ teams }) => teams),
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

/** The overdue assignments of the people of a scope, most days overdue first, with a limit for each. */
export const lateAssignments: Statement<ScopeArgs & { perPerson: number }> = {
  name: 'late-assignments',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text(args, seen) {
    const { scope, perPerson } = args
    const columns = 'assignment_id, user_id, challenge_id, class, state, due_date, akey, img, sign'
    return sql`WITH
    ${asOf(scope)}
SELECT assignment.1 AS assignment_id, person_id AS user_id, challenge_key AS challenge_id, title.name AS challenge, assignment.2 AS due_day,
    assignment.3 AS days_overdue, assignment.4 AS is_viewed
FROM
(
    SELECT
        any((assignment_id, ${dayOf('due_date', scope.dueZone)}, ${daysSinceDue(scope)}, bitTest(state, 6))) AS assignment,
        toString(any(user_id)) AS person_id,
        toString(any(challenge_id)) AS challenge_key
    FROM (${versions(args, seen, columns)})
    WHERE ${factsOf(scope)('overdue')}
    GROUP BY akey, img
    HAVING sum(sign) > 0
) AS row
LEFT JOIN ${titles} AS title ON title.id = row.challenge_key
ORDER BY assignment.3 DESC, title.name, assignment.1 -- Longest first; the id makes it a total order.
LIMIT ${value('UInt32', perPerson)} BY person_id`
  },
}

/** The overdue assignments of these people, at most `perPerson` of each, most days overdue first. */
export async function readLateAssignments(
  reader: Reader,
  scope: Scope,
  users: readonly string[],
  perPerson: number,
): Promise<LateAssignment[]> {
  if (users.length === 0) return []
  const args = await toScopeArgs(reader, { ...scope, user: [...users] })
  const rows = await select(reader, lateAssignments, { ...args, perPerson })
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
