import { expect, test } from 'vitest'
import { at, delivery, event } from './by-hand/hand.ts'
import { computeAssignments, computeMetrics } from './model.ts'
import { createScope, type Delivery, type Scope } from './scope.ts'

const may = at('2026-05-01T12:00Z')
const assigned = { createdAt: at('2026-03-01') }

function rowsOf(deliveries: Delivery[], changes: Partial<Scope> = {}): ReturnType<typeof computeAssignments> {
  return computeAssignments(deliveries, createScope(may, changes))
}

test('hides what is created or stamped after T, and a later T shows it', () => {
  const later = [event('Created', '2026-03-01', { createdAt: at('2026-06-01') })]
  expect(rowsOf(later)).toHaveLength(0)
  expect(rowsOf(later, { asOf: at('2026-06-01') })).toHaveLength(1)
  const stampedLater = [event('Created', '2026-06-01', assigned)]
  expect(rowsOf(stampedLater)).toHaveLength(0)
  expect(rowsOf(stampedLater, { asOf: at('2026-06-01') })).toHaveLength(1)
})

// People

test('who has left is out of scope from then on, unless asked for; who returned is in again', () => {
  const history = [
    event('Created', '2026-03-01', assigned),
    delivery({ eventType: 'userDeleted', timestamp: at('2026-03-10'), user: { id: 'u' } }),
  ]
  expect(rowsOf(history)).toHaveLength(0)
  expect(rowsOf(history, { includeLeavers: true })).toHaveLength(1)
  expect(rowsOf(history, { asOf: at('2026-03-09') })).toHaveLength(1)
  const back = { eventType: 'userCreated', timestamp: at('2026-03-12'), user: { id: 'u', isDeleted: null } }
  expect(rowsOf([...history, delivery(back)])).toHaveLength(1)
  // Another flag, and it stands by itself.
  const gone = { ...back, timestamp: at('2026-03-13'), user: { id: 'u', isPermanentlyDeleted: true } }
  expect(rowsOf([...history, delivery(back), delivery(gone)])).toHaveLength(0)
})

test('an assignment without a user counts as active and as nobody', () => {
  const history = [event('Created', '2026-03-01', assigned, { id: null })]
  const metrics = computeMetrics(history, createScope(may))
  expect(metrics.assigned.value).toBe(1)
  expect(metrics.people_fully_complete.denominator).toBe(0)
  expect(metrics.people_fully_complete.value).toBeNull()
})

test('teams: absent keeps, null clears, the earliest later one serves before the first', () => {
  const look = (day: string, groups?: unknown): Delivery =>
    delivery({ eventType: 'userCreated', timestamp: at(day), user: { id: 'u', groups } })
  const inTeam = (deliveries: Delivery[], asOf = may): boolean =>
    computeAssignments(
      [event('Created', '2026-03-01', assigned), ...deliveries],
      createScope(asOf, { now: may, team: ['g'] }),
    ).length === 1
  const joined = look('2026-03-10', [{ id: 'g', name: 'Warehouse' }])
  expect(inTeam([joined, look('2026-03-11')])).toBe(true)
  expect(inTeam([joined, look('2026-03-11', null)])).toBe(false)
  expect(inTeam([joined, look('2026-03-11', [])])).toBe(false)
  expect(inTeam([joined], at('2026-03-05'))).toBe(true)
  // Stamped after both T and now: nobody has seen it.
  expect(inTeam([look('2026-08-01', [{ id: 'g' }])])).toBe(false)
})

test('a pull beats an event of the same instant', () => {
  const deliveries = [event('Created', '2026-03-01', assigned, { isDeleted: true })]
  const pulled = [{ observedAt: at('2026-03-01'), user: { id: 'u', isDeleted: false } }]
  expect(computeAssignments(deliveries, createScope(may), pulled)).toHaveLength(1)
})

test('managers: direct, indirect, to a depth, from either side, in cycles, and never under oneself', () => {
  const look = (day: string, user: unknown): Delivery =>
    delivery({ eventType: 'userCreated', timestamp: at(day), user })
  // u under m, m under n (said by n), and n under u: a cycle.
  const history = [
    event('Created', '2026-03-01', assigned, { managers: [{ id: 'm' }] }),
    look('2026-03-01', { id: 'n', directReports: [{ id: 'm' }], managers: [{ id: 'u' }] }),
  ]
  const under = (manager: string, managerDepth?: number, more: Delivery[] = []): number =>
    rowsOf([...history, ...more], {
      manager: [manager],
      ...(managerDepth === undefined ? {} : { managerDepth }),
    }).length
  expect([under('m'), under('n'), under('u')]).toEqual([1, 1, 0])
  expect([under('m', 1), under('n', 1), under('n', 2)]).toEqual([1, 0, 1])
  // A later word of m has no u in it: the link is gone. A leaver in between is still a link.
  expect(under('m', 1, [look('2026-03-02', { id: 'm', directReports: [] })])).toBe(0)
  expect(under('n', 2, [look('2026-03-02', { id: 'm', isDeleted: true })])).toBe(1)
})

