/** The most work that one body makes for the consumer, counted: rows that are written, and letters of the statements that are sent. */
import type { ClickHouseClient } from '@clickhouse/client'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { pick } from '../support/tiers.ts'

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())

const maxBytes = 1_048_576

/** Keys are 64-bit integers. */
function toText(params: unknown): string {
  return JSON.stringify(params, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

function countWork(client: ClickHouseClient) {
  const work = { rows: 0, letters: 0 }
  const counting = new Proxy(client, {
    get(target, name: keyof ClickHouseClient) {
      const method = target[name] as (...args: unknown[]) => unknown
      return (...args: [{ values?: unknown[]; query_params?: unknown }]) => {
        if (name === 'insert') work.rows += args[0].values?.length ?? 0
        if (name === 'query') work.letters += toText(args[0].query_params ?? {}).length
        return method.apply(target, args)
      }
    },
  })
  return { counting, work }
}

const references = (count: number, pad = 0) =>
  Array.from({ length: count }, (_, at) => ({
    id: at + 10,
    ...(pad > 0 && { name: `${at}`.padEnd(pad, 'x') }),
  }))
const long = 'x'.repeat(maxBytes - 2_000)

const bodies: Record<string, Uint8Array> = {
  'a hundred thousand reports': toBody('Created', 'a', monday, {}, { directReports: references(70_000) }),
  'three lists as long as are read': toBody(
    'Created',
    'a',
    monday,
    {},
    {
      groups: references(1_000, 100),
      managers: references(1_000, 100),
      directReports: references(1_000, 100),
    },
  ),
  'a person with a long id': toBody('Created', 'a', monday, {}, { id: long }),
  'a manager with a long id': toBody('Created', 'a', monday, {}, { managers: [{ id: long }] }),
  'a long assignment id': toBody('Created', long, monday),
  'a long title': Buffer.from(toBody('Created', 'a', monday).toString().replace('First call', long)),
  'a long event type': Buffer.from(
    toBody('Created', 'a', monday).toString().replace('assignmentCreated', long),
  ),
  'deep nesting': Buffer.from(
    toBody('Created', 'a', monday)
      .toString()
      .replace('{', `{"x":${'['.repeat(500_000)}${']'.repeat(500_000)},`),
  ),
}

test.each(pick(Object.keys(bodies), 2))(
  'is stored by a bounded number of rows and letters: %s',
  async (name) => {
    const body = bodies[name] as Uint8Array
    expect(body.byteLength).toBeLessThanOrEqual(maxBytes)
    const next = toBody('Created', 'next', monday, {}, { id: 9 })
    const { counting, work } = countWork(store.writer)
    const consumer = createConsumer({ client: counting })
    await consumer.handle(toBatch([toRecord(body, 0), toRecord(next, 1)]))
    expect(work.rows).toBeLessThan(4_000)
    expect(work.letters).toBeLessThan(100_000)
    const [stored] = await store.rows(`SELECT sum(stored + failed) AS n FROM rollcall.ledger`)
    expect(stored).toEqual({ n: '2' })
  },
)

test('what thousands of lists say of many people is asked in parts, with the same result', async () => {
  const lists = Array.from({ length: 40 }, (_, at) =>
    toBody(
      'Created',
      `list-${at}`,
      monday + at,
      {},
      {
        id: 'boss',
        directReports: references(30).filter(({ id }) => (id + at) % 3 > 0),
      },
    ),
  )
  const answers: unknown[] = []
  for (const maxJoinedRows of [undefined, 200]) {
    await store.clear()
    let asked = 0
    const counting = new Proxy(store.writer, {
      get(target, name: keyof ClickHouseClient) {
        const method = target[name] as (...args: unknown[]) => unknown
        return (...args: [{ query?: string }]) => {
          if (name === 'query' && args[0].query?.includes('{pairs:String}')) asked++
          return method.apply(target, args)
        }
      },
    })
    const people = createPeople(counting, maxJoinedRows === undefined ? {} : { maxJoinedRows })
    const consumer = createConsumer({ client: store.writer, people })
    await consumer.handle(toBatch(lists.map((body, index) => toRecord(body, index))))
    answers.push(
      await store.rows(
        'SELECT manager_id, report_id, valid_from, valid_to, is_there, sum(sign) AS n FROM rollcall.link_versions GROUP BY ALL HAVING n != 0 ORDER BY ALL',
      ),
    )
    // Looked at twice: the second time to see that nobody else has changed it. 40 lists and a pair of one's own: 5 pairs each.
    expect(asked).toBe(maxJoinedRows === undefined ? 2 : 12)
  }
  expect((answers[0] as unknown[]).length).toBeGreaterThan(300)
  expect(answers[1]).toEqual(answers[0])
})
