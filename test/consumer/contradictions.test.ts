/** What is odd about a delivery: contradictions on their way into the column, to analysts, to Health and into no number; and fields that nobody knows. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readOddities } from '../../reporting/queries/health.ts'
import { contradictions } from '../../schemas/webhook/contradictions.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { reconcileSource } from '../../services/config/token.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { ownReader } from '../../reporting/read/reader.ts'

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())

type Kind = Parameters<typeof toBody>[0]
const completed = { isCompleted: true, completedAt: monday }

/** One delivery for each, with that contradiction alone. */
const each: Record<(typeof contradictions)[number]['name'], [Kind, Record<string, unknown>]> = {
  created_not_new: ['Created', { lastViewedAt: monday }],
  completed_event_without_completion: ['Completed', {}],
  status_completed_without_completion: ['Progress', { status: 'completed' }],
  status_failed_with_completion: ['Progress', { status: 'failed', ...completed }],
  on_time_without_completion: ['Progress', { isCompletedOnTime: true }],
  on_time_after_due_date: [
    'Completed',
    { ...completed, isCompletedOnTime: true, completedAt: monday + 3 * day, dueDate: monday + 3 * day - 1 },
  ],
  fully_and_partially_graded: ['Progress', { isFullyGraded: true, isPartiallyGraded: true }],
  completed_at_without_completion: ['Progress', { completedAt: monday }],
  days_overdue_without_overdue: ['Progress', { numDaysOverdue: 1 }],
  two_challenges: ['Deleted', { challengeId: 'c2' }],
}

const bodies = Object.entries(each).map(([name, [kind, assignment]]) =>
  toBody(kind, name, monday, assignment),
)
const consistent = [
  toBody('Created', 'new', monday),
  toBody('Completed', 'done on the due day', monday, {
    ...completed,
    isCompletedOnTime: true,
    completedAt: monday + day - 1,
    dueDate: monday,
  }),
  toBody('Progress', 'late', monday, { isOverdue: true, numDaysOverdue: 3, status: 'overdue' }),
]

const read = async (body: Uint8Array[], source = 'main') => {
  const records = body.map((one, offset) => toRecord(one, offset, source))
  await createConsumer({ client: store.writer }).handle(toBatch(records))
  return store.rows(
    'SELECT assignment_id, contradictions FROM rollcall.events ORDER BY event_type, assignment_id',
  )
}

test('analysts read each by its name, Health counts them, and a delivery that agrees with itself has none', async () => {
  expect((await readOddities(ownReader(store.reader))).contradictions).toEqual({ total: 0, lines: [] })
  const two = toBody('Completed', 'two at once', monday, { status: 'completed' })
  const twice = ['completed_event_without_completion', 'status_completed_without_completion']
  const rows = await read([...bodies, ...consistent, two])
  expect(rows).toHaveLength(bodies.length + consistent.length + 1)
  for (const row of rows as { assignment_id: string; contradictions: string[] }[]) {
    const own = row.assignment_id in each ? [row.assignment_id] : []
    expect(row.contradictions).toEqual(row.assignment_id === 'two at once' ? twice : own)
  }
  const { contradictions: found } = await readOddities(ownReader(store.reader))
  expect(found.total).toBe(bodies.length + 1)
  expect(found.lines.map(({ name, events }) => [name, events])).toEqual(
    contradictions.map(({ name }) => [name, twice.includes(name) ? 2 : 1]),
  )
})

test('what Rollcall made up, other events and unusable deliveries have none', async () => {
  const other = Buffer.from(
    Buffer.from(bodies[1] ?? [])
      .toString()
      .replace('.challenge"', '.guide"'),
  )
  expect(await read([other, Buffer.from('{')])).toEqual([{ assignment_id: null, contradictions: [] }])
  await store.clear()
  const rows = await read(bodies, reconcileSource)
  expect(rows).toHaveLength(bodies.length)
  expect(rows.every((row) => (row as { contradictions: string[] }).contradictions.length === 0)).toBe(true)
})

test('a field that nobody knows is counted, and a delivery is stored although that cannot be', async () => {
  let isRefused = true
  const client = new Proxy(store.writer, {
    get(target, name) {
      if (name !== 'insert') return Reflect.get(target, name) as unknown
      return (params: Parameters<typeof target.insert>[0]) =>
        isRefused && params.table.endsWith('drift_fields')
          ? Promise.reject(new Error('refused'))
          : target.insert(params)
    },
  })
  const consumer = createConsumer({ client })
  const receive = (offset: number, user: Record<string, unknown>) =>
    consumer.handle(toBatch([toRecord(toBody('Created', `a${offset}`, monday, {}, user), offset)]))
  await receive(0, { badge: 1 })
  isRefused = false
  await receive(1, {})
  await receive(2, { badge: 1 })
  await receive(3, { badge: 1 })
  expect(await store.rows('SELECT count() AS n FROM rollcall.assignments')).toEqual([{ n: '4' }])
  expect(
    await store.rows(
      `SELECT kind, path, sum(events) AS n, dateDiff('millisecond', min(first_seen), max(last_seen)) AS apart
       FROM rollcall.drift_fields GROUP BY kind, path`,
    ),
  ).toEqual([{ kind: 'unknown', path: 'user.badge', n: '2', apart: '1' }])
})
