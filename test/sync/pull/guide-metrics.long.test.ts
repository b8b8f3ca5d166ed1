/** Guides in numbers, against the stand-in's own records, counted here once more and in another way. */
import { afterAll, describe, expect, test } from 'vitest'
import { guideParts, type GuidePart } from '../../../reporting/statements/guides.ts'
import { createQueries, type Queries } from '../../../reporting/queries/queries.ts'
import { insertRows } from '../../../services/clickhouse/insert-rows.ts'
import { createStoreApi, asDescribed } from '../../dashboards/api/described.ts'
import { startPlatform, type Platform } from '../../../sample-platform/start.ts'
import { createScope } from '../../model/scope.ts'
import { openTestStore } from '../../support/store/store.ts'
import { openInstallation } from './installation.ts'
import { ownReader } from '../../../reporting/read/reader.ts'

type Given = ReturnType<Platform['guides']['assignmentsAt']>[number]
type Answer = Awaited<ReturnType<Queries['guides']>>

// A fixed day: on some days nobody of this seed has left, or nothing is late.
const storyEndsAt = Date.parse('2026-11-20T12:00:00Z')
const from = storyEndsAt - 90 * 86_400_000

const store = await openTestStore()
const platform = await startPlatform({
  seed: 'readers',
  from,
  to: storyEndsAt,
  people: 80,
  callsPerHour: 100_000,
  userGroups: true,
})
await platform.deliverHistory()
const installation = openInstallation({ store, baseUrl: platform.baseUrl, pageSize: 50 })
for (const job of ['users', 'guides', 'guide-assignments']) {
  expect(await installation.jobs.run(job)).toMatchObject({ outcome: 'succeeded' })
}
await installation.close()
// Archived assignments are out of scope.
const given = platform.guides.assignmentsAt(platform.life.now()).filter(({ record }) => !record.isArchived)
/** The moment of the questions: after the pulls, or nobody would have been seen by then. */
const now = Date.now()
const api = asDescribed(createStoreApi(store, now))
afterAll(async () => {
  await platform.close()
  await store.close()
})

async function ask(query = ''): Promise<Answer> {
  const response = await api.request(`/guides${query}`)
  expect(response.status, query).toBe(200)
  return (await response.json()) as Answer
}

/** By the calendar of a zone. */
function dayOf(at: number, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at)
}

function countUp(all: Given[], { zone = 'UTC', end = 'end_of_day' } = {}) {
  const isLate = (due: number, at: number) =>
    end === 'instant' ? at > due : dayOf(at, zone) > dayOf(due, zone)
  let completed = 0
  let overdue = 0
  let inTime = 0
  const excluded = { no_due_date: 0, no_completion_time: 0, not_due_yet: 0 }
  for (const { record } of all) {
    const { isCompleted, completedAt, dueDate } = record
    if (isCompleted) completed++
    if (!isCompleted && dueDate !== null && isLate(dueDate, now)) overdue++
    if (dueDate === null) excluded.no_due_date++
    else if (isCompleted && completedAt === null) excluded.no_completion_time++
    else if (!isCompleted && !isLate(dueDate, now)) excluded.not_due_yet++
    else if (isCompleted && completedAt !== null && !isLate(dueDate, completedAt)) inTime++
  }
  const due = all.length - Object.values(excluded).reduce((sum, n) => sum + n, 0)
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole)
  return {
    assigned: { value: all.length },
    completed: { value: completed },
    overdue: { value: overdue },
    completion_rate: {
      value: share(completed, all.length),
      numerator: completed,
      denominator: all.length,
      excluded: {},
    },
    on_time_rate: { value: share(inTime, due), numerator: inTime, denominator: due, excluded },
  }
}

const isPresent = ({ person }: Given) => !person.isDeleted

