/** Failed events as the API lists them and as pages show them, with the real store and the real replay. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApi } from '../../../dashboards/api/app.ts'
import type { DashboardsApp } from '../../../dashboards/app.ts'
import { readWrong } from '../../../digest/content/alerts.ts'
import { createArrival, type Arrival } from '../../../dashboards/arrival.ts'
import type { FailedEvents } from '../../../schemas/answers/deliveries.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { readSetup } from '../../../reporting/queries/setup.ts'
import { readFor } from '../../../reporting/queries/read-for.ts'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import { replayFailed } from '../../../services/jobs/replay.ts'
import type { LogRecord } from '../../../services/event-log/event-log.ts'
import { day, monday, toBatch, toBody, toRecord } from '../../support/data/records.ts'
import { openTestStore, type TestStore } from '../../support/store/store.ts'
import { startPreview } from '../ui/serve.ts'
import { asDescribed, type DescribedApi } from './described.ts'
import { follow } from '../../support/network/follow.ts'
import { ownReader } from '../../../reporting/read/reader.ts'

let store: TestStore
let arrival: Arrival
let api: DescribedApi
let pages: DashboardsApp
let log: LogRecord[]
const clock = () => monday + 31 * day

const { timestamp: _, ...untimed } = JSON.parse(
  Buffer.from(toBody('Created', 'a', monday)).toString(),
) as Record<string, unknown>
const records = [
  toRecord(Buffer.from(JSON.stringify(untimed)), 0, 'lms'),
  toRecord(Buffer.from('Ada Moreno says hello'), 1),
]
const [withoutTime, noJson] = records as [(typeof records)[0], (typeof records)[0]]

beforeAll(async () => {
  store = await openTestStore()
  const toArrival = (bodies: 'granted' | 'withheld') =>
    createArrival({
      reader: ownReader(store.reader),
      timeZone: 'UTC',
      clock,
      bodies,
      replay: (request) =>
        replayFailed({ client: store.writer, append: async (given) => void log.push(...given), ...request }),
    })
  arrival = toArrival('withheld')
  const scope = { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' } as const
  api = asDescribed(createApi({ queries: createQueries(ownReader(store.reader)), settings: scope, clock }))
  pages = await startPreview({ store, deps: { arrival }, clock })
})
afterAll(async () => {
  await pages.close()
  await store.close()
})
beforeEach(async () => {
  log = []
  await store.clear()
  await createConsumer({ client: store.writer }).handle(toBatch(records))
})

const getJson = async <Answer>(path: string) => (await (await api.request(path)).json()) as Answer
test('the owner is told by mail how many failed, in her language', async () => {
  const wrong = await readWrong({ arrival, timeZone: 'UTC', clock })
  expect(wrong).toMatchObject({
    failed_events: {
      en: '2 webhooks could not be read and are not counted.',
      de: '2 Webhooks waren nicht lesbar und zählen nicht.',
    },
  })
})

test('a delivery with two reasons is one delivery, on every page and in the mail', async () => {
  const both = toRecord(Buffer.from('{}'), 2)
  await createConsumer({ client: store.writer }).handle(toBatch([both]))
  const { total, reasons, events } = await getJson<FailedEvents>('/failed-events')
  expect(events.find(({ event_id }) => event_id === both.eventId)?.reasons.length).toBeGreaterThan(1)
  expect(total).toBe(3)
  expect(reasons.reduce((sum, reason) => sum + reason.events, 0)).toBeGreaterThan(3)
  expect((await readWrong({ arrival, timeZone: 'UTC', clock })).failed_events?.en).toMatch(/^3 webhooks/)
  expect(await (await pages.app.request('/health')).text()).toContain('3 webhooks could not be read')
  expect((await readSetup(ownReader(store.reader), null)).totals.failed).toBe(3)
})

describe('failed events', () => {
  test('the API lists failed events by reason with count, first and last seen, and the newest of one reason', async () => {
    const { reasons, events } = await getJson<FailedEvents>('/failed-events?reason=no_timestamp')
    expect(reasons).toMatchObject(
      [
        { reason: 'no_timestamp', events: 1, sources: ['lms'], first_seen: '2026-02-04T00:00:00.000Z' },
        { reason: 'not_json', events: 1 },
      ].sort((a, b) => a.reason.localeCompare(b.reason)),
    )
    expect(events).toMatchObject([{ event_id: withoutTime.eventId, reasons: ['no_timestamp'] }])
    expect((await api.request('/failed-events?reason=Ada')).status).toBe(400)
    expect((await api.request('/failed-events?limit=x&odd=1')).status).toBe(400)
    expect((await api.request('/failed-events?limit=&odd=')).status).toBe(200)
  })

  test('show their body masked, and whole only where that is granted', async () => {
    const event = await arrival.failedEvent(withoutTime.eventId)
    expect(event).toMatchObject({ is_masked: true, is_cut: false, source: 'lms' })
    expect(event?.body).toContain('"eventType": "assignmentCreated.challenge"')
    expect(event?.body).not.toMatch(/Ada|Moreno|example\.com/)
    expect((await arrival.failedEvent(noJson.eventId))?.body).toBe('xxx xxxxxx xxxx xxxxx')
    expect(await arrival.failedEvent('0'.repeat(32))).toBeNull()
    const options = { timeZone: 'UTC', clock, bodies: 'granted' as const }
    const granted = createArrival({ reader: ownReader(store.reader), ...options })
    expect((await granted.failedEvent(noJson.eventId))?.body).toBe('Ada Moreno says hello')
    const nameless = readFor(store.reader, { audience: () => ({ people: 'all', names: false }) })
    const masked = createArrival({ reader: nameless, ...options })
    expect((await masked.failedEvent(noJson.eventId))?.is_masked).toBe(true)
    const narrow = readFor(store.reader, {
      audience: () => ({ people: { under: ['7'], teams: [], teamsOf: [] }, names: true }),
    })
    await expect(createArrival({ reader: narrow, ...options }).failedEvent(noJson.eventId)).rejects.toThrow()
  })
})

describe('the pages', () => {
  const read = async (path: string, init?: RequestInit) => {
    const response = await pages.app.request(path, init)
    return { status: response.status, html: await response.text() }
  }
  const post = (fields: Record<string, string>) =>
    read('/health/replay', { method: 'POST', body: new URLSearchParams(fields) })

  test('a replay is tried first; the second button does it', async () => {
    const which = `id:${withoutTime.eventId}`
    const fix = JSON.stringify({ timestamp: monday })
    expect((await post({ which, fix: '' })).html).toContain('0 of 1 failed event can be used like this.')
    const tried = await post({ which, fix })
    expect(tried.html).toContain('1 of 1 failed event can be used like this.')
    expect(log).toEqual([])
    const done = await pages.app.request('/health/replay', {
      method: 'POST',
      body: new URLSearchParams({ which, fix, step: 'do' }),
    })
    const told = await follow(done, (path, cookie) => pages.app.request(path, { headers: { cookie } }))
    expect(await told.text()).toContain('went to the event log')
    expect(log).toHaveLength(1)
    expect((await post({ which: 'odd', fix: '' })).status).toBe(400)
    const wrong = await post({ which, fix: '<script>' })
    expect(wrong.status).toBe(400)
    expect(wrong.html).not.toContain('<script>"')
    expect(wrong.html).toContain('&lt;script&gt;')
  })

  test('where replay is not offered the page names the command', async () => {
    const { replay: _replay, ...without } = arrival
    const other = await startPreview({ store, deps: { arrival: without }, clock })
    expect(await (await other.app.request('/health')).text()).toContain('rollcall replay')
    expect(
      (
        await other.app.request('/health/replay', {
          method: 'POST',
          body: new URLSearchParams({ which: 'all' }),
        })
      ).status,
    ).toBe(404)
    await other.close()
  })
})
