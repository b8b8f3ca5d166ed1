/**
 * The platform's other side as an owner has it: registered by a button, told of everything from then on, people and guides
 * pulled, and from the late ones to a guide - in the running product, by its pages, with the stand-in platform.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { startProduct, type Product } from '../faults/platform/product.ts'
import { startPlatform, type Platform } from '../../sample-platform/start.ts'
import { computeFromTruth } from './platform-truth.ts'
import { until } from '../support/wait.ts'
import { follow } from '../support/network/follow.ts'
import { fileDirectory, testDirectory } from '../support/directories.ts'

const from = Date.UTC(2026, 4, 4, 6)
const to = Date.UTC(2026, 6, 20, 10)
const directory = fileDirectory()
let platform: Platform
let product: Product

beforeAll(async () => {
  platform = await startPlatform({ seed: 'platform side', from, to, people: 30, tokens: ['admin'] })
  // No token of its own: it makes one, and knows its whole address.
  product = await startProduct(directory, {
    PLATFORM_URL: platform.baseUrl,
    PLATFORM_TOKEN: 'admin',
    INGEST_TOKENS: '',
  })
})
afterAll(async () => {
  await product?.stop()
  await platform?.close()
})

const press = async (path: string, fields: Record<string, string> | URLSearchParams) => {
  const body = new URLSearchParams(fields)
  return fetch(`${product.dashboardUrl}${path}`, { method: 'POST', body, redirect: 'manual' })
}

// A story: later events come by the registration, and the order needs them.
describe('the platform side', { shuffle: false }, () => {
  test('a button registers the webhook and proves the way into the store', async () => {
    const answer = await press('/setup/registration', { mode: 'register' })
    const toPage = (path: string, cookie: string) =>
      fetch(`${product.dashboardUrl}${path}`, { headers: { cookie } })
    const page = await (await follow(answer, toPage)).text()
    expect(page).toContain('A test event arrived in the store.')
    const [subscription, ...others] = platform.subscriptions.list()
    expect(others).toEqual([])
    expect(subscription?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhooks\/\S{20,}$/)
    const { code, output } = await product.rollcall('register', '--check', '--json')
    expect([code, output.includes('"outcome"')]).toEqual([0, true])
  })

  test('later events arrive, and the numbers equal those of the platform', async () => {
    await platform.pass(to)
    await platform.settle()
    const sentBy = Date.now()
    const { metrics } = await until(
      async () =>
        (await (
          await fetch(`${product.dashboardUrl}/api/metrics?as_of=${new Date(to).toISOString()}`)
        ).json()) as MetricsAnswer,
      (answer) => answer.complete_through !== null && Date.parse(answer.complete_through) >= sentBy,
    )
    const truth = computeFromTruth(platform.truth())
    expect(truth.overdue).toBeGreaterThan(5)
    expect([metrics.assigned.value, metrics.completion_rate.numerator, metrics.overdue.value]).toEqual([
      truth.assigned,
      truth.completed,
      truth.overdue,
    ])
  })

  test('overdue people get a guide each, once, by a preview, and the order is recorded', async () => {
    // Who has left since the first pull, and who has been given what.
    const pulled = await until(
      () => product.rollcall('pull', 'users', 'guides', 'guide-assignments'),
      ({ code }) => code === 0,
    )
    expect(pulled.output).toContain('guide-assignments: succeeded')
    expect(await product.page('/assignments?fact=overdue')).toContain('Assign a guide')
    const guide = platform.guides.list()[4]
    const preview = await product.page(`/assign?fact=overdue&guide=${guide?.id}`)
    const form = /<form method="post" action="\/assign\/orders"[\s\S]*?<\/form>/.exec(preview)?.[0] ?? ''
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
    const fields = new URLSearchParams(
      hidden.map(([, name = '', value = '']): [string, string] => [name, value]),
    )
    fields.set('asked_by', 'Grace')
    const userIds = fields.getAll('user')
    expect(userIds.length).toBeGreaterThan(2)
    const placed = await press('/assign/orders', fields)
    expect(placed.status).toBe(303)
    const order = await until(
      () => product.page(placed.headers.get('location') ?? ''),
      (page) => page.includes('Done:'),
    )
    expect(order).toContain(`${userIds.length} assigned`)
    const given = platform.guides
      .assignmentsAt(platform.life.now())
      .filter(({ record }) => record.courseId === guide?.id)
      .map(({ person }) => String(person.id))
    for (const userId of userIds) expect(given.filter((id) => id === userId)).toHaveLength(1)
    expect(
      await product.select(`SELECT outcome, count() AS people FROM rollcall.guide_orders GROUP BY outcome`),
    ).toEqual([{ outcome: 'assigned', people: userIds.length }])
  })

  test('a product that listens on other addresses assigns no guides unless configured to', async () => {
    const other = testDirectory()
    const open = await startProduct(other, {
      PLATFORM_URL: platform.baseUrl,
      PLATFORM_TOKEN: 'admin',
      HOST: '0.0.0.0',
      DASHBOARD_AUTH: 'none-and-i-know',
    })
    try {
      expect((await fetch(`${open.dashboardUrl}/assign`)).status).toBe(404)
      expect((await fetch(`${open.dashboardUrl}/api/guide-orders`)).status).toBe(404)
    } finally {
      await open.stop()
    }
  })
})
