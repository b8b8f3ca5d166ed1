/**
 * Each way in which a platform's webhooks misbehave, one at a time, against the running product: what its owner then sees, and
 * that nothing which was acknowledged is missing.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import { computeFromTruth } from '../../e2e/platform-truth.ts'
import type { FaultOptions } from '../../../sample-platform/webhooks/faults.ts'
import { startPlatform, type Platform, type PlatformOptions } from '../../../sample-platform/start.ts'
import { startEmbedded, type Embedded } from '../../support/processes/embedded.ts'
import { readMetric } from '../../support/processes/metric.ts'
import { until } from '../../support/wait.ts'

const from = Date.parse('2026-05-04T00:00:00Z')
const to = Date.parse('2026-07-13T10:00:00Z')
const asOf = new Date(to).toISOString()
const hour = 3_600_000

let directory: string
let embedded: Embedded
let platform: Platform | undefined

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rollcall-webhook-faults-'))
  embedded = await startEmbedded(directory)
})
afterEach(async () => {
  await platform?.close()
  platform = undefined
  await embedded.stop()
  await rm(directory, { recursive: true, force: true })
})

/** Lives through the whole time under these faults; resolves when everything acknowledged is counted. */
async function live(faults: FaultOptions, options: Partial<PlatformOptions> = {}) {
  platform = await startPlatform({
    seed: 'webhook faults',
    people: 40,
    from,
    to,
    url: embedded.ingestUrl,
    faults,
    ...options,
  })
  const summary = await platform.deliverHistory()
  if (summary === undefined) throw new Error('nothing was sent')
  return { platform, summary, metrics: await askWhenComplete() }
}

async function askWhenComplete() {
  const sentBy = Date.now()
  const { metrics } = await until(
    async () => (await (await fetch(`${embedded.dashboardUrl}/api/metrics?as_of=${asOf}`)).json()) as MetricsAnswer,
    (answer) => answer.complete_through !== null && Date.parse(answer.complete_through) >= sentBy,
  )
  return metrics
}

const getText = async (url: string) => (await fetch(url)).text()

/** What became of the deliveries: every acknowledged one is stored, a repeat, or failed. */
async function readOutcomes() {
  const [stored, duplicate, failed] = await Promise.all(
    ['stored', 'duplicate', 'failed'].map((outcome) =>
      readMetric(embedded, 'rollcall_consumer_deliveries_total', `outcome="${outcome}"`),
    ),
  )
  return { stored, duplicate, failed }
}

function toNumbers(metrics: MetricsAnswer['metrics']) {
  return {
    assigned: metrics.assigned.value,
    completed: metrics.completion_rate.numerator,
    overdue: metrics.overdue.value,
    awaiting_grading: metrics.grading_backlog.value,
    funnel: metrics.funnel.map(({ count }) => count),
    deadline_moves: metrics.deadline_moves.value,
  }
}

function expectedNumbers(platform: Platform) {
  const { assigned, completed, overdue, awaiting_grading, funnel, deadline_moves } = computeFromTruth(
    platform.truthAt(to),
  )
  return { assigned, completed, overdue, awaiting_grading, funnel, deadline_moves }
}