test('two pulls of one instant that contradict each other: the link is there', () => {
  const pulled = [
    { observedAt: at('2026-03-02'), user: { id: 'u', managers: [] } },
    { observedAt: at('2026-03-02'), user: { id: 'm', directReports: [{ id: 'u' }] } },
  ]
  const scope = createScope(may, { manager: ['m'] })
  expect(computeAssignments([event('Created', '2026-03-01', assigned)], scope, pulled)).toHaveLength(1)
})

// Lateness

test("ends the due day in the due zone, not in the reader's zone", () => {
  const due = [event('Created', '2026-03-01', { ...assigned, dueDate: at('2026-03-10T20:00Z') })]
  const overdue = (asOf: string, changes: Partial<Scope> = {}): boolean | undefined =>
    rowsOf(due, { asOf: at(asOf), ...changes })[0]?.overdue
  expect([overdue('2026-03-10T23:59:59.999Z'), overdue('2026-03-11')]).toEqual([false, true])
  expect(overdue('2026-03-10T23:59:59.999Z', { timeZone: 'Pacific/Kiritimati' })).toBe(false)
  // 20:00Z is 01:45 of the 11th in Kathmandu, whose 11th ends at 18:15Z of the 11th.
  expect(overdue('2026-03-11T18:14Z', { dueZone: 'Asia/Kathmandu' })).toBe(false)
  expect(overdue('2026-03-11T18:15Z', { dueZone: 'Asia/Kathmandu' })).toBe(true)
  expect(overdue('2026-03-10T20:00Z', { dueEnd: 'instant' })).toBe(false)
  expect(overdue('2026-03-10T20:00:00.001Z', { dueEnd: 'instant' })).toBe(true)
})

test.each<[string, number, string]>([
  ['2026-05-01T11:00Z', 0, '1-7'],
  ['2026-04-24', 7, '1-7'],
  ['2026-04-23', 8, '8-14'],
  ['2026-04-16', 15, '15-30'],
  ['2026-04-01', 30, '15-30'],
  ['2026-03-31', 31, '31-60'],
  ['2026-01-31', 90, '61-90'],
  ['2026-01-30', 91, '91+'],
])('due %s is %i days overdue at noon of 1 May and ages in %s', (dueDate, days, bucket) => {
  const [row] = rowsOf([event('Created', '2026-03-01', { ...assigned, dueDate })], { dueEnd: 'instant' })
  expect(row).toMatchObject({ days_overdue: days, aging_bucket: bucket })
})

test('due soon is today and the days after it, of the open ones', () => {
  const dueSoon = (dueDate: string, dueSoonDays = 7, fields = {}): boolean | undefined =>
    rowsOf([event('Created', '2026-03-01', { ...assigned, dueDate, ...fields })], { dueSoonDays })[0]
      ?.due_soon
  expect([dueSoon('2026-05-01'), dueSoon('2026-05-08T23:59Z'), dueSoon('2026-05-09')]).toEqual([
    true,
    true,
    false,
  ])
  expect([dueSoon('2026-05-01', 0), dueSoon('2026-05-02', 0), dueSoon('2026-04-30')]).toEqual([
    true,
    false,
    false,
  ])
  expect(dueSoon('2026-05-01', 7, { isSubmitted: true })).toBe(false)
})

// Moved deadlines and regrades

test('a deadline has moved when it is not the first known one: removed counts, added and back again do not', () => {
  const moved = (...dueDates: (number | null)[]): boolean | undefined =>
    rowsOf(
      dueDates.map((dueDate, day) => event('Progress', `2026-03-0${day + 1}`, { ...assigned, dueDate })),
    )[0]?.deadline_moved
  const [a, b] = [at('2026-04-01'), at('2026-04-02')]
  expect([moved(a, b), moved(a, null), moved(null, a), moved(a, b, a), moved(null, a, b)]).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
})

test('regrades are the changes between consecutive graded events of this life', () => {
  const graded = (day: string, calculatedGrade: number, passed: boolean, isFullyGraded = true): Delivery =>
    event('Progress', day, { ...assigned, isFullyGraded, calculatedGrade, passed })
  const [row] = rowsOf([
    graded('2026-03-01', 40, false),
    graded('2026-03-02', 99, true, false),
    graded('2026-03-03', 40, false),
    graded('2026-03-04', 60, false),
    graded('2026-03-05', 60, true),
  ])
  expect(row?.regrades).toMatchObject([
    { at: at('2026-03-04'), grade_from: 40, grade_to: 60, passed_from: false, passed_to: false },
    { at: at('2026-03-05'), grade_from: 60, grade_to: 60, passed_from: false, passed_to: true },
  ])
})
