/** Ids of people go out in the form in which the platform sends them. */
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createGuideOrders } from '../../services/guide-orders/create-guide-orders.ts'
import { createGuideOrderRunner } from '../../services/guide-orders/runner.ts'
import { serveAnswers } from '../platform/answers.ts'
import { openTestClient } from '../registration/client.ts'
import { toBatch, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { openInstallation } from '../sync/pull/installation.ts'
import { never, toRequest } from './office.ts'

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())
/** A platform that lists these users, and one guide that nobody has. */
async function serve(users: unknown[]) {
  const server = await serveAnswers((url) => ({
    json: url.pathname.endsWith('/users')
      ? users
      : url.pathname.endsWith('/guides')
        ? [{ id: 'g', title: 'G' }]
        : [],
  }))
  onTestFinished(() => server.close())
  return server
}

async function pull(baseUrl: string, ...jobs: string[]): Promise<void> {
  const installation = openInstallation({ store, baseUrl })
  for (const job of jobs) expect((await installation.jobs.run(job)).outcome).toBe('succeeded')
  await installation.close()
}

/** An event of each user, as text of JSON. */
async function deliver(...users: string[]): Promise<void> {
  const bodies = users.map(
    (user, n) => `{"eventType":"userCreated","timestamp":${Date.UTC(2026, 4, 4) + n},"user":${user}}`,
  )
  const batch = toBatch(bodies.map((body, offset) => toRecord(Buffer.from(body), offset)))
  await createConsumer({ client: store.writer }).handle(batch)
}

async function orderFor(
  baseUrl: string,
  bodies: readonly string[],
  ...userIds: string[]
): Promise<unknown[]> {
  const orders = createGuideOrders({ client: store.writer })
  const placed = await orders.place(toRequest('g', { userIds }))
  expect(placed.ok).toBe(true)
  const platform = openTestClient(baseUrl, 'platform-token')
  onTestFinished(() => platform.close())
  await createGuideOrderRunner({ client: store.writer, platform }).run(never)
  return bodies
    .filter((body) => body.startsWith('{'))
    .map((body) => (JSON.parse(body) as { userId: unknown }).userId)
    .toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
}

test('a number where the platform lists a number, and text where it lists text, whatever it looks like', async () => {
  const server = await serve([{ id: 7 }, { id: '8' }, { id: '007' }, { id: 'abc' }])
  await pull(server.url, 'users', 'guides')
  expect(await orderFor(server.url, server.bodies, '7', '8', '007', 'abc')).toEqual(['007', 7, '8', 'abc'])
})

test('as in the events, where a person was never listed; the list counts first; else as text', async () => {
  const server = await serve([{ id: '8' }])
  await deliver('{"id":7}', '{"id":8}', '{"id":"9"}')
  await pull(server.url, 'users', 'guides')
  expect(await orderFor(server.url, server.bodies, '7', '8', '9', '10')).toEqual(['10', 7, '8', '9'])
})

test('as text where the number cannot be written exactly', async () => {
  const server = await serve([])
  await deliver('{"id":9007199254740993}')
  await pull(server.url, 'guides')
  expect(await orderFor(server.url, server.bodies, '9007199254740992')).toEqual(['9007199254740992'])
})
