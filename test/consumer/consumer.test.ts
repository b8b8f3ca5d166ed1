import type { ClickHouseClient } from '@clickhouse/client'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { isLong, pick } from '../support/tiers.ts'

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())

/** The state of the tables, whatever parts, duplicates and pairs of signs hold it. Offsets and batches are not part of it. */
async function readState() {
  const signed = (table: string) =>
    store.rows(
      `SELECT * EXCEPT (sign, img), sum(sign) AS n FROM rollcall.${table} GROUP BY ALL HAVING n != 0 ORDER BY ALL`,
    )
  return {
    events: await store.rows(
      'SELECT DISTINCT * EXCEPT (log_partition, log_offset, received_at) FROM rollcall.event_rows ORDER BY ALL',
    ),
    failed: await store.rows(
      'SELECT DISTINCT event_id, reasons, body FROM rollcall.failed_event_rows ORDER BY ALL',
    ),
    open: await signed('open_versions'),
    closed: await signed('closed_versions'),
    users: await signed('user_versions'),
    links: await signed('link_versions'),
  }
}

async function readLedger() {
  const [ledger] = await store.rows(
    `SELECT sum(l.stored) AS stored, sum(l.repeated) AS repeated, sum(l.failed) AS failed
     FROM rollcall.log_positions FINAL ARRAY JOIN ledger AS l`,
  )
  return ledger
}

/** Stores bodies in this order, in batches of these sizes (the last size repeats). */
async function storeInBatches(
  bodies: Uint8Array[],
  sizes: number[],
  client: ClickHouseClient = store.writer,
) {
  const consumer = createConsumer({ client })
  let offset = await consumer.resumeFrom(0)
  for (let start = 0, batch = 0; start < bodies.length; batch++) {
    const size = Math.max(1, sizes[Math.min(batch, sizes.length - 1)] ?? 1)
    const records = bodies.slice(start, start + size).map((body) => toRecord(body, offset++))
    await consumer.handle(toBatch(records))
    start += size
  }
}

const history: Uint8Array[] = [
  toBody('Created', 'a', monday, {}, { groups: [{ id: 1, name: 'North' }], managers: [{ id: 8 }] }),
  toBody('Progress', 'a', monday + day, { status: 'in_progress', completionPercentage: 40 }),
  toBody(
    'Progress',
    'a',
    monday + 8 * day,
    { status: 'needs_grading', isSubmitted: true },
    { groups: [{ id: 2, name: 'South' }] },
  ),
  toBody('Completed', 'a', monday + 9 * day, {
    status: 'completed',
    isCompleted: true,
    isSubmitted: true,
    isFullyGraded: true,
    calculatedGrade: 88,
  }),
  toBody('Created', 'b', monday, { dueDate: null }),
  toBody('Deleted', 'b', monday + 2 * day),
  toBody('Progress', 'b', monday + 3 * day, { status: 'in_progress' }),
  toBody('Created', 'b', monday + 4 * day, { createdAt: monday + 4 * day }, { isDeleted: true }),
  toBody('Progress', 'c', monday + day, { createdAt: null }, { id: 8, name: 'Bo', directReports: [] }),
  toBody('Progress', 'c', monday + day, { createdAt: null, status: 'in_progress' }, { id: 8, name: 'Bo' }),
  Buffer.from('{"eventType":"userDeleted","timestamp":1767700000000,"user":{"id":8}}'),
  Buffer.from('{"eventType":"assignmentCreated.challenge"}'),
  Buffer.from([0x7b, 0xff, 0x22]),
]

type Cut = 'before' | 'after' | 'for good'

/** Where samples of drift go: a batch does not depend on it. */
const harmless = 'rollcall.drift_fields'

