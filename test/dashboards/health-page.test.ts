/** Health over the real store: every number of the page agrees with the deliveries, and with the calls of the platform. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArrival, type Arrival } from '../../dashboards/arrival.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { readScreen, type Screen } from './read-screen.ts'
import { startPreview } from './ui/serve.ts'
import { ownReader } from '../../reporting/read/reader.ts'
import { createMemory } from '../../reporting/columns/follow.ts'
import { openSource } from '../../reporting/columns/source.ts'
import { createTelemetry } from '../../services/runtime/telemetry.ts'
import { addMemoryMetrics } from '../../dashboards/telemetry.ts'

const minute = 60_000
const hour = 60 * minute
const now = Date.UTC(2026, 1, 5, 12, 30, 30)

/** Happened so long before it arrived. */
const arrived = (id: string, agoMs: number, delayMs: number, assignment: Record<string, unknown> = {}) => ({
  body: toBody('Created', id, now - agoMs - delayMs, assignment),
  receivedAt: now - agoMs,
})
const first = arrived('a', 10 * minute, 2 * minute)
const sent = [
  {
    body: Buffer.from(`{"eventType":"rollcall.test","timestamp":${now - 60 * hour}}`),
    receivedAt: now - 60 * hour,
  },
  first,
  { ...arrived('b', 10 * minute, 2 * minute), oddRequest: '(address) (content-type)' },
  arrived('c', 5 * minute, 20 * minute, { status: 5 }),
  arrived('of yesterday', 30 * hour, hour, { numDaysOverdue: 2 }),
  { ...first, receivedAt: now - 4 * minute },
  { ...first, receivedAt: now - 3 * minute },
  { body: Buffer.from('Ada Moreno says hello'), receivedAt: now - 10_000 },
]

const store = await openTestStore()
afterAll(() => store.close())
const newArrival = (reader = ownReader(store.reader)) =>
  createArrival({ reader, timeZone: 'UTC', clock: () => now, bodies: 'withheld' })

/** A page, where these parts of the arrival are in place of the product's. */
async function read(change: Partial<Arrival> = {}, path = '/health', arrival = newArrival()) {
  const preview = await startPreview({
    store,
    deps: { arrival: { ...arrival, ...change } },
    clock: () => now,
  })
  const html = await (await preview.app.request(path)).text()
  await preview.close()
  return html
}

let html: string
let screen: Screen
beforeAll(async () => {
  const records = sent.map(({ body, ...more }, offset) => ({ ...toRecord(body, offset), ...more }))
  await createConsumer({ client: store.writer }).handle(toBatch(records))
  const insert = (table: string, values: readonly object[]) =>
    store.writer.insert({ table: `rollcall.${table}`, values: [...values], format: 'JSONEachRow' })
  const ago = (hours: number) => new Date(now - hours * hour).toISOString().slice(0, 23).replace('T', ' ')
  const checked = { checked_at: ago(3), outcome: 'compared', compared: 4 }
  const missed = { answered_at: now - 72 * hour, not_found_at: now - 71 * hour }
  const run = { started_at: ago(2), updated_at: ago(2) }
  const failed = { error_code: 'UNAUTHORIZED', error: 'The platform refuses the token (401).' }
  await insert('reconcile_checks', [
    { user_id: '7', ...checked },
    { user_id: '8', ...checked },
  ])
  await insert('reconcile_findings', [
    { found_at: ago(3), assignment_id: 'a', kind: 'missing', action: 'repaired' },
    { found_at: ago(3), assignment_id: 'b', kind: 'extra', action: 'waiting' },
    { found_at: ago(40 * 24), assignment_id: 'c', kind: 'stale', action: 'repaired' },
  ])
  await insert('platform_lists', [
    { list: 'guides', path: '/api/v1/guides', ...missed },
    { list: 'guide_assignments', path: '/a', ...missed },
    { list: 'changed_guide_assignments', path: '/b', not_allowed_at: now - hour },
  ])
  await insert('job_runs', [
    { job: 'users', state: 'succeeded', done: 249, ...run },
    { job: 'guides', state: 'failed', ...failed, ...run },
  ])
  html = await read({
    disks: () => [{ name: 'the data directory', free_bytes: 3 * 2 ** 30, total_bytes: 12.5 * 2 ** 30 }],
  })
  screen = readScreen(html)
})

/** The lines on top: how it is, what they say, and where they lead. */
const toVerdict = (page: string) =>
  [
    ...page.matchAll(/<li><strong class="status (\w+)">.*?<\/strong> (?:<a href="([^"]+)">|<span>)([^<]+)/g),
  ].map(([, level, to, says]) => [level, to, says])

test('opens what needs an action, and folds what is fine into one line', () => {
  const verdict = toVerdict(html)
  expect(verdict).toEqual([
    ['ok', undefined, 'Numbers are complete up to 5 Feb 2026, 13:30.'],
    ['ok', '#ledger', 'Every acknowledged webhook is accounted for: 8 so far.'],
    [
      'none',
      '#arriving',
      expect.stringMatching(/^No events since 13:25\. Whether that is usual is not known yet/),
    ],
    ['bad', '#failed', '1 webhook could not be read and is not counted.'],
    ['check', '#drift', expect.stringMatching(/^\d+ differences from the specification/)],
    ['check', '#contradictions', '1 webhook contradicts itself. No number changes.'],
    ['bad', '#pulls', 'A scheduled job failed.'],
  ])
  const [open = '', folded = ''] = html.split('<details class="behind health-fine">')
  expect(folded).toContain('All fine: ledger, comparison, system')
  for (const [, to = '#ledger'] of verdict)
    expect(to === '#ledger' ? folded : open).toContain(`id="${to.slice(1)}"`)
})

