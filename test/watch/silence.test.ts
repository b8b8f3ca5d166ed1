/** Quiet is told from broken by this store's own history. */
import { Registry } from 'prom-client'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { judgeSilence, toWeeksBefore, type SilenceFacts } from '../../schemas/silence.ts'
import { toDateTime } from '../../services/clickhouse/statements.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createStoreWatch } from '../../services/watch/watch-store.ts'
import { select } from '../../services/watch/statements.ts'
import type { PositionedRecord } from '../../services/event-log/event-log.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'

const hour = 3_600_000
const timeZone = 'Europe/Berlin'
/** Monday 13 April 2026, after the clocks went forward on 29 March: 09:00 in Berlin is 07:00 UTC. */
const now = Date.UTC(2026, 3, 13, 7)

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())

/** Office hours in Berlin: `perHour` events an hour, Monday to Friday from 08:00 to 17:00, over some weeks up to an instant. */
function officeHours({
  weeks,
  until,
  perHour = 10,
}: {
  weeks: number
  until: number
  perHour?: number
}): number[] {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  })
  const instants: number[] = []
  for (let at = until - weeks * 7 * day; at < until; at += hour) {
    const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]))
    const isOpen =
      !['Sat', 'Sun'].includes(parts['weekday'] ?? '') &&
      Number(parts['hour']) >= 8 &&
      Number(parts['hour']) < 17
    if (isOpen) for (let i = 0; i < perHour; i++) instants.push(at + (i * hour) / perHour)
  }
  return instants.filter((at) => at < until)
}

async function receive(instants: number[], source = 'main'): Promise<void> {
  const records = instants.map((at, offset): PositionedRecord => {
    return { ...toRecord(toBody('Created', `a${at}-${offset}`, monday), offset, source), receivedAt: at }
  })
  await createConsumer({ client: store.writer }).handle(toBatch(records))
}

async function judge(at: number) {
  const params = { now: toDateTime(at), weeks_before: toWeeksBefore(timeZone, at) }
  const [facts] = await select<SilenceFacts>(store.reader, 'silence', params)
  return judgeSilence(facts as SilenceFacts)
}

test('nothing on a working morning is broken; at night and on the weekend it is quiet, across a change of clocks', async () => {
  const friday = Date.UTC(2026, 3, 10, 15)
  await receive(officeHours({ weeks: 7, until: friday }))
  const lastAt = friday - 6 * 60_000
  // Saturday noon, Sunday night, Monday 07:59: nobody works then.
  for (const at of [now - 45 * hour, now - 8 * hour, now - 61 * 60_000]) {
    expect((await judge(at)).kind, new Date(at).toISOString()).toBe('quiet')
  }
  expect(await judge(now)).toMatchObject({ kind: 'broken', lastAt, low: 11, high: 11, windowSeconds: 86_400 })
  expect((await judge(friday)).kind).toBe('quiet')
})

test('a few minutes say nothing, an hour without the usual ten does', async () => {
  await receive(officeHours({ weeks: 5, until: now + hour }))
  const last = now + hour - 6 * 60_000
  expect(await judge(last + 60_000)).toMatchObject({ kind: 'arriving', lastAt: last })
  expect(await judge(last + hour)).toMatchObject({ kind: 'broken', low: 10, high: 10, windowSeconds: 3_600 })
})

test('says that it knows too little before three weeks of history, and nothing before the first event', async () => {
  expect(await judge(now)).toEqual({ kind: 'nothing_yet' })
  const friday = Date.UTC(2026, 3, 10, 15)
  await receive(officeHours({ weeks: 2, until: friday }))
  expect(await judge(now)).toMatchObject({ kind: 'too_little_history', weeks: 2 })
})

test('what reconciliation makes does not hide that the webhook is broken', async () => {
  const friday = Date.UTC(2026, 3, 10, 15)
  await receive(officeHours({ weeks: 7, until: friday }))
  await receive([now - 60_000], 'reconcile')
  expect((await judge(now)).kind).toBe('broken')
})

test('the metrics say it, and that the ledger adds up or not', async () => {
  const friday = Date.UTC(2026, 3, 10, 15)
  const registry = new Registry()
  const watch = createStoreWatch({ client: store.writer, timeZone, registry, now: () => now })
  const read = async (name: string) => {
    await watch.look()
    const [metric] = (await registry.getMetricsAsJSON()).filter((each) => each.name === name)
    return metric?.values[0]?.value
  }
  expect(await read('rollcall_silence_unusual')).toBe(0)
  await receive(officeHours({ weeks: 7, until: friday }))
  expect(await read('rollcall_silence_unusual')).toBe(1)
  expect(await read('rollcall_ledger_difference')).toBe(0)
  const consumer = createConsumer({ client: store.writer })
  await consumer.handle(toBatch([toRecord(toBody('Created', 'gap', monday), 100_000)]))
  expect(await read('rollcall_ledger_difference')).toBeGreaterThan(0)
})
