/** Set-up over the real store: until the first challenge event, and its facts on deliveries. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDashboards } from '../../dashboards/open-dashboards.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import type { PositionedRecord } from '../../services/event-log/event-log.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { settings, startPreview } from './ui/serve.ts'
import { charts } from './charts.ts'

const token = 'Zm9vYmFyYmF6cXV4cXV1eGNvcmdl'
const store = await openTestStore()
const pages = await openDashboards({
  charts,
  client: store.reader,
  settings,
  ingestUrl: () => `http://127.0.0.1:8080/webhooks/${token}`,
  isReady: () => true,
  onError: (error) => console.error(error),
})
afterAll(async () => {
  await pages.close()
  await store.close()
})
beforeEach(() => store.clear())

const read = async (path: string) => (await pages.app.request(path)).text()
const steps = (page: string) => [...page.matchAll(/<li><h2>/g)].length

async function receive(...bodies: Uint8Array[]): Promise<void> {
  const consumer = createConsumer({ client: store.writer })
  const from = await consumer.resumeFrom(0)
  const records = bodies.map((body, index): PositionedRecord => {
    return { ...toRecord(body, from + index), receivedAt: Date.now() }
  })
  await consumer.handle(toBatch(records))
}

test('shows the steps until the first challenge event, and then the latest webhooks', async () => {
  await receive(Buffer.from(`{"eventType":"rollcall.test","timestamp":${Date.now()}}`))
  const tried = await read('/')
  expect(tried).toContain('get your first event in')
  expect(steps(tried)).toBe(4)
  await receive(toBody('Created', 'a', monday))
  // The Overview shares answers for two seconds, by the clock of the machine; the set-up page does not.
  const [latest = '', connection = ''] = (await read('/setup')).split(
    '<details class="behind setup-part" id="connection">',
  )
  expect(latest).toContain('Latest webhooks')
  expect(latest).not.toContain('Wait for the first webhook')
  expect(steps(connection)).toBe(3)
})

test('says that an address of this machine works there only, and what happens to older assignments', async () => {
  const page = await read('/setup')
  expect(page).toContain('This address works on this machine only. Set PUBLIC_INGEST_URL')
  expect(page).toContain('Older assignments appear as soon as something happens to them.')
  const ingest_url = 'https://hooks.example.com/webhooks/x'
  const register = () => Promise.reject(new Error('not asked'))
  const connected = await startPreview({
    store,
    deps: (own) => ({
      setup: async () => ({ ...(await own.setup()), ingest_url }),
      register,
      fetchExisting: () => true,
    }),
  })
  const other = await (await connected.app.request('/setup')).text()
  await connected.close()
  expect(other).not.toMatch(/this machine only|Older assignments/)
  expect(other).toContain('Fetch existing assignments')
})

test('the address is masked until it is revealed, and hidden from print', async () => {
  const page = await read('/setup')
  expect(page).toContain('/webhooks/••••••••')
  const outside = page.replaceAll(/<details class="behind secret">.*?<\/details>/gs, '')
  expect(outside).not.toContain(token)
  expect(page).toContain(token)
})

test('deliveries show person, challenge and time; a failed one leads to what was sent', async () => {
  await receive(toBody('Created', 'a', monday), Buffer.from('{"eventType":"x","user":{"name":"Zoe Quist"}}'))
  const page = await read('/setup')
  expect(page).toContain('Ada Moreno</td>')
  expect(page).toContain('First call</td>')
  const [, id = ''] = /href="\/health\/failed\/([0-9a-f]{32})"/.exec(page) ?? []
  const failed = await read(`/health/failed/${id}`)
  expect(failed).toContain('timestamp must be')
  expect(failed).not.toContain('Zoe')
})

test.each(['/assignments', '/learners', '/challenges', '/teams', '/managers'])(
  '%s without assignments asks whether data arrive, and neither offers to clear filters nor has good news',
  async (path) => {
    await receive(toBody('Created', 'a', monday), toBody('Deleted', 'a', monday + 1))
    const html = await read(path)
    expect(html).toContain('Is data arriving?')
    expect(html).not.toMatch(/Clear them|Clear everything|Show all|[Nn]o one is overdue|class="marks"/)
  },
)
