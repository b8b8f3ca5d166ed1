/** Webhooks are lost for good; what the platform still knows of them is found and healed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import type { ReconcileResult } from '../../../services/sync/reconcile/reconcile.ts'
import { computeFromTruth } from '../../e2e/platform-truth.ts'
import { openPipeline, type Pipeline } from './pipeline.ts'

const from = Date.parse('2026-04-01T00:00:00Z')
const to = Date.parse('2026-07-01T00:00:00Z')
const people = 80
const seed = process.env['RECONCILE_SEED'] ?? 'a quarter'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await openPipeline({ seed, people, from, to, faults: { loss: 0.05 } })
  await pipeline.platform.deliverHistory()
})
afterAll(() => pipeline.close())

/** What a platform that forgets no state can still tell of: all but when things were first seen. */
function comparable(metrics: Metrics) {
  return {
    assigned: metrics.assigned.value,
    completed: metrics.completion_rate.numerator,
    on_time: [metrics.on_time_rate.numerator, metrics.on_time_rate.denominator],
    overdue: metrics.overdue.value,
    overdue_over_30_days: metrics.aging.slice(3).reduce((sum, { count }) => sum + count, 0),
    awaiting_grading: metrics.grading_backlog.value,
    passed: [metrics.pass_rate.numerator, metrics.pass_rate.denominator],
    mean_grade: metrics.grade.mean,
    funnel: metrics.funnel.map(({ count }) => count),
  }
}

/** The platform lives no further than its quarter: what was true at its end is true now. */
function truth() {
  const now = { ...pipeline.platform.truthAt(to), at: pipeline.clock.now() }
  const { deadline_moves: _, ...rest } = computeFromTruth(now, 'all')
  return { ...rest, mean_grade: expect.closeTo(rest.mean_grade, 9) as number }
}

const sweep = () => pipeline.reconcile.sweep({ heal: true, maxPeople: 10_000, notAgainForMs: 0 })

describe('a quarter in which one webhook in twenty was lost', () => {
  let first: ReconcileResult

  test('gives wrong numbers at first', async () => {
    expect(pipeline.platform.counts()?.lost).toBeGreaterThan(30)
    await pipeline.pullUsers()
    expect(comparable(await pipeline.metricsAt(pipeline.clock.now()))).not.toEqual(truth())
  })

  test('is compared with the platform, within the budget: everybody, each difference found', async () => {
    first = await sweep()
    expect(first).toMatchObject({ notFound: 0, notOffered: 0, skipped: 0, heldBack: 0 })
    expect(first.people).toBeGreaterThan(people / 2)
    expect(first.missing).toBeGreaterThan(0)
    expect(first.stale).toBeGreaterThan(0)
    // Spread over the hour as the budget says, on a clock that turns when somebody sleeps.
    expect(pipeline.clock.now() - to - 86_400_000).toBeGreaterThan(first.people * (3_600_000 / 2_000))
  })

  test('has the platform’s own numbers once what was extra is extra an hour later, too', async () => {
    await pipeline.settled()
    pipeline.clock.turn(2 * 3_600_000)
    const second = await sweep()
    expect([second.missing, second.stale]).toEqual([0, 0])
    expect(second.extra).toBe(first.extra)
    expect(second.healed).toBe(first.extra)
    expect(comparable(await pipeline.metricsAt(pipeline.clock.now()))).toEqual(truth())
  })

  test('is in order then: a third sweep finds nothing', async () => {
    pipeline.clock.turn(2 * 3_600_000)
    expect(await sweep()).toMatchObject({ missing: 0, stale: 0, extra: 0, healed: 0 })
  })

  test('says of every healing what it was, by events that are marked', async () => {
    const report = await pipeline.store.rows<{ kind: string; action: string; n: string; marked: string }>(
      `SELECT kind, action, count() AS n, countIf(arrayAll(id -> id IN (SELECT event_id FROM rollcall.events WHERE source = 'reconcile'), event_ids)) AS marked
       FROM rollcall.drift_report WHERE action = 'healed' GROUP BY kind, action ORDER BY kind`,
    )
    const none = { missing: 0, stale: 0, extra: 0, created: 0 }
    expect({ ...none, ...Object.fromEntries(report.map(({ kind, n }) => [kind, Number(n)])) }).toEqual({
      missing: first.missing,
      stale: first.stale,
      extra: first.extra,
      created: first.created,
    })
    expect(report.every(({ n, marked }) => n === marked)).toBe(true)
  })

  test('leaves a ledger in which the synthetic events have their own source', async () => {
    const rows = await pipeline.store.rows<{ source: string; acknowledged: string; difference: string }>(
      'SELECT source, sum(l.acknowledged) AS acknowledged, sum(l.difference) AS difference FROM rollcall.ledger AS l GROUP BY source',
    )
    expect(rows.map(({ difference }) => difference)).toEqual(['0', '0'])
    expect(Number(rows.find(({ source }) => source === 'reconcile')?.acknowledged)).toBeGreaterThanOrEqual(
      first.missing + first.stale + first.extra + first.created,
    )
  })
})