describe('webhooks that come', () => {
  test('twice are counted once, and the repeats are reported', async () => {
    const { platform, summary, metrics } = await live({ duplicates: 0.2 })
    expect(summary.duplicated).toBeGreaterThan(100)
    expect(toNumbers(metrics)).toEqual(expectedNumbers(platform))
    expect(await readOutcomes()).toEqual({ stored: summary.events, duplicate: summary.duplicated, failed: 0 })
  })

  test('in the wrong order give the numbers of the right one', async () => {
    const { platform, summary, metrics } = await live({ reordering: 0.4 }, { order: 'none' })
    expect(summary.reordered).toBeGreaterThan(200)
    expect(toNumbers(metrics)).toEqual(expectedNumbers(platform))
    expect(await readOutcomes()).toEqual({ stored: summary.events, duplicate: 0, failed: 0 })
  })

  test('days late are missing until they come, and then in the numbers of their own day', async () => {
    platform = await startPlatform({
      seed: 'webhook faults',
      people: 40,
      from,
      to,
      url: embedded.ingestUrl,
      faults: { delay: 0.3 },
    })
    await platform.pass(to)
    const early = await askWhenComplete()
    const sent = (await readOutcomes()).stored
    expect(sent).toBeLessThan(platform.counts()?.events ?? 0)
    expect(toNumbers(early)).not.toEqual(expectedNumbers(platform))
    await platform.settle()
    expect(toNumbers(await askWhenComplete())).toEqual(expectedNumbers(platform))
    const stored = platform.counts()?.events
    expect(await readOutcomes()).toEqual({ stored, duplicate: 0, failed: 0 })
  })

  test('malformed are kept with the reason, and shown on the set-up page and in the stamp', async () => {
    const { platform, summary, metrics } = await live({ malformed: 0.05 })
    expect(summary.malformed).toBeGreaterThan(30)
    expect(toNumbers(metrics)).toEqual(expectedNumbers(platform))
    const { stored, duplicate, failed } = await readOutcomes()
    // Two broken copies may be the same bytes: one failed event, and a repeat of it.
    expect([stored, (failed ?? 0) + (duplicate ?? 0)]).toEqual([summary.events, summary.malformed])
    expect(failed).toBeGreaterThan(20)
    const refused = Object.entries(summary.refused)
    expect(refused.map(([status]) => status)).toEqual(['400', '422'])
    expect(refused.reduce((sum, [, count]) => sum + count, 0)).toBe(summary.malformed)
    const page = await getText(`${embedded.dashboardUrl}/setup`)
    expect(page).toContain(`${failed} rejected`)
    expect(await getText(embedded.dashboardUrl)).toMatch(/\d+ deliveries not usable today/)
  })

  test('lost, one in twenty, leave all others stored as they were sent', async () => {
    const { platform, summary, metrics } = await live({ loss: 0.05 })
    expect(summary.lost).toBeGreaterThan(30)
    // Nobody can see from here that they are missing: that is what the comparison with the platform is for.
    expect(await readOutcomes()).toEqual({ stored: summary.events - summary.lost, duplicate: 0, failed: 0 })
    expect(toNumbers(metrics)).not.toEqual(expectedNumbers(platform))
  })

  test('missing for a week are counted again afterwards without any action', async () => {
    const isDown = (at: number) => at >= to - 21 * 24 * hour && at < to - 14 * 24 * hour
    const { summary } = await live({ isDown })
    expect(summary.lost).toBeGreaterThan(30)
    expect(await readOutcomes()).toEqual({ stored: summary.events - summary.lost, duplicate: 0, failed: 0 })
    const answer = (await (
      await fetch(`${embedded.dashboardUrl}/api/assignments?as_of=${asOf}&per_page=1000`)
    ).json()) as {
      assignments: { updated_at: string | null }[]
    }
    const times = answer.assignments.map(({ updated_at }) => Date.parse(updated_at ?? ''))
    expect(times.filter(isDown)).toEqual([])
    expect(times.filter((at) => at > to - 14 * 24 * hour).length).toBeGreaterThan(20)
  })
})

describe('an address that changed', () => {
  test('is refused for its unknown token, and the set-up page says so without showing it', async () => {
    const { summary } = await live(
      {},
      { people: 8, url: embedded.ingestUrl.replace(/[^/]*$/, 'an-address-of-last-year') },
    )
    expect(summary.acknowledged).toBe(0)
    expect(Object.keys(summary.refused)).toEqual(['404'])
    const page = await until(
      () => getText(`${embedded.dashboardUrl}/setup`),
      (text) => text.includes('Answered 404'),
    )
    expect(page).toContain('Answered 404: The address was not one of ours')
    expect(page).not.toContain('last-year')
  })
})