describe('the consumer', () => {
  test('gives identical tables for any permutation, duplication and batching of the same deliveries', async () => {
    await storeInBatches(history, [history.length])
    const expected = await readState()
    expect(expected.open).toHaveLength(3)
    expect(expected.failed).toHaveLength(2)
    expect(expected.links).toHaveLength(2)
    const shuffled = fc.tuple(
      fc.shuffledSubarray([...history, ...history], { minLength: history.length * 2 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
    )
    await fc.assert(
      fc.asyncProperty(shuffled, async ([bodies, sizes]) => {
        await store.clear()
        await storeInBatches(bodies, sizes)
        expect(await readState()).toEqual(expected)
      }),
      { numRuns: isLong ? 12 : 1, seed: isLong ? 8 : 7 },
    )
  })

  test('ends with identical tables after a failure at any step: before it took effect, after it, or with all that follow', async () => {
    await storeInBatches(history, [7])
    const expected = await readState()
    const steps = await countInserts(() => store.clear())
    const ways: Cut[] = ['before', 'after', 'for good']
    const cuts = Array.from({ length: steps }, (_, index) => index + 1).flatMap((step) =>
      ways.map((when) => ({ step, when })),
    )
    // No multiple of three, so that a run takes the ways in turn.
    for (const { step, when } of pick(cuts, 50)) {
      await store.clear()
      await expect(storeInBatches(history, [7], failingAt(step, when))).rejects.toThrow('cut off')
      // The rest is replayed from the recorded position, as a restart does, in other batches than before.
      const consumer = createConsumer({ client: store.writer })
      const from = await consumer.resumeFrom(0)
      const records = history.map((body, offset) => toRecord(body, offset)).slice(from)
      for (let start = 0; start < records.length; start += 4) {
        await consumer.handle(toBatch(records.slice(start, start + 4)))
      }
      expect(await readState()).toEqual(expected)
      expect(await readLedger()).toEqual({ stored: '11', repeated: '0', failed: '2' })
    }
  })

  test('keeps what cannot be used as failed events, other families as events, and counts repeats', async () => {
    const guide =
      '{"eventType":"assignmentCreated.guide","timestamp":1767700000000,"challengeAssignment":{"id":"x"}}'
    const [a, b, unusable, notJson] = [0, 4, 11, 12].map((n) => history[n]) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ]
    await storeInBatches([a, a, b, a, unusable, unusable, notJson, Buffer.from(guide)], [2])
    expect(await readLedger()).toEqual({ stored: '3', repeated: '3', failed: '2' })
    const toHex = (body: Uint8Array) => Buffer.from(body).toString('hex').toUpperCase()
    expect(
      await store.rows(
        'SELECT DISTINCT reasons, hex(body) AS body FROM rollcall.failed_event_rows ORDER BY length(body) DESC',
      ),
    ).toEqual([
      { reasons: ['no_timestamp', 'no_assignment_id'], body: toHex(unusable) },
      { reasons: ['not_json'], body: toHex(notJson) },
    ])
    expect((await readState()).open).toHaveLength(2)
  })

  test('counts deliveries whose source is no name of a token under a name of its own', async () => {
    const sources = [
      '(lost)',
      '',
      'a\0b',
      "'; DROP TABLE rollcall.event_rows --",
      'x'.repeat(100_000),
      'main',
    ]
    const records = sources.map((source, n) => toRecord(toBody('Created', `a${n}`, monday), n, source))
    await createConsumer({ client: store.writer }).handle(toBatch(records))
    expect(
      await store.rows(
        'SELECT source, sum(l.stored) AS n FROM rollcall.ledger AS l GROUP BY ALL ORDER BY ALL',
      ),
    ).toEqual([
      { source: 'main', n: '1' },
      { source: 'unknown', n: '5' },
    ])
    expect(await store.rows('SELECT lost, difference FROM rollcall.ledger_total')).toEqual([
      { lost: '0', difference: '0' },
    ])
  })

  test('writes nothing more once its partition has gone to another consumer', async () => {
    const consumer = createConsumer({ client: store.writer })
    const batch = { ...toBatch([toRecord(history[0] as Uint8Array, 0)]), isStale: () => true }
    await expect(consumer.handle(batch)).rejects.toMatchObject({ code: 'PARTITION_LOST' })
    expect(await consumer.resumeFrom(0)).toBe(0)
  })
})

type Insert = () => ReturnType<ClickHouseClient['insert']>

/** The store's own client. `around` does the n-th insert. */
function withInserts(around: (insert: Insert, n: number) => ReturnType<Insert>): ClickHouseClient {
  let inserts = 0
  return new Proxy(store.writer, {
    get(client, property) {
      const value = Reflect.get(client, property) as unknown
      if (property !== 'insert') return typeof value === 'function' ? value.bind(client) : value
      return (params: Parameters<ClickHouseClient['insert']>[0]) => {
        const insert = () => client.insert(params)
        return params.table === harmless ? insert() : around(insert, ++inserts)
      }
    },
  })
}

const failWith = (code: string) => Object.assign(new Error('cut off'), { code })

/**
 * The process ends at the n-th insert: before it, or after it took effect but before it was confirmed; or nothing that was
 * still to come reaches the store either.
 */
const failingAt = (step: number, when: Cut) =>
  withInserts(async (insert, own) => {
    if (when === 'for good' ? own >= step : when === 'before' && own === step) throw failWith('GIVEN_UP')
    const result = await insert()
    if (own === step) throw failWith('GIVEN_UP')
    return result
  })

async function countInserts(reset: () => Promise<void>): Promise<number> {
  await reset()
  let inserts = 0
  const counting = withInserts((insert, n) => {
    inserts = n
    return insert()
  })
  await storeInBatches(history, [7], counting)
  return inserts
}
