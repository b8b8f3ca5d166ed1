/**
 * Four quarters of a company, once with every delivery and once with one in twenty lost, and one in four on one day. After
 * reconciliation both stores say the same of today, but for what docs/reconciliation.md lists.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { readBlocks } from '../../../reporting/statements/read-blocks.ts'
import { toMetricsAnswer } from '../../../reporting/metrics/to-metrics.ts'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import { Life } from '../../../sample-platform/company/life.ts'
import { startPlatform } from '../../../sample-platform/start.ts'
import { createDisturber, type FaultOptions } from '../../../sample-platform/webhooks/faults.ts'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import type { LogRecord } from '../../../services/event-log/event-log.ts'
import { createCallBudget } from '../../../services/platform/create-call-budget.ts'
import { openPlatformClient } from '../../../services/platform/open-platform-client.ts'
import { createReconcile, type ReconcileResult } from '../../../services/sync/reconcile/reconcile.ts'
import { toEventId } from '../../../schemas/webhook/parse-delivery.ts'
import { createScope } from '../../model/scope.ts'
import { createTurnedClock } from '../../platform/clocks.ts'
import { day, toBatch } from '../../support/data/records.ts'
import { openTestStore, type TestStore } from '../../support/store/store.ts'
import { isComplete } from '../../support/tiers.ts'
import { pullUsers } from './pipeline.ts'
import { ownReader } from '../../../reporting/read/reader.ts'

const to = Date.parse('2026-07-01T00:00:00Z')
const company = {
  seed: process.env['RECONCILE_SEED'] ?? 'two quarters',
  people: isComplete ? 80 : 16,
  from: Date.parse(isComplete ? '2025-07-01T00:00:00Z' : '2026-04-01T00:00:00Z'),
  to,
}
const badDay = Date.parse('2026-05-12T00:00:00Z')
const isDown = (at: number) => at >= badDay && at < badDay + day && at % 5 === 0
const now = to + 3 * day
const monthEnds = ['2025-09-30', '2025-12-31', '2026-03-31', '2026-04-30', '2026-05-31']
  .map((date) => Date.parse(`${date}T12:00:00Z`))
  .filter((at) => at > company.from)

type Answers = { now: Metrics; withLeavers: Metrics; past: Metrics[] }

async function readAll(store: TestStore): Promise<Answers> {
  const read = async (asOf: number, includeLeavers = false) => {
    const scope = { ...createScope(asOf), includeLeavers, now }
    return toMetricsAnswer(await readBlocks(ownReader(store.reader), scope, 'metrics'), scope).metrics
  }
  const past: Metrics[] = []
  for (const at of monthEnds) past.push(await read(at, true))
  return { now: await read(now), withLeavers: await read(now, true), past }
}

async function openCompany(faults: FaultOptions) {
  const store = await openTestStore()
  const consumer = createConsumer({ client: store.writer })
  let offset = 0
  const append = async (records: LogRecord[]) => {
    const placed = records.map((record) => ({ ...record, offset: offset++ }))
    if (placed.length > 0) await consumer.handle(toBatch(placed))
  }
  const disturber = createDisturber(company.seed, faults)
  const toRecord = ({ key, at, body }: { key: string; at: number; body: string }) => {
    const bytes = Buffer.from(body)
    return { key, eventId: toEventId(bytes), source: 'main', receivedAt: at, body: bytes }
  }
  const records = [...new Life(company).next(to)].flatMap((event) => disturber.pass(event).map(toRecord))
  for (let start = 0; start < records.length; start += 2_000)
    await append(records.slice(start, start + 2_000))

  const platform = await startPlatform(company)
  await platform.deliverHistory()
  const clock = createTurnedClock(to + day)
  const client = openPlatformClient({
    baseUrl: platform.baseUrl,
    token: 'platform-token',
    clock,
    budget: createCallBudget({ callsPerHour: 2_000, clock }),
  })
  await pullUsers(store, client)
  const reconcile = createReconcile({
    client: store.writer,
    platform: client,
    append,
    now: () => clock.now(),
  })
  return {
    store,
    lost: disturber.lost,
    clock,
    sweep: () => reconcile.sweep({ repair: true, maxPeople: 10_000, notAgainForMs: 0 }),
    async close() {
      await client.close()
      await platform.close()
      await store.close()
    },
  }
}

/** Metrics that the platform no longer tells are left out, as docs/reconciliation.md lists them. */
function toToday(metrics: Metrics) {
  const {
    submitted_on_time_rate: _1,
    reviewer_on_time: _2,
    grading_turnaround: _3,
    deadline_moves: _4,
    ...rest
  } = metrics
  const { reported_mismatch: _5, ...told } = rest
  const { value, untouched, partially_graded } = metrics.grading_backlog
  return {
    ...told,
    grading_backlog: { value, untouched, partially_graded },
    trend: metrics.trend.map(({ period_start, assigned, completed }) => ({
      period_start,
      assigned,
      completed,
    })),
  }
}

