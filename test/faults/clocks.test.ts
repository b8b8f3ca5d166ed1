/** The one rule for clocks: no written time is earlier than the one before it of the same key, and nothing is complete in the future. */
import { afterAll, expect, test } from 'vitest'
import { storeSettings } from '../../services/clickhouse/stored-settings.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createWaitingReport } from '../../services/watch/reports.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'

const store = await openTestStore()
afterAll(() => store.close())
const now = Date.now()
const ahead = now + 3 * day

test('waiting deliveries: a report of a clock that was set back is not earlier than the one before', async () => {
  const report = createWaitingReport(store.writer)
  for (const [at, expected] of [
    [ahead, ahead],
    [now, ahead + 1],
  ] as const) {
    await report.write([{ partition: 0, records: 1, oldestMs: 0 }], undefined, at)
    const [row] = await store.rows(
      `SELECT toUnixTimestamp64Milli(max(reported_at)) AS at FROM rollcall.waiting_rows
      SETTINGS output_format_json_quote_64bit_integers = 0`,
    )
    expect(row).toEqual({ at: expected })
  }
})

test('settings: those of the last start count', async () => {
  const values = [{ name: 'time_zone', value: 'Asia/Tokyo', set_at: ahead }]
  await store.writer.insert({ table: 'rollcall.settings', values, format: 'JSONEachRow' })
  await storeSettings(store.writer, { time_zone: 'Europe/Berlin' })
  expect(
    await store.rows(`SELECT argMax(value, set_at) AS zone FROM rollcall.settings WHERE name = 'time_zone'`),
  ).toEqual([{ zone: 'Europe/Berlin' }])
})

test('positions: `complete_through` is at most the time of the store, and no later row is recorded earlier', async () => {
  let clock = ahead
  const consumer = createConsumer({ client: store.writer, now: () => clock })
  const read = async () => {
    const [row] = await store.rows<{ through: number; recorded: number }>(
      `SELECT toUnixTimestamp64Milli(argMax(complete_through, recorded_at)) AS through,
        toUnixTimestamp64Milli(max(recorded_at)) AS recorded
        FROM rollcall.log_positions WHERE first_offset = next_offset
        SETTINGS output_format_json_quote_64bit_integers = 0`,
    )
    return row!
  }
  await consumer.resumeFrom(0)
  const record = { ...toRecord(toBody('Created', 'a', monday), 0), receivedAt: ahead }
  await consumer.handle({ ...toBatch([record]), caughtUp: ahead })
  await consumer.caughtUp(0, 1, ahead + 10_000)
  expect((await read()).through).toBeLessThanOrEqual(Date.now())
  const [view] = await store.rows<{ ok: number }>(
    'SELECT complete_through <= now64(3) AS ok FROM rollcall.complete_through',
  )
  expect(view).toEqual({ ok: 1 })

  clock = now
  const next = createConsumer({ client: store.writer, now: () => clock })
  const before = await read()
  await next.resumeFrom(0)
  await next.caughtUp(0, 1, now)
  expect(await read()).toEqual({ through: now, recorded: before.recorded + 1 })
})
