/**
 * The main job with a platform that is exactly the specification: two endpoints and nothing else, unpaged, 400 on any query,
 * ids as strings, optional fields that are null here and absent there.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { startPlatform, type Platform } from '../../sample-platform/start.ts'
import { startProduct, type Product } from '../faults/platform/product.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { follow } from '../support/network/follow.ts'
import { startDistributedProduct } from '../support/processes/product.ts'
import { until } from '../support/wait.ts'
import { computeFromTruth } from './platform-truth.ts'
import { fileDirectory } from '../support/directories.ts'

const from = Date.UTC(2026, 4, 4, 6)
const to = Date.UTC(2026, 6, 20, 10)
const broker = await findBroker()

const startSpecification = (options: { url?: string } = {}) =>
  startPlatform({
    seed: 'to the letter',
    from,
    to,
    people: 30,
    dialect: 'specification',
    tokens: ['admin'],
    ...options,
  })

type Answer = any
type Asked = { dashboardUrl: string }

async function placeOrder({ dashboardUrl }: Asked, order: Record<string, unknown>): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(order)
  const placed = await fetch(`${dashboardUrl}/api/guide-orders`, { method: 'POST', headers, body })
  expect(placed.status).toBe(200)
  return readOrder({ dashboardUrl }, String(order['order_id']))
}

function readOrder({ dashboardUrl }: Asked, orderId: string): Promise<Answer> {
  return until(
    async () => (await (await fetch(`${dashboardUrl}/api/guide-orders/${orderId}`)).json()) as Answer,
    ({ done }) => done,
  )
}

/** The numbers, once everything that was sent is in them. */
async function compareNumbers({ dashboardUrl }: Asked, platform: Platform): Promise<void> {
  const sentBy = Date.now()
  const { metrics } = await until(
    async () =>
      (await (
        await fetch(`${dashboardUrl}/api/metrics?as_of=${new Date(to).toISOString()}`)
      ).json()) as MetricsAnswer,
    ({ complete_through }) => complete_through !== null && Date.parse(complete_through) >= sentBy,
  )
  const truth = computeFromTruth(platform.truth(), 'none')
  expect(truth.overdue).toBeGreaterThan(5)
  expect(truth.awaiting_grading).toBeGreaterThan(3)
  expect({
    assigned: metrics.assigned.value,
    completed: metrics.completion_rate.numerator,
    on_time: [metrics.on_time_rate.numerator, metrics.on_time_rate.denominator],
    overdue: metrics.overdue.value,
    awaiting_grading: metrics.grading_backlog.value,
    passed: [metrics.pass_rate.numerator, metrics.pass_rate.denominator],
    funnel: metrics.funnel.map(({ count }) => count),
    deadline_moves: metrics.deadline_moves.value,
  }).toEqual({
    assigned: truth.assigned,
    completed: truth.completed,
    on_time: truth.on_time,
    overdue: truth.overdue,
    awaiting_grading: truth.awaiting_grading,
    passed: truth.passed,
    funnel: truth.funnel,
    deadline_moves: truth.deadline_moves,
  })
}

/** How often the platform gave these people the guide by orders. */
function countGiven(platform: Platform, guideId: string, userIds: readonly string[]): number[] {
  const all = platform.guides.assignmentsAt(Date.now()).filter(({ guide }) => guide.id === guideId)
  return userIds.map((userId) => all.filter(({ person }) => String(person.id) === userId).length)
}

/** People at work who do not have the guide. */
function findWithout(platform: Platform, guideId: string, count: number): string[] {
  return platform.life.population.people
    .filter(({ id, isDeleted }) => !isDeleted && countGiven(platform, guideId, [String(id)])[0] === 0)
    .slice(0, count)
    .map(({ id }) => String(id))
}

const postsOf = (platform: Platform) => platform.calls.list().filter(({ method }) => method === 'POST').length