test.each([
  ['arriving', /4 webhooks in the last hour, 4 in the last 24 hours\./],
  ['arriving', /median 2 minutes, 90% under 20 minutes \(3 webhooks\)/],
  ['ledger', /6 webhooks received in the last 24 hours\. 33% were repeats, which count once\./],
  ['failed', /The body is not JSON\./],
  ['drift', /In another form than specified<span class="reason"><code>challengeAssignment\.status/],
  ['drift', /In another form than specified<span class="reason"><code>\(address\)/],
  ['contradictions', /Created, with values [^]*created_not_new/],
  ['contradictions', /isOverdue is false[^]*days_overdue_without_overdue/],
  ['reconciliation', /The assignments of 2 people were compared with the platform, last 3 hours ago\./],
  ['reconciliation', /The platform does not offer \/b\. Changes come with the daily pull\./],
  ['reconciliation', /The platform does not offer \/api\/v1\/guides\. Guides are given by their ID\./],
  ['pulls', /Users[^]*2 hours ago[^]*Done: 249/],
  ['pulls', /The platform refuses the token \(401\)\./],
  ['machines', new RegExp(`Rollcall 1\\.0\\.0, Node ${process.versions.node}, ClickHouse \\d`)],
])('%s shows %s', (id, words) => {
  expect(html.split(`<section class="figure health-block" id="${id}"`)[1]?.split('</section>')[0]).toMatch(
    words,
  )
})

test('has each count in its table', () => {
  expect(screen.table('arriving').flatMap(([at, , n]) => (n === '0' ? [] : [[at, n]]))).toEqual([
    ['5 Feb 2026, 13:00', '4'],
    ['4 Feb 2026, 07:00', '1'],
  ])
  expect(screen.table('ledger')).toEqual([
    ['main, last 24 hours', '', '', '3', '2', '1', '', ''],
    ['All, since the beginning', '8', '0', '5', '2', '1', '0', '0'],
  ])
  expect(screen.table('contradictions').map(([, ...times]) => times)).toEqual([
    ['4 Feb 2026, 07:30', '4 Feb 2026, 07:30', '1'],
    [expect.anything(), expect.anything(), '1'],
  ])
  expect(screen.table('reconciliation')).toEqual([
    ['The platform no longer lists it', 'repaired if it is still so next time', '1'],
    ['The platform has it, we did not', 'repaired', '1'],
  ])
  expect(screen.table('machines')).toEqual([['the data directory', '3 GiB', '12.5 GiB']])
  // Our own test event is expected, and no body is shown.
  expect(html).not.toMatch(/rollcall\.test|Ada Moreno says hello/)
})

test('says nothing about numbers before the first webhook; reports late numbers, lost webhooks and silence', async () => {
  const healthy = await newArrival().health()
  const { standing, ledger } = healthy
  const toPage = (all: Partial<typeof ledger.all>, more: Partial<typeof healthy>) => {
    const health = { ...healthy, ledger: { ...ledger, all: { ...ledger.all, ...all } }, ...more }
    return read({ health: () => Promise.resolve(health) })
  }
  const complete = { ...standing, complete_through: new Date(now).toISOString() }
  const empty = await toPage({ given: 0, lost: 0, difference: 0 }, { standing: complete })
  expect(toVerdict(empty).slice(0, 2)).toEqual([
    ['none', undefined, 'No webhooks yet.'],
    ['none', '#ledger', 'No acknowledged webhooks yet.'],
  ])
  const since = new Date(now - hour).toISOString()
  const late = { ...standing, complete_through: since, stalled_since: since, waiting: 412, reason: 'Full' }
  const silence = { kind: 'broken', lastAt: now - hour, low: 40, high: 60, windowSeconds: 3_600 } as const
  const bad = toVerdict(
    await toPage({ lost: 3 }, { standing: late, silence, failed: { ...healthy.failed, total: 0 } }),
  )
    .filter(([level]) => level === 'bad')
    .map(([, , says]) => says)
  expect(bad.join('\n')).toMatch(
    /412 webhooks are waiting since then[^]*reason: Full[^]*3 acknowledged webhooks are not accounted for\.[^]*No events since/,
  )
})

test('says that a disk is nearly full, and that the store is being read into memory', async () => {
  const memory = createMemory(openSource(store.reader), { now: () => now })
  const { registry } = createTelemetry()
  addMemoryMetrics(registry, memory.status)
  const arrival = newArrival(ownReader(store.reader, memory))
  const full = { disks: () => [{ name: 'the data directory', free_bytes: 1, total_bytes: 100 }] }
  const show = (changed: object, path?: string) =>
    read({ ...full, held: () => ({ ...arrival.held(), ...changed }) }, path, arrival)
  await memory.askHeld(async () => true)
  expect(await show({})).toContain('A disk is nearly full')
  expect(await registry.metrics()).toMatch(/rollcall_memory_versions 4[^]*rollcall_memory_queries_read 0/)
  const waiting = 'The store is being read into memory. Until then, pages take longer.'
  expect(await show({}, '/')).not.toContain(waiting)
  expect(await show({ isReading: true }, '/')).toContain(waiting)
})
