/** The leftovers of a statement that failed after the embedded engine had begun to answer. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../support/store/store.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

test('what a statement had answered before it failed is in no answer of the next ones', async () => {
  const limits = { maxExecutionSeconds: 30, maxMemoryBytes: 2 ** 29, maxResultRows: 2_000_000, maxResultBytes: 2 ** 26 }
  const failing = 'SELECT throwIf(number = 900000), number FROM numbers(1000000)'
  const clients = { reader: store.reader, writer: store.writer, analyst: await store.openAnalyst(limits) }
  for (const [name, client] of Object.entries(clients)) {
    await expect(client.query({ query: failing, format: 'JSONEachRow' }), name).rejects.toThrow()
    const asked = Array.from({ length: 4 }, async (_, index) => {
      const result = await client.query({ query: `SELECT ${index} AS n`, format: 'JSONEachRow' })
      return result.json()
    })
    expect([name, await Promise.all(asked)]).toEqual([name, [0, 1, 2, 3].map((n) => [{ n }])])
  }
})