// A story: each test goes on where the one before it ended.
describe('a platform to the letter', { shuffle: false }, () => {
  const directory = fileDirectory()
  let platform: Platform
  let product: Product
  let guideId: string
  let userIds: string[]
  const start = () => startProduct(directory, { PLATFORM_URL: platform.baseUrl, PLATFORM_TOKEN: 'admin' })

  beforeAll(async () => {
    platform = await startSpecification()
    product = await start()
    guideId = platform.guides.list()[4]?.id ?? ''
  })
  afterAll(async () => {
    await product?.stop()
    await platform?.close()
  })

  test('cannot be registered at by its API: the owner is told so, and how it is done by hand', async () => {
    const body = new URLSearchParams({ mode: 'register' })
    const at = (path: string) => `${product.dashboardUrl}${path}`
    const pressed = await fetch(at('/setup/registration'), { method: 'POST', body, redirect: 'manual' })
    const shown = await follow(pressed, (path, cookie) => fetch(at(path), { headers: { cookie } }))
    const page = await shown.text()
    expect(page).toContain('The platform’s API cannot register it. By hand:')
    expect(page).toContain('Add a webhook subscription named')
    const { code, output } = await product.rollcall('register', '--url', product.ingestUrl)
    expect(output).toContain('Add a webhook subscription named')
    expect(code).not.toBe(0)
    expect(platform.subscriptions.list()).toEqual([])
  })

  test('sends webhooks to the address that somebody entered, and the numbers are those of the platform', async () => {
    platform.subscriptions.add({ name: 'by hand', url: product.ingestUrl, eventTypes: [] }, from)
    await platform.pass(to)
    await platform.settle()
    userIds = findWithout(platform, guideId, 5)
    await compareNumbers(product, platform)
    expect(await product.select('SELECT count() AS n FROM rollcall.failed_events')).toEqual([{ n: 0 }])
    expect(await product.select(`SELECT sum(length(drift)) AS n FROM rollcall.events`)).toEqual([{ n: 0 }])
  })

  test('gives its list of users, and says of every other list that it has none', async () => {
    const { code, output } = await until(
      () => product.rollcall('pull', '--restart'),
      ({ output: text }) => !text.includes('is running already'),
    )
    expect([code, output]).toEqual([0, expect.stringContaining('users: succeeded')])
    const pulls = await product.select<{ job: string; note: string | null }>(
      `SELECT job, note FROM rollcall.pulls WHERE state = 'succeeded' ORDER BY job`,
    )
    expect(pulls.filter(({ note }) => note?.includes('does not offer')).map(({ job }) => job)).toEqual(
      expect.arrayContaining(['guides', 'guide-assignment-changes']),
    )
    const present = platform.life.population.people.filter(({ isDeleted }) => !isDeleted)
    const users = await product.select<{ user_id: string }>('SELECT user_id FROM rollcall.users')
    expect(users.map(({ user_id }) => user_id)).toEqual(
      expect.arrayContaining(present.map(({ id }) => String(id))),
    )
    // Who is missing from the list is unseen, not gone.
    expect(await product.select('SELECT count() AS n FROM rollcall.users WHERE NOT active')).toEqual([
      { n: 0 },
    ])
    expect(await product.page('/health')).toContain('The platform does not offer')
  })

  test('gives people a guide by the POST alone, once', async () => {
    const order = { order_id: 'one', guide_id: guideId, user_ids: userIds, due_date: '2026-12-01T12:00:00Z' }
    expect((await placeOrder(product, order)).counts).toEqual({ assigned: 5 })
    expect((await placeOrder(product, order)).counts).toEqual({ assigned: 5 })
    expect((await placeOrder(product, { ...order, order_id: 'two' })).counts).toEqual({ already: 5 })
    expect(countGiven(platform, guideId, userIds)).toEqual([1, 1, 1, 1, 1])
    expect(postsOf(platform)).toBe(5)
  })

  test('gives nothing twice when its answer is lost and the product starts again', async () => {
    const [userId] = findWithout(platform, guideId, 1) as [string]
    platform.apiFaults.next({ fault: 'cut', method: 'POST', carriedOut: true })
    const lost = await placeOrder(product, { order_id: 'lost', guide_id: guideId, user_ids: [userId] })
    expect(lost.counts).toEqual({ unknown: 1 })
    await product.stop()
    product = await start()
    expect(
      (await placeOrder(product, { order_id: 'later', guide_id: guideId, user_ids: userIds })).counts,
    ).toEqual({
      already: 5,
    })
    const { people } = await readOrder(product, 'lost')
    expect(people[0]).toMatchObject({ outcome: 'unknown', can_ask_again: true })
    expect([postsOf(platform), ...countGiven(platform, guideId, [userId])]).toEqual([6, 1])
    expect(await product.page('/assign/orders/lost')).toContain('may be assigned twice')
    await compareNumbers(product, platform)
  })

  test('is asked with a query once for each list and start, and its limits hold', () => {
    const refused = platform.calls.list().filter(({ status }) => status === 400)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ path, query }) => path === '/users' && query !== '')).toBe(true)
    expect(refused.length).toBeLessThanOrEqual(2)
  })
})

describe.skipIf(broker === undefined)('a platform to the letter, apart', () => {
  test('sends webhooks, lists its users, and gives a guide once by an order of the dashboards', async () => {
    const platform = await startSpecification()
    const product = await startDistributedProduct(broker?.brokers ?? [], {
      PLATFORM_URL: platform.baseUrl,
      PLATFORM_TOKEN: 'admin',
      ASSIGN_GUIDES: 'on',
    })
    try {
      platform.subscriptions.add({ name: 'by hand', url: product.ingestUrl, eventTypes: [] }, from)
      await platform.pass(to)
      await platform.settle()
      await compareNumbers(product, platform)
      const guideId = platform.guides.list()[4]?.id ?? ''
      const userIds = findWithout(platform, guideId, 3)
      const order = { guide_id: guideId, user_ids: userIds }
      expect((await placeOrder(product, { ...order, order_id: 'one' })).counts).toEqual({ assigned: 3 })
      expect((await placeOrder(product, { ...order, order_id: 'two' })).counts).toEqual({ already: 3 })
      expect(countGiven(platform, guideId, userIds)).toEqual([1, 1, 1])
    } finally {
      await product.dispose()
      await platform.close()
    }
  })
})
