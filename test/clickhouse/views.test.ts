import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractViews as contract, viewsWithParameters } from '../../schemas/clickhouse/contract.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore()
  const consumer = createConsumer({ client: store.writer })
  const bodies = [
    toBody('Created', 'a', monday, { dueDate: monday + day }, { groups: [{ id: 1, name: 'North' }] }),
    toBody('Created', 'a', monday, { dueDate: monday + day }, { groups: [{ id: 1, name: 'North' }] }),
    toBody('Completed', 'a', monday + 3 * day, {
      status: 'completed',
      isCompleted: true,
      completedAt: monday + 3 * day,
    }),
    toBody('Created', 'b', monday, {}, { id: 8, isDeleted: true, name: 'Bo Adeyemi' }),
    toBody('Created', 'c', monday),
    toBody('Deleted', 'c', monday + day),
    Buffer.from('{"eventType":"assignmentCreated.guide","timestamp":1767700000000}'),
    Buffer.from('{'),
  ]
  await consumer.handle(toBatch(bodies.map((body, offset) => toRecord(body, offset))))
})
afterAll(() => store.close())

describe('the analysts’ views', () => {
  test('are all there, each with a comment, and every column that can have one has one', async () => {
    const tables = await store.rows<{ name: string; comment: string }>(
      `SELECT name, comment FROM system.tables WHERE database = 'rollcall' AND engine = 'View'`,
    )
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining([...contract]))
    expect(tables.filter(({ comment }) => comment === '')).toEqual([])
    expect(
      await store.rows(
        `SELECT table, name FROM system.columns WHERE database = 'rollcall' AND comment = '' AND table IN {contract:Array(String)}`,
        { contract },
      ),
    ).toEqual([])
  })

  test('give the types that they declare', async () => {
    const types = (described: string) =>
      store
        .rows<{ name: string; type: string }>(`DESCRIBE TABLE ${described}`)
        .then((columns) => columns.map(({ name, type }) => `${name} ${type}`))
    for (const view of contract) {
      const parameters = viewsWithParameters.includes(view)
        ? `(as_of = now64(3), due_zone = 'UTC', due_end = 'instant', due_soon_days = 7)`
        : ''
      const declared = viewsWithParameters.includes(view) ? 'rollcall.assignments' : `rollcall.${view}`
      expect(await types(`(SELECT * FROM rollcall.${view}${parameters})`), view).toEqual(
        await types(declared),
      )
    }
  })

  test('hold no name and no e-mail, but for people', async () => {
    for (const view of contract.filter((name) => name !== 'people' && !viewsWithParameters.includes(name))) {
      expect(JSON.stringify(await store.rows(`SELECT * FROM rollcall.${view}`))).not.toMatch(
        /Ada|Bo Adeyemi|example\.com/,
      )
    }
    expect(JSON.stringify(await store.rows('SELECT * FROM rollcall.people'))).toMatch(
      /Ada Moreno.*ada@example\.com/,
    )
  })

  test('show guides and their assignments as they were observed last', async () => {
    const observed = (table: string, values: object[]) =>
      store.writer.insert({ table: `rollcall.${table}`, values, format: 'JSONEachRow' })
    await observed('guide_rows', [
      { guide_id: 'g', observed_at: '2026-01-05 00:00:00.000', title: 'Old' },
      { guide_id: 'g', observed_at: '2026-01-06 00:00:00.000', title: 'New' },
    ])
    await observed('guide_assignment_rows', [
      {
        assignment_id: 'x',
        observed_at: '2026-01-06 00:00:00.000',
        guide_id: 'g',
        user_id: '7',
        is_completed: true,
      },
      { assignment_id: 'x', observed_at: '2026-01-05 00:00:00.000', guide_id: 'g', user_id: '7' },
    ])
    expect(await store.rows('SELECT guide_id, title, created_at FROM rollcall.guides')).toEqual([
      { guide_id: 'g', title: 'New', created_at: null },
    ])
    expect(
      await store.rows('SELECT assignment_id, user_id, completed, score FROM rollcall.guide_assignments'),
    ).toEqual([{ assignment_id: 'x', user_id: '7', completed: true, score: null }])
  })
})
