/**
 * A delivery that the store refuses delays no other. The refusals are real: a constraint on a table makes the engine refuse what
 * it would take otherwise, as it would refuse bytes that it cannot read.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { StoreError } from '../../services/clickhouse/errors/store-error.ts'
import { createConsumer, type ConsumerOptions } from '../../services/consumer/consumer.ts'
import { replayFailed } from '../../services/jobs/replay.ts'
import type { LogRecord, PositionedRecord } from '../../services/event-log/event-log.ts'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { isComplete, pick } from '../support/tiers.ts'

const isHttp = process.env['ROLLCALL_TEST_STORE'] === 'http'
let store: TestStore
let added: { table: string; name: string }[] = []
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())
beforeEach(() => store.clear())
afterEach(async () => {
  for (const { table, name } of added) {
    await store.writer.command({ query: `ALTER TABLE rollcall.${table} DROP CONSTRAINT ${name}` })
  }
  added = []
})

/** From now on the engine takes only rows of this table for which it holds. */
async function takeOnly(table: string, condition: string): Promise<void> {
  const name = `only_${added.length}`
  await store.writer.command({
    query: `ALTER TABLE rollcall.${table} ADD CONSTRAINT ${name} CHECK ${condition}`,
  })
  added.push({ table, name })
}

/** The culprit is of assignment "poison", of a person, team, manager and challenge of that name. */
const poisonedUser = {
  id: 'poison',
  name: 'poison',
  groups: [{ id: 'poison', name: 'poison' }],
  managers: [{ id: 'poison boss' }],
}
const poison = toPoison()
function toPoison(): Uint8Array {
  const body = Buffer.from(
    toBody('Created', 'poison', monday + day, { challengeId: 'poison' }, poisonedUser),
  ).toString()
  return Buffer.from(
    body.replace(
      '"challenge":{"id":"c1","displayTitle":"First call"}',
      '"challenge":{"id":"poison","displayTitle":"poison"}',
    ),
  )
}
const notJson = Buffer.from('{ not JSON, poison')

const others: Uint8Array[] = [
  toBody('Created', 'a', monday, {}, { groups: [{ id: 1, name: 'North' }], managers: [{ id: 8 }] }),
  toBody('Created', 'b', monday),
  toBody('Progress', 'a', monday + 2 * day, { status: 'in_progress', completionPercentage: 40 }),
  Buffer.from('{"eventType":"userDeleted","timestamp":1767700000000,"user":{"id":8}}'),
  Buffer.from('[]'),
  toBody('Completed', 'a', monday + 3 * day, { status: 'completed', isCompleted: true }),
]
const deliveries = [
  others[0],
  others[1],
  poison,
  others[2],
  others[3],
  others[4],
  poison,
  others[5],
] as Uint8Array[]

/** `retries`: how often a batch that failed is delivered again, from the position on. */
async function storeInBatches(
  bodies: readonly Uint8Array[],
  size: number,
  { retries = 0, ...options }: Partial<ConsumerOptions> & { retries?: number } = {},
): Promise<PositionedRecord[]> {
  const consumer = createConsumer({ client: store.writer, ...options })
  const records = bodies.map((body, offset) => toRecord(body, offset))
  let failures = 0
  for (let next = await consumer.resumeFrom(0); next < records.length; next = await consumer.resumeFrom(0)) {
    await consumer.handle(toBatch(records.slice(next, next + size))).catch((error: unknown) => {
      if (++failures > retries) throw error
    })
  }
  return records
}

/** Everything that is kept of deliveries, whatever parts, repeats and pairs of signs hold it. */
async function readState() {
  const signed = (table: string) =>
    store.rows(
      `SELECT * EXCEPT (sign, img), sum(sign) AS n FROM rollcall.${table} GROUP BY ALL HAVING n != 0 ORDER BY ALL`,
    )
  return {
    events: await store.rows(
      'SELECT * EXCEPT (log_offset, received_at) FROM rollcall.event_rows FINAL ORDER BY ALL',
    ),
    bodies: await store.rows('SELECT event_id, body FROM rollcall.event_bodies FINAL ORDER BY ALL'),
    observations: await store.rows('SELECT * FROM rollcall.user_observations FINAL ORDER BY ALL'),
    failed: await store.rows(
      'SELECT event_id, reasons, problems, body FROM rollcall.failed_event_rows FINAL ORDER BY ALL',
    ),
    open: await signed('open_versions'),
    closed: await signed('closed_versions'),
    users: await signed('user_versions'),
    links: await signed('link_versions'),
    ledger: await store.rows(
      'SELECT given, stored, repeated, failed, lost + difference AS difference FROM rollcall.ledger_total',
    ),
    shown: await store.rows(
      'SELECT event_id, reasons, body_bytes FROM rollcall.failed_events ORDER BY event_id',
    ),
  }
}

