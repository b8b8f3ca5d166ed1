/**
 * The main job as a user has it: the stand-in platform sends months of history over HTTP to the running product, and what the
 * API and the page say is what the platform itself knows.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { startPlatform, type Platform } from '../platform/start.ts'
import { openBrowser } from '../support/browser.ts'
import { startEmbedded, until, type Embedded } from '../support/embedded.ts'
import { computeFromTruth } from './platform-truth.ts'

const from = Date.parse('2026-05-01T00:00:00Z')
const to = Date.parse('2026-09-01T10:00:00Z')
const asOf = new Date(to).toISOString()

let directory: string
let embedded: Embedded
let platform: Platform
let browser: Browser

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rollcall-main-'))
  embedded = await startEmbedded(directory)
  platform = await startPlatform({
    seed: 'main job',
    people: 120,
    from,
    to,
    url: embedded.ingestUrl,
    faults: { duplicates: 0.05, reordering: 0.05, delay: 0.01, loss: 0, malformed: 0.01 },
    retry: {},
  })
  await platform.deliverHistory()
  browser = await openBrowser()
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await platform?.close()
  await embedded?.stop()
  await rm(directory, { recursive: true, force: true })
})

const ask = async (query: string) =>
  (await (await fetch(`${embedded.dashboardUrl}/api/metrics?${query}`)).json()) as MetricsAnswer

/** The answer once everything that was sent is in it. */
async function askWhenComplete(query: string): Promise<MetricsAnswer> {
  const sentBy = Date.now()
  return until(
    () => ask(query),
    (answer) => answer.complete_through !== null && Date.parse(answer.complete_through) >= sentBy,
    30_000,
  )
}

describe('months of webhooks, with repeats, reordering, delays and broken copies among them', () => {
  test('become the numbers that the platform’s own state gives', async () => {
    const { metrics } = await askWhenComplete(`as_of=${asOf}`)
    const truth = computeFromTruth(platform.truthAt(to))
    expect(truth.overdue).toBeGreaterThan(10)
    expect(truth.awaiting_grading).toBeGreaterThan(10)
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
    const { metrics } = await askWhenComplete(`as_of=${asOf}`)
    const page = await browser.newPage({ locale: 'en-GB', timezoneId: 'UTC', viewport: { width: 1440, height: 1000 } })
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(embedded.dashboardUrl)) foreign.push(request.url())
    })
    await page.goto(`${embedded.dashboardUrl}/?as_of=${asOf}`)
    const headline = async (id: string) =>
      (await page.locator(`section[aria-labelledby="headline-${id}"]`).innerText()).replaceAll(/\s+/g, ' ')
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
    const { metrics } = await askWhenComplete(`as_of=${asOf}`)
    const json = (await (
      await fetch(`${embedded.dashboardUrl}/api/assignments?as_of=${asOf}&fact=overdue`)
    ).json()) as {
      total: number
    }
    expect(json.total).toBe(metrics.overdue.value)
    const csv = await (
      await fetch(`${embedded.dashboardUrl}/api/assignments?as_of=${asOf}&fact=overdue&format=csv`)
    ).text()
    expect(csv.trim().split(/\r?\n/)).toHaveLength(metrics.overdue.value + 1)
  })

  test('are acknowledged, stored, found to be repeats or failed, and nothing is missing', async () => {
    await askWhenComplete(`as_of=${asOf}`)
    const metrics = await (await fetch(`${embedded.adminUrl}/metrics`)).text()
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
})
