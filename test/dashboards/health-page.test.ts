/** Health over the real store: every number of the page agrees with the deliveries, and with the calls of the platform. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArrival } from '../../dashboards/arrival.ts'
import type { DashboardsApp } from '../../dashboards/app.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { readScreen, type Screen } from './read-screen.ts'
import { startPreview } from './ui/serve.ts'
import { arrivalFixture, healthFixture } from './ui/health-fixture.ts'
import { Arriving } from '../../dashboards/pages/health/arriving.tsx'
import type { PageContext } from '../../dashboards/page-context.ts'
import { createFormat } from '../../language/format.ts'
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

let store: TestStore
let pages: DashboardsApp
let html: string
let screen: Screen
beforeAll(async () => {
  store = await openTestStore()
  const records = sent.map(({ body, ...more }, offset) => ({ ...toRecord(body, offset), ...more }))
  await createConsumer({ client: store.writer }).handle(toBatch(records))
  const moment = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ')
  const checked = { checked_at: moment(now - 3 * hour), outcome: 'compared', compared: 4 }
  await store.writer.insert({
    table: 'rollcall.reconcile_checks',
    values: ['7', '8'].map((user_id) => ({ user_id, ...checked })),
    format: 'JSONEachRow',
  })
  await store.writer.insert({
    table: 'rollcall.reconcile_findings',
    values: [
      { found_at: moment(now - 3 * hour), assignment_id: 'a', kind: 'missing', action: 'repaired' },
      { found_at: moment(now - 3 * hour), assignment_id: 'b', kind: 'extra', action: 'waiting' },
      { found_at: moment(now - 40 * 24 * hour), assignment_id: 'c', kind: 'stale', action: 'repaired' },
    ],
    format: 'JSONEachRow',
  })
  await store.writer.insert({
    table: 'rollcall.platform_lists',
    values: [
      { list: 'guides', path: '/api/v1/guides', answered_at: now - 72 * hour, not_found_at: now - 71 * hour },
      { list: 'guide_assignments', path: '/a', answered_at: now - 72 * hour, not_found_at: now - 71 * hour },
      { list: 'changed_guide_assignments', path: '/b', not_allowed_at: now - hour },
    ],
    format: 'JSONEachRow',
  })
  const run = { started_at: moment(now - 2 * hour), updated_at: moment(now - 2 * hour) }
  await store.writer.insert({
    table: 'rollcall.job_runs',
    values: [
      { job: 'users', state: 'succeeded', done: 249, ...run },
      {
        job: 'guides',
        state: 'failed',
        error_code: 'UNAUTHORIZED',
        error: 'The platform refuses the token (401).',
        ...run,
      },
    ],
    format: 'JSONEachRow',
  })
  const arrival = newArrival()
  const disks = () => [{ name: 'the data directory', free_bytes: 3 * 2 ** 30, total_bytes: 12.5 * 2 ** 30 }]
  pages = await startPreview({ store, deps: { arrival: { ...arrival, disks } }, clock: () => now })
  html = await (await pages.app.request('/health')).text()
  screen = readScreen(html)
})
afterAll(async () => {
  await pages?.close()
  await store?.close()
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

const newArrival = () =>
  createArrival({ reader: ownReader(store.reader), timeZone: 'UTC', clock: () => now, bodies: 'withheld' })

test('says nothing about numbers before the first webhook', async () => {
  const arrival = newArrival()
  const health = async () => {
    const { ledger, standing, ...answer } = await arrival.health()
    // It moves with the clock while nothing waits.
    const complete_through = new Date(now).toISOString()
    const all = { ...ledger.all, given: 0, lost: 0, difference: 0 }
    return { ...answer, standing: { ...standing, complete_through }, ledger: { ...ledger, all } }
  }
  const deps = { arrival: { ...arrival, disks: () => [], health } }
  const preview = await startPreview({ store, deps, clock: () => now })
  const page = await (await preview.app.request('/health')).text()
  await preview.close()
  expect(toVerdict(page).slice(0, 2)).toEqual([
    ['none', undefined, 'No webhooks yet.'],
    ['none', '#ledger', 'No acknowledged webhooks yet.'],
  ])
})

test('shows webhooks by minute and hour, and their delay', () => {
  for (const words of [
    '4 webhooks in the last hour, 4 in the last 24 hours.',
    'Peak: 2 per minute. The last bar is still filling.',
    'Peak: 4 per hour. The last bar is still filling.',
    'median 2 minutes, 90% under 20 minutes (3 webhooks)',
  ])
    expect(html).toContain(words)
  const hours = screen.table('arriving').filter(([, webhooks]) => webhooks !== '0')
  expect(hours).toEqual([
    ['5 Feb 2026, 13:00', '4'],
    ['4 Feb 2026, 07:00', '1'],
  ])
})

test('a load of history does not hide the other bars; without one the scale is linear', async () => {
  const bars = (counts: number[]) =>
    counts.map((count, i) => ({ at: new Date(now - (60 - i) * minute).toISOString(), count }))
  const show = async (counts: number[], p90_ms: number) => {
    const arrived = { minutes: bars(counts), hours: bars(counts), delay: { p50_ms: 1, p90_ms, count: 9 } }
    const context = { format: createFormat({ locale: 'en-GB', timeZone: 'UTC', now }) } as PageContext
    const element: { toString(): string } = Arriving({ context, health: { ...healthFixture, ...arrived } })
    const page = element.toString()
    const heights = [...page.matchAll(/<rect[^>]*height="([\d.]+)"/g)].map(([, height]) => Number(height))
    return { page, heights: heights.slice(0, counts.length) }
  }
  const loaded = await show([28_746, 1, 8, 2, 3], 153 * 24 * hour)
  expect(loaded.heights[0]).toBe(38)
  // A bar of 8 is higher than one of 2, and can be seen.
  expect(loaded.heights[2]).toBeGreaterThan(2 * (loaded.heights[1] ?? 0))
  expect(loaded.page).toContain('Logarithmic scale.')
  expect(loaded.page).toContain('This includes events from earlier days.')
  const usual = await show([40, 20, 10, 2, 3], hour)
  expect(usual.heights.slice(0, 3)).toEqual([38, 19, 9.5])
  expect(usual.page).not.toMatch(/Logarithmic|earlier days/)
})

test('shows the ledger with repeats', () => {
  expect(html).toContain('6 webhooks received in the last 24 hours. 33% were repeats, which count once.')
  expect(screen.table('ledger')).toEqual([
    ['main, last 24 hours', '', '', '3', '2', '1', '', ''],
    ['All, since the beginning', '8', '0', '5', '2', '1', '0', '0'],
  ])
})

test('shows failed events by reason, unexpected fields, and contradictions by the name for analysts', () => {
  expect(screen.table('failed')[0]?.[0]).toContain('The body is not JSON.')
  const drift = screen.table('drift').map(([what]) => what)
  // Our own test event is expected.
  expect(drift.join()).not.toContain('rollcall.test')
  for (const field of ['challengeAssignment.status', '(address)', '(content-type)'])
    expect(drift).toContainEqual(expect.stringContaining(`In another form than specified${field}`))
  expect(screen.table('contradictions')).toEqual([
    [
      expect.stringMatching(/Created, with values .*created_not_new/),
      '4 Feb 2026, 07:30',
      '4 Feb 2026, 07:30',
      '1',
    ],
    [
      expect.stringMatching(/isOverdue is false.*days_overdue_without_overdue/),
      expect.anything(),
      expect.anything(),
      '1',
    ],
  ])
  expect(html).not.toContain('Ada Moreno says hello')
})

test('shows the comparisons of 30 days, and lists that the platform does not offer', () => {
  expect(screen.text('reconciliation-title', 'finding')).toBe(
    'The assignments of 2 people were compared with the platform, last 3 hours ago.',
  )
  expect(screen.table('reconciliation')).toEqual([
    ['The platform no longer lists it', 'repaired if it is still so next time', '1'],
    ['The platform has it, we did not', 'repaired', '1'],
  ])
  expect(html).toContain('The platform does not offer /b. Changes come with the daily pull.')
  expect(html).toContain('The platform does not offer /api/v1/guides. Guides are given by their ID.')
})

test('shows the last success of each job, or why it failed', () => {
  const jobs = new Map(screen.table('pulls').map(([job = '', ...state]) => [job, state]))
  expect(jobs.get('Users')).toEqual(['2 hours ago', 'Done: 249'])
  expect(jobs.get('Guides')?.join(' ')).toContain('The platform refuses the token (401).')
})

test('shows disks, versions and what is cached in memory', async () => {
  const [store_version] = await store.rows<{ v: string }>('SELECT version() AS v')
  expect(html).toContain(`Rollcall 1.0.0, Node ${process.versions.node}, ClickHouse ${store_version?.v}.`)
  expect(screen.table('machines')).toEqual([['the data directory', '3 GiB', '12.5 GiB']])

  const memory = createMemory(openSource(store.reader), { now: () => now })
  const { registry } = createTelemetry()
  addMemoryMetrics(registry, memory.status)
  const reader = ownReader(store.reader, memory)
  const arrival = createArrival({ reader, timeZone: 'UTC', clock: () => now, bodies: 'withheld' })
  let changed = {}
  const held = () => ({ ...arrival.held(), ...changed })
  const disks = () => [{ name: 'the data directory', free_bytes: 1, total_bytes: 100 }]
  const preview = await startPreview({
    store,
    deps: { arrival: { ...arrival, held, disks } },
    clock: () => now,
  })
  const read = async (path = '/health') => (await preview.app.request(path)).text()
  await memory.askHeld(async () => true)
  expect(await read()).toMatch(/A disk is nearly full[^]*4 versions of assignments are cached in memory/)
  expect(await registry.metrics()).toMatch(
    /rollcall_memory_versions 4[^]*queries_read_total 0[^]*full_readings_total\{table="open_versions"\} 1/,
  )
  changed = { heldAt: null }
  expect(await read()).toContain('Nothing is cached in memory. Each query reads its rows from the store.')
  changed = { since: now }
  expect(await read()).toContain('Older ones are read when needed.')
  const waiting = 'The store is being read into memory. Until then, pages take longer.'
  expect(await read('/')).not.toContain(waiting)
  changed = { isReading: true }
  for (const path of ['/', '/health']) expect(await read(path)).toContain(waiting)
  await preview.close()
})

test('reports late numbers, lost webhooks and silence', async () => {
  const broken = await startPreview({ store, deps: { arrival: arrivalFixture({ isBroken: true }) } })
  const page = await (await broken.app.request('/health')).text()
  await broken.close()
  const bad = toVerdict(page).flatMap(([level, , says]) => (level === 'bad' ? [says] : []))
  expect(bad).toHaveLength(4)
  expect(bad.join('\n')).toMatch(
    /412 webhooks are waiting since then[^]*3 acknowledged webhooks are not accounted for\.[^]*No events since/,
  )
})
