/**
 * The main job as a user has it: the stand-in platform sends months of history over HTTP to the running product, and what the
 * API and the page say is what the platform itself knows. The same in both ways to run.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { startPlatform, type Platform } from '../../sample-platform/start.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { findBroker } from '../support/kafka/broker.ts'
import {
  startDistributedProduct,
  startEmbeddedProduct,
  type Product,
  type Row,
} from '../support/processes/product.ts'
import { computeFromTruth } from './platform-truth.ts'
import { isLong } from '../support/tiers.ts'
import { until } from '../support/wait.ts'

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
type Contents = Record<keyof typeof views, Row[]>
const contents: { embedded?: Contents; distributed?: Contents } = {}

// The comparison at the end needs both.
describe('the main job', { shuffle: false }, () => {
  describeMainJob('embedded', startEmbeddedProduct)
  describe.skipIf(broker === undefined)('apart', () => {
    describeMainJob('distributed', () => startDistributedProduct(broker?.brokers ?? []))

    test('every view holds the very same rows as in the one process', () => {
      const { embedded, distributed } = contents
      expect(embedded?.events.length).toBeGreaterThan(300)
      expect(embedded?.ledger_total).toMatchObject([{ waiting: 0, lost: 0, difference: 0 }])
      for (const view of Object.keys(views) as (keyof typeof views)[]) {
        expect(distributed?.[view], view).toEqual(embedded?.[view])
      }
    })
  })
})

function describeMainJob(mode: keyof typeof contents, start: () => Promise<Product>): void {
  // A story: its last test stops the product.
  describe(`the product, ${mode}`, { shuffle: false }, () => {
    let product: Product
    let platform: Platform
    let browser: Browser

    beforeAll(async () => {
      product = await start()
      platform = await startPlatform({
        seed: 'main job',
        people: 18,
        from,
        to,
        url: product.ingestUrl,
        faults: { duplicates: 0.05, reordering: 0.05, delay: 0.01, loss: 0, malformed: 0.01 },
        retry: true,
      })
      await platform.deliverHistory()
      browser = await openBrowser()
    })
    afterAll(async () => {
      await browser?.close()
      await platform?.close()
      await product?.dispose()
    })

    const ask = async (query: string) =>
      (await (await fetch(`${product.dashboardUrl}/api/metrics?${query}`)).json()) as MetricsAnswer

    /** The answer once everything that was sent is in it. Nothing is sent afterwards, so all tests share the first. */
    let complete: Promise<MetricsAnswer> | undefined
    function askWhenComplete(): Promise<MetricsAnswer> {
      const sentBy = Date.now()
      complete ??= until(
        () => ask(`as_of=${asOf}`),
        (answer) => answer.complete_through !== null && Date.parse(answer.complete_through) >= sentBy,
      )
      return complete
    }

    describe('months of webhooks, with repeats, reordering, delays and broken copies among them', () => {
      test('become the numbers that the platform’s own state gives', async () => {
        const { metrics } = await askWhenComplete()
        const truth = computeFromTruth(platform.truth())
        expect(truth.overdue).toBeGreaterThan(5)
        expect(truth.awaiting_grading).toBeGreaterThan(3)
        expect({
          assigned: metrics.assigned.value,
          completed: metrics.completion_rate.numerator,
          on_time: [metrics.on_time_rate.numerator, metrics.on_time_rate.denominator],
          overdue: metrics.overdue.value,
          overdue_over_30_days: metrics.aging.slice(3).reduce((sum, { count }) => sum + count, 0),
          awaiting_grading: metrics.grading_backlog.value,
          passed: [metrics.pass_rate.numerator, metrics.pass_rate.denominator],
          mean_grade: metrics.grade.mean,
          funnel: metrics.funnel.map(({ count }) => count),
          deadline_moves: metrics.deadline_moves.value,
        }).toEqual({ ...truth, mean_grade: expect.closeTo(truth.mean_grade, 9) as number })
      })

      test('are shown by the page with the very numbers of the API, in a real browser', async () => {
        const { metrics } = await askWhenComplete()
        const page = await browser.newPage({
          locale: 'en-GB',
          timezoneId: 'UTC',
          viewport: { width: 1440, height: 1000 },
        })
        const foreign: string[] = []
        page.on('request', (request) => {
          if (!request.url().startsWith(product.dashboardUrl)) foreign.push(request.url())
        })
        await page.goto(`${product.dashboardUrl}/?as_of=${asOf}`)
        const headline = async (id: string) =>
          (await page.locator(`section[aria-labelledby="headline-${id}"]`).innerText()).replaceAll(
            /\s+/g,
            ' ',
          )
        const number = (value: number) => value.toLocaleString('en-GB')
        expect(await headline('overdue')).toContain(number(metrics.overdue.value))
        expect(await headline('completion')).toContain(
          `${number(metrics.completion_rate.numerator)} of ${number(metrics.assigned.value)}`,
        )
        expect(await headline('on-time')).toContain(
          `${number(metrics.on_time_rate.numerator)} of ${number(metrics.on_time_rate.denominator)}`,
        )
        expect(foreign).toEqual([])
        await page.close()
      })

      test('give the rows behind a number, as many as the number says, in JSON and CSV', async () => {
        const { metrics } = await askWhenComplete()
        const json = (await (
          await fetch(`${product.dashboardUrl}/api/assignments?as_of=${asOf}&fact=overdue`)
        ).json()) as {
          total: number
        }
        expect(json.total).toBe(metrics.overdue.value)
        const csv = await (
          await fetch(`${product.dashboardUrl}/api/assignments?as_of=${asOf}&fact=overdue&format=csv`)
        ).text()
        expect(csv.trim().split(/\r?\n/)).toHaveLength(metrics.overdue.value + 1)
      })

      test('are acknowledged, stored, found to be repeats or failed, and nothing is missing', async () => {
        await askWhenComplete()
        const metrics = await product.metrics()
        const read = (name: string, labels: string) =>
          Number(new RegExp(`^${name}\\{[^}]*${labels}[^}]*\\} (\\d+)`, 'm').exec(metrics)?.[1] ?? 0)
        const taken = ['stored', 'duplicate', 'failed'].map((outcome) =>
          read('rollcall_consumer_deliveries_total', `outcome="${outcome}"`),
        )
        const accepted = ['accepted', 'failed'].map((outcome) =>
          read('rollcall_ingest_requests_total', `outcome="${outcome}"`),
        )
        expect(taken[1]).toBeGreaterThan(0)
        expect(taken[2]).toBeGreaterThan(0)
        expect(taken.reduce((a, b) => a + b, 0)).toBe(accepted.reduce((a, b) => a + b, 0))
      })

      test('are said on Home where they cannot be used, every one, with the way to them', async () => {
        await askWhenComplete()
        const home = await (await fetch(product.dashboardUrl)).text()
        const today = /<time datetime="([\d-]{10})T/.exec(home)?.[1] ?? ''
        const answer = await (await fetch(`${product.dashboardUrl}/api/failed-events?limit=1000`)).json()
        const { events } = answer as { events: { received_at: string }[] }
        expect(events.length).toBeGreaterThan(1)
        const said =
          /href="\/health#failed">(\d+) webhooks? could not be read today<\/a>/.exec(home)?.[1] ?? 0
        // All of them, unless a day has begun since they came.
        expect(Number(said)).toBe(events.filter(({ received_at }) => received_at.startsWith(today)).length)
      })

      test('are in the store when every process has been stopped', async () => {
        await platform.close()
        contents[mode] = await product.stopAndRead(views)
        expect(contents[mode]?.assignments.length).toBeGreaterThan(150)
      })
    })
  })
}
