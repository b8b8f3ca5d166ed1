import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScope } from '../../reporting/scope/parse-scope.ts'
import { createMemory } from '../../reporting/columns/memory.ts'
import { openSource } from '../../reporting/columns/source.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { isThorough } from '../support/thorough.ts'
import { ownReader } from '../../reporting/read/reader.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

test.each(['statement', 'memory'])(
  'an answer by %s that is complete through an instant holds everything received by then, while more is stored',
  async (way) => {
    await store.clear()
    const consumer = createConsumer({ client: store.writer })
    const memory = way === 'memory' ? createMemory(openSource(store.reader, store.streamer)) : undefined
    const queries = createQueries(ownReader(store.reader, memory))
    const scope = createScope(monday + 60 * day, { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' })
    let isWriting = true
    let answers = 0
    const writing = (async () => {
      // One delivery a batch: its receipt says how many must be there.
      for (let offset = 0; answers < (isThorough ? 40 : 8); offset++) {
        await consumer.handle(toBatch([toRecord(toBody('Created', `a${offset}`, monday), offset)]))
      }
      isWriting = false
    })()
    const behind: string[] = []
    const readers = Array.from({ length: 3 }, async () => {
      while (isWriting) {
        const { complete_through, metrics } = await queries.metrics(scope)
        if (complete_through === null) continue
        answers++
        const stored = Date.parse(complete_through) - (monday + 30 * day) + 1
        if (metrics.assigned.value < stored) behind.push(`${metrics.assigned.value} of ${stored}`)
      }
    })
    await Promise.all([writing, ...readers])
    expect(behind).toEqual([])
  },
)
