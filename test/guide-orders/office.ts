/** Orders over a real store and the stand-in platform, whose guides and people have been pulled. */
import { createGuideOrders } from '../../services/guide-orders/create-guide-orders.ts'
import { createGuideOrderRunner, type GuideOrderRunnerOptions } from '../../services/guide-orders/runner.ts'
import type { GuideOrder, OrderRequest } from '../../services/guide-orders/guide-orders.ts'
import { createListRecord } from '../../services/platform/missing-lists.ts'
import type { PlatformClient } from '../../services/platform/open-platform-client.ts'
import { startPlatform, type Platform, type PlatformOptions } from '../../sample-platform/start.ts'
import { openInstallation } from '../sync/pull/installation.ts'
import { createSetClock } from '../platform/clocks.ts'
import { openTestClient } from '../registration/client.ts'
import type { TestStore } from '../support/store/store.ts'

const day = 86_400_000
export const from = Date.UTC(2026, 4, 4, 6)
export const to = from + 60 * day

export type Office = Awaited<ReturnType<typeof openOffice>>

type RunnerOptions = Partial<GuideOrderRunnerOptions> & { token?: string }

/** Of which platform a store holds people and guides. */
const pulledFrom = new WeakMap<object, string>()

/** The next office of a store begins with the same people and guides, and without orders. */
export async function openOffice(store: TestStore, options: Partial<PlatformOptions> = {}) {
  const clock = createSetClock()
  const platform = await startPlatform({ seed: 'orders', from, to, people: 40, ...options })
  await platform.deliverHistory()
  const key = JSON.stringify(options)
  if (pulledFrom.get(store) === key) {
    await store.writer.command({ query: 'TRUNCATE TABLE rollcall.records' })
  } else {
    if (pulledFrom.has(store)) await store.clear()
    await pullAll(store, platform)
    pulledFrom.set(store, key)
  }
  const onList = createListRecord(store.writer, (list) => list)
  const clients: PlatformClient[] = []
  const orders = createGuideOrders({ client: store.writer, now: clock.now })
  // One that is for a few only: the others do not have it.
  const guide = platform.guides.list()[1]
  if (guide === undefined) throw new Error('the company has fewer guides than it should')

  /** How often each person has the guide at the platform, which alone knows. */
  const countAtPlatform = (userId: string) =>
    platform.guides
      .assignmentsAt(Math.max(platform.life.now(), Date.now()))
      .filter(({ record, person }) => record.courseId === guide.id && String(person.id) === userId).length

  /** People at work who do not have it. */
  const without = (count: number) =>
    platform.life.population.people
      .filter((person) => !person.isDeleted && countAtPlatform(String(person.id)) === 0)
      .slice(0, count)
      .map(({ id }) => String(id))

  return {
    platform,
    orders,
    clock,
    guide,
    countAtPlatform,
    without,
    posts: () => platform.calls.list().filter(({ method }) => method === 'POST').length,
    /** A runner as another process would have it. */
    openRunner({ token = 'platform-token', ...options }: RunnerOptions = {}) {
      const client = openTestClient(platform.baseUrl, token, { onList })
      clients.push(client)
      return createGuideOrderRunner({ client: store.writer, platform: client, clock, ...options })
    },
    async place(request: Partial<OrderRequest>): Promise<GuideOrder> {
      const placed = await orders.place(toRequest(guide.id, request))
      if (!placed.ok) throw new Error(placed.problem.code)
      return placed.order
    },
    async read(orderId: string): Promise<GuideOrder> {
      const order = await orders.get(orderId)
      if (order === null) throw new Error(`no order ${orderId}`)
      return order
    },
    async close() {
      for (const client of clients) await client.close()
      await platform.close()
    },
  }
}

let placed = 0
export function toRequest(guideId: string, request: Partial<OrderRequest>): OrderRequest {
  return {
    orderId: `order-${process.pid}-${placed++}`,
    guideId,
    userIds: [],
    dueDateMs: null,
    again: false,
    askedBy: 'Ada',
    reason: 'fact=overdue',
    ...request,
  }
}

export async function pullAll(store: Pick<TestStore, 'writer'>, platform: Platform): Promise<void> {
  pulledFrom.set(store, 'another time')
  const installation = openInstallation({ store, baseUrl: platform.baseUrl })
  try {
    for (const job of ['users', 'guides', 'guide-assignments']) {
      const result = await installation.jobs.run(job)
      if (result.outcome !== 'succeeded') throw new Error(`${job}: ${JSON.stringify(result.error)}`)
    }
  } finally {
    await installation.close()
  }
}

export const never = new AbortController().signal
