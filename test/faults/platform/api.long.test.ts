/**
 * Each way in which the platform's API misbehaves, one at a time, against the running product that pulls from it: what its
 * owner then sees, and that in the end nothing is missing.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startPlatform, type Platform } from '../../../sample-platform/start.ts'
import { startProduct, type Product } from './product.ts'
import { until } from '../../support/wait.ts'
import { testDirectory } from '../../support/directories.ts'

const token = 'admin-token-that-no-log-may-hold'
const from = Date.UTC(2026, 4, 4, 6)
const to = from + 60 * 86_400_000
let directory: string
let platform: Platform
let product: Product | undefined

beforeEach(async () => {
  directory = testDirectory()
  platform = await startPlatform({ seed: 'api faults', from, to, people: 60, tokens: [token] })
  await platform.pass(to)
})
afterEach(async () => {
  await product?.stop()
  product = undefined
  await platform.close()
})

async function start(env: Record<string, string> = {}): Promise<Product> {
  product = await startProduct(directory, { PLATFORM_URL: platform.baseUrl, PLATFORM_TOKEN: token, ...env })
  return product
}

type Pull = { state: string; error_code: string | null; items: number; skipped: number }
const readPull = async (product: Product, job: string) =>
  (
    await product.select<Pull>(
      `SELECT state, error_code, items, skipped FROM rollcall.pulls WHERE job = '${job}'`,
    )
  )[0]
const untilPulled = (product: Product, job: string) =>
  until(
    () => readPull(product, job),
    (pull) => pull?.state === 'succeeded',
  )

/** Everyone and everything that the platform has is in the store, leavers included. */
async function expectAllThere(product: Product): Promise<void> {
  const people = await product.select<{ user_id: string; active: boolean }>(
    'SELECT user_id, active FROM rollcall.users ORDER BY user_id',
  )
  expect(people).toEqual(
    platform.life.population.people.map(({ id, isDeleted }) => ({ user_id: String(id), active: !isDeleted })),
  )
  const given = platform.guides.assignmentsAt(to).filter(({ person }) => !person.isDeleted)
  const known = await product.select<{ assignment_id: string }>(
    'SELECT assignment_id FROM rollcall.guide_assignments',
  )
  const ids = new Set(known.map(({ assignment_id }) => assignment_id))
  expect(given.filter(({ record }) => !ids.has(record.id))).toEqual([])
}

describe('an API that misbehaves for a moment', () => {
  test('is called again after every kind of failure; failed calls are counted, and pulls succeed', async () => {
    // Fewer for a call than it has tries.
    const faults = [
      [/^\/users$/, ['failing', 'cut', 'hang']],
      [/^\/guides\/[^/]+\/assignments$/, ['truncated', 'garbled', 'failing']],
    ] as const
    for (const [path, ways] of faults) {
      for (const fault of ways) platform.apiFaults.next({ fault, path, slowMs: 600_000 })
    }
    const product = await start()
    for (const job of ['users', 'guides', 'guide-assignments']) {
      expect(await untilPulled(product, job), job).toMatchObject({
        state: 'succeeded',
        error_code: null,
        skipped: 0,
      })
    }
    const count = (outcome: string) => product.metric('rollcall_platform_calls_total', `outcome="${outcome}"`)
    expect(await count('FAILED')).toBe(2)
    expect(await count('UNREACHABLE')).toBe(1)
    expect(await count('UNREADABLE')).toBe(2)
    // A slow machine may have had more of them.
    expect(await count('TIMED_OUT')).toBeGreaterThanOrEqual(1)
    expect(product.logged('A job failed')).toEqual([])
    await expectAllThere(product)
  })

  test('with 429 gets no more calls, and webhooks are counted meanwhile', async () => {
    platform.apiFaults.next({ fault: 'throttled', path: /^\/users$/ })
    const product = await start()
    await until(
      () => product.metric('rollcall_platform_calls_total', 'outcome="RATE_LIMITED"'),
      (count) => count === 1,
    )
    platform.subscriptions.add({ name: 'Rollcall', url: product.ingestUrl, eventTypes: [] }, to)
    const [subscription] = platform.subscriptions.list()
    const passAndStore = async (at: number) => {
      await platform.pass(at)
      const { events = 0 } = platform.countsOf(subscription?.id ?? '') ?? {}
      await until(
        () => product.metric('rollcall_consumer_deliveries_total', 'outcome="stored"'),
        (count) => count === events,
      )
      return events
    }
    // Calls that had begun before the answer have arrived when these webhooks are stored.
    const first = await passAndStore(to + 43_200_000)
    const calls = platform.calls.list().length
    expect(await passAndStore(to + 5 * 86_400_000)).toBeGreaterThan(first)
    expect(platform.calls.list().length).toBe(calls)
  })
})
