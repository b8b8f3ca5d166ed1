/** Rows as a page of them: long names, nobody named, unknown values, and every status. For tests and screenshots of the pages only. */
import { effectiveStatuses } from '../../../schemas/metrics/answer.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import { instants, type Instant } from '../../../schemas/metrics/version.ts'
import { createScope } from '../../model/scope.ts'
import { createRows } from '../../../reporting/statements/row.ts'
import type { AssignmentEvent } from '../../../reporting/queries/assignment-events.ts'
import type { Learner, OnePerson } from '../../../reporting/statements/learners.ts'
import { eventNumbers, flagBits } from '../../../schemas/webhook/event-bits.ts'
import type { RowPage } from '../../../reporting/statements/rows.ts'
import { fixtureNow, overviewFixture } from './fixture.ts'

const day = 86_400_000
const people = ['Ada Moreno', 'Zoë Wolfeschlegelsteinhausenbergerdorff', 'Li Wei', '', 'Noah Haddad']

function toRow(n: number): AssignmentRow {
  const status = effectiveStatuses[n % 6] ?? 'not_started'
  const isLate = status === 'overdue'
  const due = fixtureNow + (isLate ? -(n + 1) * day : n * day)
  const none = Object.fromEntries(instants.map((at) => [at, 0])) as Record<Instant, number>
  const base = createRows(createScope(fixtureNow), () => 'Objection handling: price')(
    {
      ...none,
      assignment_id: `a-${n}`,
      user_id: n % 5 === 3 ? '' : `u-${n % 5}`,
      challenge_id: 'c-002',
      status: '',
      class: 2,
      state: 0,
      life: 1,
      created_at: fixtureNow - 30 * day,
      due_date: due,
      first_due_date: due,
      first_submitted_at: fixtureNow - 9 * day,
      grade: 0,
      completion_percentage: -1,
      days_overdue_reported: null,
    },
    {
      user_name: people[n % 5] ?? '',
      teams: [['g-north', 'Sales North']],
      managers: n % 3 === 0 ? [] : [['m-1', 'Grace Okafor']],
      user_attributes: [],
    },
  )
  return {
    ...base,
    effective_status: status,
    due_day: n % 7 === 0 ? null : new Date(due).toISOString().slice(0, 10),
    days_overdue: isLate ? n + 1 : null,
    waiting_since: status === 'awaiting_grading' ? new Date(fixtureNow - 9 * day).toISOString() : null,
    calculated_grade: status === 'completed' ? 79.25 : null,
  }
}

export const rowsFixture: RowPage = {
  rows: Array.from({ length: 40 }, (_, n) => toRow(n)),
  total: 1_204,
  units: 1_204,
  next: { key: 1, assignmentId: 'a-39' },
}

export const noRows: RowPage = { rows: [], total: 0, units: 0, next: null }

export function frameFixture(options?: Parameters<typeof overviewFixture>[0]) {
  const { freshness, options: names } = overviewFixture(options)
  return { freshness, options: names }
}

export const personFixture: OnePerson = {
  user_id: 'u-1',
  user_name: people[1] ?? '',
  email: 'person@example.com',
  teams: [
    ['g-north', 'Sales North'],
    ['g-new', 'New joiners, autumn 2026'],
  ],
  managers: [['m-1', 'Grace Okafor']],
  is_active: true,
  reports: 2,
}

export const learnersFixture: { rows: Learner[]; total: number } = {
  rows: people.map((user_name, n) => ({
    ...personFixture,
    user_id: `u-${n}`,
    user_name,
    teams: n === 2 ? [] : personFixture.teams,
    managers: n === 2 ? [] : personFixture.managers,
    is_active: n !== 4,
    assigned: 12 + n,
    completed: 4,
    overdue: 5 - n,
    awaiting_grading: n % 2,
  })),
  total: 5,
}

const flagsOf = (...flags: (keyof typeof flagBits)[]) =>
  flags.reduce((bits, flag) => bits | flagBits[flag], 0)

/** Two lives, a moved due date, a grade that changed. */
export const timelineEvents: AssignmentEvent[] = (
  [
    ['Created', 40, [], 10, null],
    ['Deleted', 39, [], 10, null],
    ['Created', 30, [], 14, null],
    ['Progress', 22, [], -4, null],
    ['Progress', 12, ['isSubmitted'], -4, null],
    ['Completed', 9, ['isSubmitted', 'isFullyGraded', 'isCompleted', 'passed'], -4, 71.5],
    ['Progress', 7, ['isSubmitted', 'isFullyGraded', 'isCompleted', 'passed'], -4, 84],
  ] as const
).map(([kind, daysAgo, flags, dueDaysAgo, grade], n) => ({
  assignment_id: 'a1',
  event_id: `${n}`.padStart(32, 'e'),
  event_type: `assignment${kind}.challenge`,
  type_number: eventNumbers[`assignment${kind}.challenge`],
  at: fixtureNow - daysAgo * day,
  received_at: fixtureNow - daysAgo * day + 900,
  status: '',
  flags_known: flagsOf('isSubmitted', 'isFullyGraded', 'isCompleted', 'passed'),
  flags_true: flagsOf(...flags),
  grade,
  completion_percentage: n < 3 ? 0 : 40,
  due_date: fixtureNow - dueDaysAgo * day,
}))
