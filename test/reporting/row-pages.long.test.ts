/** Pages of rows are taken from signed rows and collapsed afterwards: exact however much was taken back since the last merge. */
import { afterAll, expect, test } from 'vitest'
import { createQueries } from '../../reporting/queries/queries.ts'
import type { RowCursor, RowOrder } from '../../reporting/scope/row-order.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createScope } from '../model/scope.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { pick } from '../support/tiers.ts'
import { ownReader } from '../../reporting/read/reader.ts'

const now = monday + 30 * day
const ids = ['a', 'b', 'c', 'd', 'e']

const store = await openTestStore()
await store.writer.command({ query: 'SYSTEM STOP MERGES rollcall.open_versions' })
const consumer = createConsumer({ client: store.writer })
await consumer.resumeFrom(0)
let offset = 0
// Each batch takes back five rows and gives five others: 400 rows in all, of which five hold.
for (let step = 0; step < 40; step++) {
  const records = ids.map((id, index) => {
    const fields = { createdAt: monday + index, dueDate: monday + 20 * day, completionPercentage: step }
    return toRecord(toBody('Progress', id, monday + step * 60_000, fields, { id: index }), offset++)
  })
  await consumer.handle(toBatch(records))
}
afterAll(() => store.close())

test('the store of this test holds far more signed rows than a page takes at first', async () => {
  const [counted] = await store.rows<{ n: string; held: string }>(
    'SELECT count() AS n, sum(sign) AS held FROM rollcall.open_versions',
  )
  expect(Number(counted?.n)).toBeGreaterThan(300)
  expect(counted?.held).toBe('5')
})

const orders: RowOrder[] = [
  { by: 'created', descending: true },
  { by: 'created', descending: false },
  { by: 'due', descending: true },
  { by: 'person', descending: false },
]

test.each(pick(orders, 2))(
  'every page holds the rows that hold, by keyset and by offset: %o',
  async (order) => {
    const queries = createQueries(ownReader(store.reader))
    const scope = createScope(now)
    const whole = await queries.assignments(scope, { order, limit: 100, withTotal: true })
    expect(whole.rows.map(({ assignment_id }) => assignment_id).toSorted()).toEqual(ids)
    expect(whole.rows.every(({ completion_percentage }) => completion_percentage === 39)).toBe(true)
    expect(whole).toMatchObject({ total: 5, units: 5, next: null })

    const [byKeyset, byOffset]: [string[], string[]] = [[], []]
    let cursor: RowCursor | null = null
    do {
      const page = await queries.assignments(scope, { order, cursor, limit: 2, withTotal: true })
      byKeyset.push(...page.rows.map(({ assignment_id }) => assignment_id))
      cursor = page.next
    } while (cursor !== null)
    for (let offset = 0; offset < 6; offset += 2) {
      const page = await queries.assignments(scope, { order, offset, limit: 2, withTotal: true })
      byOffset.push(...page.rows.map(({ assignment_id }) => assignment_id))
    }
    const all = whole.rows.map(({ assignment_id }) => assignment_id)
    expect([byKeyset, byOffset]).toEqual([all, all])
  },
)

test('an answer that was taken back whole is empty, and says so', async () => {
  const queries = createQueries(ownReader(store.reader))
  const scope = createScope(now, { user: ['nobody'] })
  expect(await queries.assignments(scope, { limit: 2, withTotal: true })).toMatchObject({
    rows: [],
    total: 0,
  })
})
