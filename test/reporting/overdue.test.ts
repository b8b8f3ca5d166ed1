/** The numbers of the Overdue page beside the model: by person, manager, team, bucket and due day. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createQueries } from '../../reporting/queries/queries.ts'
import type { Overdue } from '../../reporting/statements/overdue.ts'
import { sampleHistory } from '../model/arbitrary/apart.ts'
import { computeAssignments, computeMetrics } from '../model/model.ts'
import { createScope, type Scope } from '../model/scope.ts'
import { addDays, localDate } from '../model/zones.ts'
import { loadHistory } from '../support/data/history.ts'
import { openTestStore } from '../support/store/store.ts'
import { isLong, pick } from '../support/tiers.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import { createMemory } from '../../reporting/columns/follow.ts'
import { openSource } from '../../reporting/columns/source.ts'

const asOf = Date.UTC(2026, 3, 8, 22)
const zones = { timeZone: 'Asia/Kathmandu', dueZone: 'Europe/Berlin' } as const
const scopes: Record<string, Scope> = {
  everything: createScope(asOf, zones),
  'with leavers, by the instant': createScope(asOf, { ...zones, includeLeavers: true, dueEnd: 'instant' }),
  'what is open, of a past moment': createScope(asOf - 5 * 86_400_000, {
    ...zones,
    now: asOf,
    fact: ['open'],
  }),
  'two buckets': createScope(asOf, { ...zones, aging: ['1-7', '15-30'] }),
}

const store = await openTestStore()
const memory = createMemory(openSource(store.reader, store.streamer))
const queries = createQueries(ownReader(store.reader, memory))
const history = sampleHistory(isLong ? 60 : 30, 5)
await loadHistory(store.writer, history, 1_000)
afterAll(() => store.close())

const rowsByScope = new Map<string, ReturnType<typeof computeAssignments>>()
function rowsOf(scope: Scope) {
  const key = JSON.stringify(scope)
  const rows = rowsByScope.get(key) ?? computeAssignments(history.deliveries, scope, history.pulledUsers)
  rowsByScope.set(key, rows)
  return rows
}
const lateOf = (scope: Scope) => rowsOf(scope).filter(({ overdue }) => overdue)
const toBucketCounts = ({ aging }: Overdue) => aging.map(({ count }) => count)

const cases = Object.entries(scopes).map(([name, scope]) => ({ name, scope }))

describe.each(pick(cases, 2))('$name', ({ scope }) => {
  let overdue: Overdue
  beforeAll(async () => {
    overdue = await queries.overdue(scope)
  })

  test('the total, the buckets and what could be overdue are the metrics', () => {
    const metrics = computeMetrics(history.deliveries, scope, history.pulledUsers)
    expect(metrics.overdue.value).toBeGreaterThan(2)
    expect(overdue.overdue).toBe(metrics.overdue.value)
    expect(toBucketCounts(overdue)).toEqual(metrics.aging.map(({ count }) => count))
    expect(overdue.open_with_due_date).toBe(metrics.overdue_rate.denominator)
  })

  test('a person has what the rows say, and the longest of it', () => {
    const expected = Map.groupBy(lateOf(scope), ({ user_id }) => user_id ?? '')
    expect(
      new Map(overdue.people.map((person) => [person.user_id, [person.overdue, person.most_days]])),
    ).toEqual(
      new Map(
        [...expected].map(([id, rows]) => [
          id,
          [rows.length, Math.max(...rows.map((row) => row.days_overdue ?? 0))],
        ]),
      ),
    )
    expect(overdue.people.map(({ most_days }) => most_days)).toEqual(
      overdue.people.map(({ most_days }) => most_days).toSorted((a, b) => b - a),
    )
  })

  test('a manager has what the direct reports have', () => {
    // The model takes all of the history for each of them.
    const groups = overdue.by_manager.filter(({ id }) => id !== '')
    expect(groups.length).toBeGreaterThan(0)
    for (const group of pick(groups, 4)) {
      const rows = lateOf({ ...scope, manager: [group.id], managerDepth: 1 })
      expect([group.id, group.overdue]).toEqual([group.id, rows.length])
    }
  })

  test('a due day has what falls due on it, and says what became of it', () => {
    const today = localDate(scope.dueZone, scope.asOf)
    expect(overdue.due_days.map(({ day }) => day)).toEqual(
      Array.from({ length: scope.aging.length > 0 ? 0 : 14 }, (_, index) => addDays(today, index)),
    )
    for (const { day, ...counts } of overdue.due_days) {
      const rows = rowsOf(scope).filter(({ due_day }) => due_day === day)
      expect({ day, ...counts }).toEqual({
        day,
        due: rows.length,
        handed_in: rows.filter(({ submitted }) => submitted).length,
        failed: rows.filter(({ failed, submitted }) => failed && !submitted).length,
        open: rows.filter(({ open }) => open).length,
      })
    }
  })

  test('single assignments of people are theirs, the longest overdue first', async () => {
    const users = overdue.people.flatMap(({ user_id }) => user_id || []).slice(0, 5)
    expect(users.length).toBeGreaterThan(0)
    for (const id of users) {
      const expected = lateOf(scope).filter(({ user_id }) => user_id === id)
      const days = expected.map(({ days_overdue }) => days_overdue ?? 0).sort((a, b) => b - a)
      const found = await queries.lateAssignments(scope, id, 2)
      expect([id, found.map(({ days_overdue }) => days_overdue)]).toEqual([id, days.slice(0, 2)])
    }
  })
})

test('of a part of a number only the overdue of its rows are found', async () => {
  const { overdue, lateAssignments } = queries
  const ofPart = { ...createScope(asOf, zones), part: { metric: 'aging', name: '8-14' } as const }
  const [all, part, aged] = await Promise.all([
    overdue(createScope(asOf, zones)),
    overdue(ofPart),
    overdue(createScope(asOf, { ...zones, aging: ['8-14'] })),
  ])
  expect(part.overdue).toBeGreaterThan(0)
  expect(part.overdue).toBeLessThan(all.overdue)
  expect(part.people).toEqual(aged.people)
  const [first] = part.people.filter(({ user_id }) => user_id !== '')
  expect(await lateAssignments(ofPart, first!.user_id, 1_000)).toHaveLength(first!.overdue)
})
