import { afterAll, expect, test } from 'vitest'
import { createScope } from '../../reporting/scope/parse-scope.ts'
import { createMemory } from '../../reporting/columns/follow.ts'
import { openSource } from '../../reporting/columns/source.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { isLong } from '../support/tiers.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import { readCompleteThrough } from '../../reporting/statements/standing.ts'
import { createRandom } from '../support/data/random.ts'

const store = await openTestStore()
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
      for (let offset = 0; answers < (isLong ? 40 : 4); offset++) {
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

test('pages say the same as the view, whatever logs were read and spools hold', async () => {
  const { uniform } = createRandom(isLong ? Date.now() : 1)
  const random = (below: number) => Math.floor(uniform() * below)
  const some = <Row>(most: number, make: () => Row): Row[] => Array.from({ length: random(most + 1) }, make)
  // Some are ahead of the clock.
  const at = () => ['1970-01-01', '2026-01-01', '2026-01-02', '2026-01-03', '2199-01-01'][random(5)]
  const told = new Set<number | string | null>()
  const toMoment = (ms: number | null) => (ms !== null && ms > Date.UTC(2026, 1) ? 'now' : ms)
  for (let round = 0; round < (isLong ? 300 : 40); round++) {
    await store.clear()
    const insert = (table: string, values: Record<string, unknown>[]) =>
      store.writer.insert({ table: `rollcall.${table}`, values, format: 'JSONEachRow' })
    const positions = some(4, () => {
      const log_begin = 10 * random(3)
      const first_offset = log_begin + random(9)
      return {
        log_partition: random(3),
        first_offset,
        next_offset: first_offset,
        log_begin,
        complete_through: at(),
      }
    })
    const place = () => ['log', 'spool', 'lost'][random(3)]
    const spools = some(3, () => {
      return { place: place(), holder: random(3), records: random(2), oldest_at: at(), emptied_at: at() }
    })
    await insert('log_positions', positions)
    await insert('waiting_rows', spools)
    const [row] = await store.rows<{ at: number | null }>(
      'SELECT toUnixTimestamp64Milli(complete_through) AS at FROM rollcall.complete_through',
    )
    const through = toMoment(await readCompleteThrough(ownReader(store.reader)))
    told.add(through)
    const ofView = toMoment(row?.at === null ? null : Number(row?.at))
    expect(through, JSON.stringify({ positions, spools })).toBe(ofView)
  }
  expect(told.size).toBeGreaterThan(3)
})