describe('guides in numbers', () => {
  test('equal what the platform’s own records come to', async () => {
    const { metrics, unseen, pulled, as_of, sample } = await ask()
    expect(metrics).toEqual(countUp(given.filter(isPresent)))
    expect(metrics.overdue.value).toBeGreaterThan(0)
    expect(metrics.on_time_rate.numerator).toBeGreaterThan(0)
    expect([unseen, as_of, sample]).toEqual([0, new Date(now).toISOString(), false])
    expect(pulled).toEqual({ guides: expect.any(String), assignments: expect.any(String), changes: null })
  })

  test('leave out who has left, unless asked for', async () => {
    expect(given.some((one) => !isPresent(one))).toBe(true)
    expect((await ask('?include_leavers=true')).metrics).toEqual(countUp(given))
  })

  test.each([
    ['Pacific/Auckland', 'end_of_day'],
    ['America/Los_Angeles', 'end_of_day'],
    ['UTC', 'instant'],
  ])('are late by the end of the due day in %s, %s', async (zone, end) => {
    const answer = await ask(`?due_zone=${encodeURIComponent(zone)}&due_end=${end}`)
    expect(answer.metrics).toEqual(countUp(given.filter(isPresent), { zone, end }))
  })

  test('can be filtered by guide, person, team, and the people under a manager', async () => {
    const guide = platform.guides.list()[1]
    const person = given.find(isPresent)?.person
    const [team] = person?.groups ?? []
    const all = given.filter(isPresent)
    expect((await ask(`?guide=${guide?.id}`)).metrics).toEqual(
      countUp(all.filter((one) => one.guide === guide)),
    )
    expect((await ask(`?user=${person?.id}`)).metrics).toEqual(
      countUp(all.filter((one) => one.person === person)),
    )
    const inTeam = all.filter((one) => one.person.groups.some(({ id }) => id === team?.id))
    expect((await ask(`?team=${team?.id}`)).metrics).toEqual(countUp(inTeam))
    const inNone = all.filter((one) => one.person.groups.length === 0)
    expect((await ask('?without=team')).metrics).toEqual(countUp(inNone))
    const manager = all.flatMap((one) => one.person.managers)[0]
    const direct = all.filter((one) =>
      one.person.managers.includes(manager as (typeof one.person.managers)[number]),
    )
    expect((await ask(`?manager=${manager?.id}&manager_depth=1`)).metrics).toEqual(countUp(direct))
    expect((await ask('?guide=nothing')).metrics).toEqual(countUp([]))
  })

  test('have as many rows as each number says, a page at a time', async () => {
    const queries = createQueries(ownReader(store.reader))
    const team = given.find(isPresent)?.person.groups[0]?.id ?? ''
    for (const narrowed of [{}, { team: [team] }, { dueEnd: 'instant' as const }, { includeLeavers: true }]) {
      const scope = createScope(now, { now, ...narrowed })
      const { metrics } = await queries.guides(scope, [])
      const parts: Record<GuidePart, number> = {
        assigned: metrics.assigned.value,
        completed: metrics.completed.value,
        overdue: metrics.overdue.value,
        on_time: metrics.on_time_rate.numerator,
        decided: metrics.on_time_rate.denominator,
      }
      for (const part of guideParts) {
        const all = await queries.guideRows(scope, { guide: [], part, offset: 0, limit: 100_000 })
        expect([part, all.total, all.rows.length]).toEqual([part, parts[part], parts[part]])
        const rest = await queries.guideRows(scope, { guide: [], part, offset: 3, limit: 2 })
        // Behind the last row nobody counts.
        expect(rest).toEqual({ total: all.total > 3 ? all.total : 0, rows: all.rows.slice(3, 5) })
      }
    }
  })

  test('do not count what is archived or deleted, and say what the last full pull did not see', async () => {
    const before = await ask()
    const row = {
      guide_id: platform.guides.list()[0]?.id,
      user_id: '20001',
      observed_at: Date.now(),
      is_archived: false,
      is_deleted: false,
      due_date: 0,
      completed_at: 0,
      is_completed: true,
    }
    await insertRows(store.writer, 'guide_assignment_rows', [
      { ...row, assignment_id: 'archived', is_archived: true },
      { ...row, assignment_id: 'deleted', is_deleted: true },
      { ...row, assignment_id: 'gone since', observed_at: from },
    ])
    try {
      const after = await ask()
      expect(after.metrics.assigned.value).toBe(before.metrics.assigned.value + 1)
      expect(after.metrics.on_time_rate.excluded.no_due_date).toBe(
        before.metrics.on_time_rate.excluded.no_due_date + 1,
      )
      expect(after.unseen).toBe(1)
    } finally {
      await store.writer.command({
        query: `ALTER TABLE rollcall.guide_assignment_rows DELETE WHERE assignment_id IN ('archived', 'deleted', 'gone since') SETTINGS mutations_sync = 1`,
      })
    }
  })
})
