/** Rows that are kept for a time only go, everything else stays, and no number changes. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Removable, Retention } from '../../services/config/retention.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import type { Checkpoint, JobContext, JobEnd } from '../../services/jobs/job.ts'
import { createRetentionJob } from '../../services/jobs/retention-job.ts'
import { day, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'

const now = Date.now()
const ages = [399 * day, 200 * day, 100 * day + 1, 100 * day - 1, 50 * day, day]
/** The store itself removes older repeats, whenever it merges. */
const maxRepeatAge = 90 * day

const store = await openTestStore()
afterAll(() => store.close())

/** Stores an event, a failed event, a repeat and a finding of each age. */
beforeEach(async () => {
  await store.clear()
  const consumer = createConsumer({ client: store.writer, now: () => now })
  const records = ages.flatMap((age, at) => {
    const receivedAt = now - age
    const event = toBody('Created', `a${at}`, receivedAt)
    const bodies = [event, Buffer.from(`{"broken": ${at}`), ...(age < maxRepeatAge ? [event] : [])]
    return bodies.map((body, index) => ({ ...toRecord(body, at * 3 + index), receivedAt }))
  })
  await consumer.handle(toBatch(records))
  const findings = ages.map((age, at) => ({
    found_at: now - age,
    assignment_id: `a${at}`,
    user_id: '7',
    challenge_id: 'c1',
    kind: 'stale',
    fields: [],
    action: 'repaired',
    event_ids: [],
  }))
  await store.writer.insert({ table: 'rollcall.reconcile_findings', values: findings, format: 'JSONEachRow' })
})

const count = async (table: string) =>
  Number((await store.rows<{ n: string }>(`SELECT count() AS n FROM rollcall.${table} FINAL`))[0]?.n)

async function counts(): Promise<Record<Removable, number>> {
  return {
    failed_events: await count('failed_event_rows'),
    bodies: await count('event_bodies'),
    repeats: await count('repeat_rows'),
    findings: await count('reconcile_findings'),
  }
}

/** Everything that pages, API and analysts count from. */
async function numbers() {
  const at = (age: number) =>
    `toDateTime64('${new Date(now - age * day).toISOString().slice(0, 19).replace('T', ' ')}', 3, 'UTC')`
  const asOf = (age: number) =>
    store.rows(
      `SELECT * FROM rollcall.assignments_all_as_of(as_of = ${at(age)}, due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7) ORDER BY assignment_id`,
    )
  return {
    now: await asOf(0),
    earlier: await asOf(150),
    events: await store.rows('SELECT * FROM rollcall.events ORDER BY event_id'),
    people: await store.rows('SELECT * FROM rollcall.people ORDER BY user_id'),
    ledger: await store.rows('SELECT * FROM rollcall.ledger ORDER BY hour, source'),
  }
}

type RunOptions = {
  checkpoint?: Checkpoint
  previous?: JobContext['previous']
  startedAtMs?: number
  stopAfter?: number
  endSnapshots?: () => Promise<void>
}

async function run(
  retention: Retention,
  { checkpoint, previous, startedAtMs = now, stopAfter, endSnapshots }: RunOptions = {},
) {
  const stop = new AbortController()
  const steps: Checkpoint[] = []
  let end: JobEnd | undefined
  let error: unknown
  try {
    end = await createRetentionJob(store.writer, retention, endSnapshots).run({
      checkpoint,
      previous,
      startedAtMs,
      signal: stop.signal,
      priority: 'job',
      advance(step) {
        steps.push(step.checkpoint)
        if (steps.length === stopAfter) stop.abort()
        return Promise.resolve()
      },
    })
  } catch (thrown) {
    error = thrown
  }
  return { end, error, steps }
}

test('removes just what is older, of each table, and every number stays', async () => {
  const before = await numbers()
  expect(before.earlier.length).toBeGreaterThan(0)
  expect(await counts()).toEqual({ failed_events: 6, bodies: 6, repeats: 2, findings: 6 })

  const { end } = await run(
    new Map([
      ['failed_events', 60],
      ['bodies', 100],
      ['repeats', 45],
      ['findings', 150],
    ]),
  )
  expect(await counts()).toEqual({ failed_events: 2, bodies: 3, repeats: 1, findings: 4 })
  expect(end?.note).toBe('Removed: failed_events 4, bodies 3, repeats 1, findings 2.')
  expect(await numbers()).toEqual(before)
  // The younger rows are left.
  const [oldest] = await store.rows<{ at: string }>(
    'SELECT toUnixTimestamp64Milli(min(received_at)) AS at FROM rollcall.event_bodies',
  )
  expect(Number(oldest?.at)).toBe(now - 100 * day + 1)

  const again = await run(
    new Map([
      ['failed_events', 60],
      ['bodies', 100],
    ]),
  )
  expect(again.end?.note).toBeUndefined()
  expect(await counts()).toEqual({ failed_events: 2, bodies: 3, repeats: 1, findings: 4 })
})

test('a run that was interrupted goes on with the next table', async () => {
  const retention: Retention = new Map([
    ['failed_events', 60],
    ['bodies', 100],
    ['findings', 150],
  ])
  const first = await run(retention, { stopAfter: 1 })
  expect(first.error).toBeDefined()
  expect(await counts()).toMatchObject({ failed_events: 2, bodies: 6, findings: 6 })
  const { end } = await run(retention, { checkpoint: first.steps[0] as Checkpoint })
  expect(await counts()).toMatchObject({ failed_events: 2, bodies: 3, findings: 4 })
  expect(end?.note).toBe('Removed: failed_events 4, bodies 3, findings 2.')
})
