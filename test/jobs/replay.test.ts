import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { type FailedSelection, replayFailed } from '../../services/jobs/replay.ts'
import { insertRows } from '../../services/clickhouse/insert-rows.ts'
import type { LogRecord, PositionedRecord } from '../../services/event-log/event-log.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())

const readAll = async () => ({
  events: await store.rows('SELECT * FROM rollcall.events ORDER BY event_id'),
  failed: await store.rows('SELECT * FROM rollcall.failed_events ORDER BY event_id'),
  ledger: await store.rows('SELECT * FROM rollcall.ledger ORDER BY source, hour'),
  assignments: await store.rows(
    'SELECT assignment_id, state FROM rollcall.open_versions GROUP BY ALL HAVING sum(sign) > 0 ORDER BY assignment_id',
  ),
  users: await store.rows('SELECT * FROM rollcall.people ORDER BY user_id'),
})

describe('failed events', () => {
  const unusable = toRecord(Buffer.from('{"eventType": "assignmentCreated.challenge"}'), 0)
  const usable = toRecord(toBody('Created', 'a1', monday), 1, 'lms')

  /** As left by an older version, which could not read all that this one can. */
  async function storeAsFailed(record: PositionedRecord): Promise<void> {
    const row = {
      event_id: record.eventId,
      received_at: record.receivedAt,
      source: record.source,
      reasons: ['no_timestamp'],
      problems: ['timestamp must be epoch milliseconds'],
      log_partition: 0,
      log_offset: record.offset,
      body_base64: Buffer.from(record.body).toString('base64'),
    }
    await insertRows(store.writer, 'failed_event_rows', [row])
    const ledger = [{ source: record.source, hour: 0, stored: 0, repeated: 0, failed: 1 }]
    const place = { log_partition: 0, first_offset: record.offset, next_offset: record.offset + 1 }
    await insertRows(store.writer, 'log_positions', [
      { ...place, recorded_at: 0, complete_through: 0, ledger },
    ])
  }

  test('that can be used now become events, with the same bytes, id and time of receipt, and leave the failed ones', async () => {
    const consumer = createConsumer({ client: store.writer })
    await consumer.handle(toBatch([unusable]))
    await storeAsFailed(usable)
    const log: LogRecord[] = []
    const append = async (records: LogRecord[]) => void log.push(...records)
    expect(await replayFailed({ client: store.writer, append, dryRun: true })).toMatchObject({
      read: 2,
      usable: 1,
    })
    expect(log).toEqual([])

    const result = await replayFailed({ client: store.writer, append, dryRun: false })
    expect(result).toEqual({
      read: 2,
      usable: 1,
      unfixable: {},
      reasons: { no_timestamp: 1, no_assignment_id: 1 },
    })
    expect(log).toEqual([
      {
        key: 'a1',
        eventId: usable.eventId,
        source: 'lms',
        receivedAt: usable.receivedAt,
        body: Buffer.from(usable.body),
      },
    ])
    const positioned = log.map((record, index) => ({ ...record, offset: 2 + index }))
    await consumer.handle(toBatch(positioned))
    const { events, failed, assignments } = await readAll()
    expect(events).toMatchObject([{ event_id: usable.eventId, source: 'lms' }])
    expect(failed).toMatchObject([{ event_id: unusable.eventId }])
    expect(assignments).toMatchObject([{ assignment_id: 'a1' }])
    expect(await store.rows('SELECT given, lost, difference FROM rollcall.ledger_total')).toEqual([
      { given: '3', lost: '0', difference: '0' },
    ])

    // Nothing is left to do; and a replay of records that the consumer had not come to yet would only have been a repeat.
    expect(await replayFailed({ client: store.writer, append, dryRun: false })).toMatchObject({
      read: 1,
      usable: 0,
    })
    await consumer.handle(toBatch(positioned.map((record) => ({ ...record, offset: record.offset + 1 }))))
    expect(await readAll()).toMatchObject({
      events: [{ event_id: usable.eventId }],
      assignments: [{ assignment_id: 'a1' }],
    })
  })
})

describe('failed events with a fix', () => {
  const broken = ['a', 'b'].map((id, offset) => {
    const { timestamp: _, ...rest } = JSON.parse(
      Buffer.from(toBody('Created', id, monday)).toString(),
    ) as Record<string, unknown>
    return toRecord(Buffer.from(JSON.stringify(rest)), offset, 'lms')
  })
  const other = toRecord(Buffer.from('no json'), 2)
  const fix = { timestamp: monday }

  test('become events of their own and leave the failed ones once those are stored; the others stay', async () => {
    const consumer = createConsumer({ client: store.writer })
    await consumer.handle(toBatch([...broken, other]))
    const log: LogRecord[] = []
    const append = async (records: LogRecord[]) => void log.push(...records)
    const run = (dryRun: boolean, only?: FailedSelection) =>
      replayFailed({ client: store.writer, append, dryRun, only, fix })
    const failedIds = async () => (await readAll()).failed.map((row) => row['event_id'])

    expect(await run(true, { reason: 'no_timestamp' })).toMatchObject({ read: 2, usable: 2, reasons: {} })
    expect(await run(true)).toMatchObject({ read: 3, usable: 2, unfixable: { [notJson]: 1 } })
    expect(await run(true, { ids: [] })).toMatchObject({ read: 0 })
    expect(await run(true, { ids: [other.eventId] })).toMatchObject({ read: 1, usable: 0 })
    expect(log).toEqual([])
    expect(await store.rows('SELECT * FROM rollcall.failed_event_fixes')).toEqual([])

    expect(await run(false, { ids: [broken[0]?.eventId ?? ''] })).toMatchObject({ read: 1, usable: 1 })
    expect(log).toMatchObject([{ key: 'a', source: 'lms', receivedAt: broken[0]?.receivedAt }])
    expect(log[0]?.eventId).not.toBe(broken[0]?.eventId)
    // Before it is stored, the failed event is one.
    expect(await failedIds()).toHaveLength(3)
    await run(false, { ids: [broken[0]?.eventId ?? ''] })
    expect(log[1]?.eventId).toBe(log[0]?.eventId)
    await consumer.handle(toBatch(log.map((record, index) => ({ ...record, offset: 3 + index }))))
    expect(new Set(await failedIds())).toEqual(new Set([broken[1]?.eventId, other.eventId]))
    expect((await readAll()).assignments).toMatchObject([{ assignment_id: 'a' }])
    expect(await store.rows('SELECT given, lost, difference FROM rollcall.ledger_total')).toEqual([
      { given: '5', lost: '0', difference: '0' },
    ])
  })
})

const notJson = 'It is not JSON, or nested too deeply, so no field of it can be changed.'
