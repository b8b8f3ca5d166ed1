/**
 * The product beside a platform, as its owner has it: registered, told of everything, users pulled, guides given once. The platform has
 * every endpoint, or is exactly the specification: two endpoints, unpaged, 400 on any query, ids as strings.
 */
import { expect, onTestFinished, test } from 'vitest'
import { startPlatform, type Platform } from '../../sample-platform/start.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { follow } from '../support/network/follow.ts'
import { runCliInside } from '../support/processes/cli.ts'
import { openProduct, type Product } from '../support/processes/product.ts'
import { until } from '../support/wait.ts'
import { computeFromTruth, readNumbers } from './platform-truth.ts'

const from = Date.UTC(2026, 4, 4, 6)
const to = Date.UTC(2026, 6, 20, 10)
const broker = await findBroker()

/** What became of the people of an order, in the words of its page. */
async function readOrder({ dashboardUrl }: Product, id: string): Promise<string | undefined> {
  const read = async () => (await fetch(`${dashboardUrl}/assign/orders/${id}`)).text()
  const text = await until(read, (page) => page.includes('Done: '))
  return /Done: ([^.<]*)/.exec(text)?.[1]
}

type Order = { order_id: string; guide: string; users: readonly string[] }

/** Presses the button. */
async function order(product: Product, { order_id, guide, users }: Order) {
  const body = new URLSearchParams({ order_id, guide, due: '2026-12-01' })
  for (const user of users) body.append('user', user)
  const pressed = await fetch(`${product.dashboardUrl}/assign/orders`, {
    method: 'POST',
    body,
    redirect: 'manual',
  })
  expect(pressed.status).toBe(303)
  return readOrder(product, order_id)
}

/** How often the platform gave these people the guide. */
const countGiven = (platform: Platform, guideId: string, userIds: readonly string[]) =>
  userIds.map(
    (userId) =>
      platform.guides
        .assignmentsAt(Date.now())
        .filter(({ guide, person }) => guide.id === guideId && String(person.id) === userId).length,
  )

/** Presses the button, and gives the page that it leads to. */
async function register({ dashboardUrl }: Product): Promise<string> {
  const at = (path: string) => `${dashboardUrl}${path}`
  const body = new URLSearchParams({ mode: 'register' })
  const pressed = await fetch(at('/setup/registration'), { method: 'POST', body, redirect: 'manual' })
  return (await follow(pressed, (path, cookie) => fetch(at(path), { headers: { cookie } }))).text()
}

test.for([
  ['paginated', 'embedded'],
  ['specification', 'embedded'],
  ['specification', 'distributed'],
] as const)(
  'a %s platform and the product, %s: same numbers, and guides given once',
  async ([dialect, mode], { skip }) => {
    skip(mode === 'distributed' && broker === undefined, 'it needs a broker')
    const isFull = dialect === 'paginated'
    const platform = await startPlatform({
      seed: 'platform',
      from,
      to,
      people: 30,
      dialect,
      tokens: ['admin'],
    })
    onTestFinished(() => platform.close())
    const product = await openProduct(mode, {
      broker,
      env: {
        PLATFORM_URL: platform.baseUrl,
        PLATFORM_TOKEN: 'admin',
        // Sweeps spread their calls over the hour: with so many allowed, they are made at once.
        PLATFORM_CALLS_PER_HOUR: '100000',
        ASSIGN_GUIDES: 'on',
        // It makes its own token, and knows its whole address.
        ...(isFull && { INGEST_TOKENS: '' }),
      },
    })
    onTestFinished(() => product.dispose())
    if (mode === 'embedded')
      expect(await register(product)).toContain(
        isFull ? 'A test event arrived in the store.' : 'The platform’s API cannot register it. By hand:',
      )
    expect(platform.subscriptions.list()).toHaveLength(isFull ? 1 : 0)
    if (!isFull) platform.subscriptions.add({ name: 'by hand', url: product.ingestUrl, eventTypes: [] }, from)

    await platform.pass(to)
    await platform.settle()
    const compare = async () => {
      const { mean_grade: _, ...truth } = computeFromTruth(platform.truth(), isFull ? 'told' : 'none')
      expect(truth.overdue).toBeGreaterThan(5)
      expect(truth.awaiting_grading).toBeGreaterThan(3)
      expect(await readNumbers(product, to)).toMatchObject(truth)
    }
    await compare()
    const unused =
      'SELECT toUInt32(count()) AS n FROM rollcall.failed_events UNION ALL SELECT toUInt32(sum(length(drift))) FROM rollcall.events'
    expect(await product.select(unused)).toEqual([{ n: 0 }, { n: 0 }])

    if (mode === 'embedded') {
      const pulled = await until(
        () => runCliInside(['pull'], product.env),
        ({ out, err }) => !(out + err).includes('is running already'),
      )
      expect([pulled.code, pulled.out]).toEqual([0, expect.stringContaining('users: succeeded')])
      const users = await product.select<{ user_id: string }>('SELECT user_id FROM rollcall.users')
      const present = platform.life.population.people.filter(({ isDeleted }) => !isDeleted)
      expect(users.map(({ user_id }) => user_id)).toEqual(
        expect.arrayContaining(present.map(({ id }) => String(id))),
      )
      if (!isFull)
        expect(await (await fetch(`${product.dashboardUrl}/health`)).text()).toContain(
          'The platform does not offer',
        )
    }

    const guideId = platform.guides.list()[4]?.id ?? ''
    const without = platform.life.population.people
      .filter(({ id, isDeleted }) => !isDeleted && countGiven(platform, guideId, [String(id)])[0] === 0)
      .map(({ id }) => String(id))
    const [lost = '', ...userIds] = without.slice(0, 5)
    const first = { order_id: 'one', guide: guideId, users: userIds }
    for (let time = 0; time < 2; time++) expect(await order(product, first)).toBe('4 assigned')
    expect(await order(product, { ...first, order_id: 'two' })).toBe('4 had it already')
    expect(countGiven(platform, guideId, userIds)).toEqual([1, 1, 1, 1])

    // Its answer is lost, and the product starts again.
    platform.apiFaults.next({ fault: 'cut', method: 'POST', carriedOut: true })
    const cut = { order_id: 'lost', guide: guideId, users: [lost] }
    expect(await order(product, cut)).toBe('1 no answer')
    await product.stop()
    await product.start()
    expect(await order(product, { ...first, order_id: 'later' })).toBe('4 had it already')
    expect(await readOrder(product, 'lost')).toBe('1 no answer')
    const page = await fetch(`${product.dashboardUrl}/assign/orders/lost`)
    expect(await page.text()).toContain('Ask again')
    expect(countGiven(platform, guideId, [lost])).toEqual([1])
    if (!isFull) await compare()
  },
)