const undisturbed = await openCompany({})
const whole = await readAll(undisturbed.store)
await undisturbed.close()
const lossy = await openCompany({ loss: 0.05, isDown })
afterAll(() => lossy.close())

// One after another: each goes on from the repair of the one before.
describe('deliveries that were lost for good', { shuffle: false }, () => {
  let first: ReconcileResult

  test('leave wrong numbers, of today and of the past', async () => {
    expect(lossy.lost()).toBeGreaterThan(isComplete ? 500 : 20)
    const before = await readAll(lossy.store)
    expect(toToday(before.now)).not.toEqual(toToday(whole.now))
    expect(before.past.map(({ assigned }) => assigned.value)).not.toEqual(
      whole.past.map(({ assigned }) => assigned.value),
    )
  })

  test('are found once, and nothing is left a third time', async () => {
    first = await lossy.sweep()
    expect(first).toMatchObject({ notFound: 0, notOffered: 0, heldBack: 0, listed: 0 })
    expect(Math.min(first.stale, first.created)).toBeGreaterThan(0)
    lossy.clock.turn(2 * 3_600_000)
    // An extra assignment is deleted once it is extra again.
    expect(await lossy.sweep()).toMatchObject({ missing: 0, stale: 0, extra: first.extra, created: 0 })
    lossy.clock.turn(2 * 3_600_000)
    expect(await lossy.sweep()).toMatchObject({ missing: 0, stale: 0, extra: 0, created: 0, repaired: 0 })
  })

  test('are repaired: every key of today is equal but the listed ones, and so are the counts of the past', async () => {
    const repaired = await readAll(lossy.store)
    expect(toToday(repaired.now)).toEqual(toToday(whole.now))
    expect(toToday(repaired.withLeavers)).toEqual(toToday(whole.withLeavers))
    // Nobody knows when a lost deletion was.
    const isOff = repaired.past.map(
      ({ assigned }, index) => assigned.value - (whole.past[index]?.assigned.value ?? 0),
    )
    for (const off of isOff) {
      expect(off).toBeGreaterThanOrEqual(0)
      expect(off).toBeLessThanOrEqual(first.extra)
    }
  })

  test('are repaired by events that are marked, and that count as no contradiction', async () => {
    const [made] = await lossy.store.rows<{ n: string; contradicting: string; fields: string }>(
      `SELECT count() AS n, countIf(notEmpty(contradictions)) AS contradicting, (SELECT count() FROM rollcall.drift_fields WHERE path LIKE 'rollcall%') AS fields
       FROM rollcall.events WHERE source = 'reconcile'`,
    )
    expect(Number(made?.n)).toBeGreaterThanOrEqual(first.repaired)
    expect(made).toMatchObject({ contradicting: '0', fields: '0' })
    // Their source is one of its own in a ledger that adds up.
    expect(
      await lossy.store.rows(
        "SELECT sum(l.stored) >= 1 AS has, (SELECT lost + difference FROM rollcall.ledger_total) AS difference FROM rollcall.ledger AS l WHERE source = 'reconcile'",
      ),
    ).toEqual([{ has: 1, difference: '0' }])
  })
})
