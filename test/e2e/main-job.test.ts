/**
 * The main job as a user has it: the stand-in platform sends months of history over HTTP to the running product, and what the
 * API and the page say is what the platform itself knows. The same in both ways to run.
 */
import { expect, onTestFinished, test } from 'vitest'
import { startPlatform } from '../../sample-platform/start.ts'
import { openBrowser, reader } from '../support/browser/browser.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { openProduct, type Mode } from '../support/processes/product.ts'
import { isLong } from '../support/tiers.ts'
import { computeFromTruth, readNumbers } from './platform-truth.ts'

const from = Date.parse('2026-06-01T00:00:00Z')
const to = Date.parse('2026-09-01T10:00:00Z')
const asOf = new Date(to).toISOString()
const instant = `toDateTime64('2026-09-01 10:00:00', 3, 'UTC')`

/** The processes apart are the subject of the long run. */
const broker = isLong ? await findBroker() : undefined

/** The views of the contract, without what no two runs can have in common: when something arrived, and how often. */
const views = {
  events: `SELECT * EXCEPT (received_at) FROM rollcall.events ORDER BY event_id`,
  assignments: `SELECT * FROM rollcall.assignments_all_as_of(as_of = ${instant}, due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7) ORDER BY assignment_id`,
  users: `SELECT * FROM rollcall.users ORDER BY user_id`,
  people: `SELECT * FROM rollcall.people ORDER BY user_id`,
  failed_events: `SELECT event_id, reasons FROM rollcall.failed_events ORDER BY event_id`,
  ledger: `SELECT source, sum(l.stored) AS stored, sum(l.failed) AS failed FROM rollcall.ledger AS l GROUP BY source`,
  ledger_total: `SELECT waiting, stored, failed, lost, difference FROM rollcall.ledger_total`,
}
type Contents = Record<string, unknown[]>

async function runMainJob(mode: Mode): Promise<Contents> {
  // All processes start at once, without a schema: who depends on another waits for it.
  const product = await openProduct(mode, { broker, isMigrated: false })
  onTestFinished(() => product.dispose())
  const platform = await startPlatform({
    seed: 'main job',
    people: 18,
    from,
    to,
    url: product.ingestUrl,
    faults: { duplicates: 0.05, reordering: 0.05, delay: 0.01, loss: 0, malformed: 0.01 },
    retry: true,
  })
  onTestFinished(() => platform.close())
  await platform.deliverHistory()
  const truth = computeFromTruth(platform.truth())
  expect(truth.overdue).toBeGreaterThan(5)
  expect(truth.awaiting_grading).toBeGreaterThan(3)
  const read = async (path: string) => (await fetch(`${product.dashboardUrl}${path}`)).text()

  // The API gives the numbers that the platform’s own state gives.
  const mean_grade = expect.closeTo(truth.mean_grade, 9) as number
  expect(await readNumbers(product, to)).toEqual({ ...truth, mean_grade })

  // The page shows the same in a real browser, and asks no other origin.
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage(reader)
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(product.dashboardUrl)) foreign.push(request.url())
  })
  await page.goto(`${product.dashboardUrl}/?as_of=${asOf}`)
  const headline = async (id: string) =>
    (await page.locator(`section[aria-labelledby="headline-${id}"]`).innerText()).replaceAll(/\s+/g, ' ')
  expect(await headline('overdue')).toContain(String(truth.overdue))
  expect(await headline('completion')).toContain(`${truth.completed} of ${truth.assigned}`)
  expect(await headline('on-time')).toContain(truth.on_time.join(' of '))
  expect(foreign).toEqual([])

  // As many rows as the number says.
  const rows = `/api/assignments?as_of=${asOf}&fact=overdue`
  expect(JSON.parse(await read(rows))).toMatchObject({ total: truth.overdue })
  expect((await read(`${rows}&format=csv`)).trim().split(/\r?\n/)).toHaveLength(truth.overdue + 1)

  // Every delivery is acknowledged and stored, a repeat or failed, and Home says how many could not be read.
  const count = (name: string, outcomes: string[]) =>
    Promise.all(outcomes.map(async (outcome) => (await product.metric(name, `outcome="${outcome}"`)) ?? 0))
  const [stored = 0, repeats = 0, failed = 0] = await count('rollcall_consumer_deliveries_total', [
    'stored',
    'duplicate',
    'failed',
  ])
  const taken = await count('rollcall_ingest_requests_total', ['accepted', 'failed'])
  expect(repeats).toBeGreaterThan(0)
  expect(failed).toBeGreaterThan(0)
  expect(stored + repeats + failed).toBe(taken.reduce((a, b) => a + b, 0))
  const home = await read('/')
  const today = /<time datetime="([\d-]{10})T/.exec(home)?.[1] ?? ''
  const { events } = JSON.parse(await read('/api/failed-events?limit=1000')) as {
    events: { received_at: string }[]
  }
  expect(events.length).toBeGreaterThan(1)
  const said = /href="\/health#failed">(\d+) webhooks? could not be read today<\/a>/.exec(home)?.[1] ?? 0
  // All of them, unless a day has begun since they came.
  expect(Number(said)).toBe(events.filter(({ received_at }) => received_at.startsWith(today)).length)

  await platform.close()
  const { client, close } = await product.stopAndOpen()
  const contents: Contents = {}
  for (const [view, query] of Object.entries(views))
    contents[view] = await (await client.query({ query, format: 'JSONEachRow' })).json()
  await close()
  return contents
}

const title =
  'months of webhooks, with repeats, reordering, delays and broken copies, become the platform’s own numbers'
test(title, async () => {
  const embedded = await runMainJob('embedded')
  expect(embedded['events']?.length).toBeGreaterThan(300)
  expect(embedded['assignments']?.length).toBeGreaterThan(150)
  expect(embedded['ledger_total']).toMatchObject([{ waiting: 0, lost: 0, difference: 0 }])
  if (broker !== undefined) expect(await runMainJob('distributed')).toEqual(embedded)
})