const crash = new Error('ended')
const ended = Object.assign(crash, { code: 'ECONNREFUSED' })

/** The store's client, until the process has sent so many statements. */
function endAfter(statements: number): ClickHouseClient {
  let left = statements
  return withEach((_, send) => (left-- > 0 ? send() : Promise.reject(ended)))
}

/** The store's client; inserts for which it holds are not sent, and fail. */
function failWhen(holds: (table: string, params: object) => boolean): ClickHouseClient {
  return withEach((params, send) => {
    const table = 'table' in params ? String(params.table).replace('rollcall.', '') : ''
    return holds(table, params) ? Promise.reject(unclear) : send()
  })
}

function withEach(use: (params: object, send: () => Promise<unknown>) => Promise<unknown>): ClickHouseClient {
  const methods = ['query', 'insert', 'command'] as const
  const client = Object.create(store.writer) as ClickHouseClient
  for (const method of methods) {
    const send = store.writer[method].bind(store.writer) as (params: object) => Promise<unknown>
    Object.assign(client, { [method]: (params: object) => use(params, () => send(params)) })
  }
  return client
}

function toUuid(eventId = ''): string {
  return eventId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The condition of each table that the culprit breaks, and nothing else. */
const refusals: Record<string, string> = {
  event_rows: `assignment_id != 'poison'`,
  event_bodies: `position(body, '"poison"') = 0`,
  user_observations: `user_id != 'poison'`,
  names: `name != 'poison'`,
  open_versions: `assignment_id != 'poison'`,
  user_versions: `user_id != 'poison'`,
  link_versions: `manager_id != 'poison boss'`,
}

describe('a delivery that the store refuses', () => {
  /** The tables where the culprit has never come. */
  let without: object
  beforeAll(async () => {
    await store.clear()
    await storeInBatches(others, others.length)
    const { failed: _failed, shown: _shown, ledger: _ledger, ...tables } = await readState()
    without = tables
  })

  // Which of an answer's errors are refusals is the same for every table: over HTTP a usual run takes one, here others.
  for (const [table, condition] of pick(Object.entries(refusals), isHttp ? 5 : 3, isHttp ? 3 : 1)) {
    test(`for ${table} becomes a failed event, and everything else is stored as if it had never come`, async () => {
      await takeOnly(table, condition)
      const records = await storeInBatches(deliveries, deliveries.length)
      const { failed, shown, ledger, ...tables } = await readState()
      const refused = failed.find((row) => String(row['body']).includes('poison'))
      expect(refused).toEqual({
        event_id: toUuid(records[2]?.eventId),
        reasons: ['not_storable'],
        problems: [
          expect.stringContaining(
            `refuses what it becomes: VIOLATED_CONSTRAINT (writing to rollcall.${table})`,
          ),
        ],
        body: Buffer.from(poison).toString(),
      })
      expect(String(refused?.['problems'])).not.toContain('poison')
      expect(shown.map((row) => row['reasons'])).toContainEqual(['not_storable'])
      expect(ledger).toEqual([{ given: '8', stored: '5', repeated: '1', failed: '2', difference: '0' }])
      expect(tables).toEqual(without)
    })
  }
})

/** The consumer's statements do not depend on the transport: once is enough. */
if (!isHttp) {
  test('a refused delivery becomes an event once the store takes it, and leaves the failed ones', async () => {
    await takeOnly('names', refusals['names'] ?? '')
    const records = await storeInBatches(deliveries, deliveries.length)
    await store.writer.command({ query: 'ALTER TABLE rollcall.names DROP CONSTRAINT only_0' })
    added = []
    const appended: LogRecord[] = []
    const append = (replayed: LogRecord[]) => Promise.resolve(void appended.push(...replayed))
    const result = await replayFailed({ client: store.writer, append, dryRun: false })
    expect(result).toMatchObject({ read: 2, usable: 1, reasons: { not_an_object: 1 } })
    expect(appended.map(({ eventId }) => eventId)).toEqual([records[2]?.eventId])
    const consumer = createConsumer({ client: store.writer })
    await consumer.handle(toBatch(appended.map((record, at) => ({ ...record, offset: records.length + at }))))
    const { shown, open } = await readState()
    expect(shown.map((row) => row['reasons'])).toEqual([['not_an_object']])
    expect(open.map((row) => row['assignment_id'])).toContain('poison')
  })

  test('a refused delivery stays an event when it was stored before', async () => {
    const records = await storeInBatches(deliveries, deliveries.length)
    const before = await readState()
    await takeOnly('names', refusals['names'] ?? '')
    await createConsumer({ client: store.writer }).handle(
      toBatch([{ ...(records[2] as PositionedRecord), offset: 8 }]),
    )
    const { ledger, ...after } = await readState()
    expect(ledger).toEqual([{ given: '9', stored: '6', repeated: '2', failed: '1', difference: '0' }])
    expect(after).toEqual({ ...before, ledger: undefined })
  })

  test('a refused delivery leaves the same tables after a crash at any statement', async () => {
    await takeOnly('open_versions', refusals['open_versions'] ?? '')
    await storeInBatches(deliveries, deliveries.length)
    const expected = await readState()
    await store.clear()
    // Each try gets a little further than the one before, on the tables that it has left.
    let crashes = 0
    for (let statements = 5; ; statements += isComplete ? 11 : 71) {
      const crashed = await storeInBatches(deliveries, deliveries.length, {
        client: endAfter(statements),
      }).then(
        () => false,
        (error: unknown) => {
          expect(error).toBe(crash)
          return true
        },
      )
      if (!crashed) break
      crashes++
    }
    expect(crashes).toBeGreaterThan(1)
    expect(await readState()).toEqual(expected)
  })
}

describe('a failed event that the store refuses', () => {
  test('is kept in a reduced form that the store accepts', async () => {
    await takeOnly('failed_event_rows', `NOT arrayExists(problem -> position(problem, 'JSON') > 0, problems)`)
    const odd = { ...toRecord(notJson, 1, 'm\u00e4in'), eventId: 'not an id' }
    const consumer = createConsumer({ client: store.writer })
    await consumer.handle(toBatch([toRecord(others[0] as Uint8Array, 0), odd]))
    const { failed, events, ledger } = await readState()
    expect(events.length).toBe(1)
    expect(failed).toEqual([
      {
        event_id: toUuid(toEventId(notJson)),
        reasons: ['not_json', 'not_storable'],
        problems: [expect.stringMatching(/^The store refuses what it becomes: /)],
        body: notJson.toString(),
      },
    ])
    expect(ledger).toEqual([{ given: '2', stored: '1', repeated: '0', failed: '1', difference: '0' }])
  })
})

describe('an error of the store that no delivery caused', () => {
  test('is retried: nothing is set aside, and no position is recorded', async () => {
    await store.writer.command({ query: 'RENAME TABLE rollcall.names TO rollcall.elsewhere' })
    try {
      await expect(storeInBatches(deliveries, deliveries.length)).rejects.toMatchObject({ code: '60' })
      expect(await store.rows('SELECT 1 FROM rollcall.log_positions')).toEqual([])
      expect((await readState()).shown.map((row) => row['reasons'])).toEqual([['not_an_object']])
    } finally {
      await store.writer.command({ query: 'RENAME TABLE rollcall.elsewhere TO rollcall.names' })
    }
    await storeInBatches(deliveries, deliveries.length)
    expect((await readState()).ledger).toMatchObject([{ failed: '1', difference: '0' }])
  })
})

/** An error of which nothing says whose fault it is, as the engine may have one that nobody has met yet. */
const unclear = new StoreError('49', 'LOGICAL_ERROR', 'LOGICAL_ERROR: not yet met')

describe.skipIf(isHttp)('an error without a known cause', () => {
  const isAboutPoison = (params: object) => JSON.stringify(params).includes('poison')

  test('sets a delivery aside that fails three times', async () => {
    const options = { client: failWhen((table, params) => table === 'names' && isAboutPoison(params)) }
    // The delivery is there twice.
    await expect(storeInBatches(deliveries, deliveries.length, { ...options, retries: 1 })).rejects.toBe(
      unclear,
    )
    await storeInBatches(deliveries, deliveries.length, { ...options, retries: 4 })
    const { shown, ledger, failed } = await readState()
    expect(shown.map((row) => row['reasons'])).toContainEqual(['not_storable'])
    expect(failed.flatMap((row) => row['problems'] as string[])).toContain(
      'The store refuses what it becomes: LOGICAL_ERROR: not yet met.',
    )
    expect(ledger).toEqual([{ given: '8', stored: '5', repeated: '1', failed: '2', difference: '0' }])
  })

  test('of every table is retried: nothing is set aside', async () => {
    const client = failWhen(() => true)
    const consumer = createConsumer({ client })
    const batch = toBatch(deliveries.map((body, offset) => toRecord(body, offset)))
    for (let tries = 0; tries < 5; tries++) await expect(consumer.handle(batch)).rejects.toBe(unclear)
    const { failed, ledger } = await readState()
    expect(failed).toEqual([])
    expect(ledger).toMatchObject([{ given: '0' }])
  })
})
