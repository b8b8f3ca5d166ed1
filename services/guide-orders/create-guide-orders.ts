/** Where orders are previewed, taken and looked up. It never calls the platform: the runner does. */
import type { ClickHouseClient } from '@clickhouse/client'
import {
  isFinal,
  maxPeoplePerOrder,
  type GuideOrder,
  type GuideOrders,
  type OrderedPerson,
  type OrderOutcome,
  type OrderProblem,
  type OrderRequest,
  type PlannedPerson,
} from './guide-orders.ts'
import { createOrderStore, toOutcome, type StoredOrder } from './store.ts'

export type GuideOrdersOptions = {
  /** May write. */
  client: ClickHouseClient
  /** Told when an order is stored, so that a runner in this process need not look. */
  onPlaced?: (orderId: string) => void
  /** Epoch ms. */
  clock?: () => number
}

const itemsPerPage = 200
const longestText = 500

export function createGuideOrders({ client, onPlaced, clock = Date.now }: GuideOrdersOptions): GuideOrders {
  const store = createOrderStore(client)

  async function preview({ guideId, userIds, again }: Pick<OrderRequest, 'guideId' | 'userIds' | 'again'>) {
    const ids = [...new Set(userIds)]
    const problem = checkPeople(ids)
    if (problem !== undefined) return { ok: false as const, problem }
    const guide = (await store.readGuides()).find(({ id }) => id === guideId)
    if (guide === undefined) return { ok: false as const, problem: unknownGuide }
    const [facts, holders, size] = await Promise.all([
      store.readFacts(ids),
      store.readHolders(guideId, ids),
      store.readGuideSize(guideId),
    ])
    const people = ids.map((userId): PlannedPerson => {
      const { name = null, active = true } = facts.get(userId) ?? {}
      const held = holders.find((one) => one.userId === userId && !(again && one.completed))
      const plan = !active ? 'has_left' : held !== undefined ? 'has_guide' : 'assign'
      return { userId, name, plan, assignmentId: plan === 'has_guide' ? (held?.assignmentId ?? null) : null }
    })
    const assign = people.filter(({ plan }) => plan === 'assign').length
    const list = Math.max(1, Math.ceil((size.assignments + 1) / itemsPerPage))
    return {
      ok: true as const,
      preview: { guide, people, calls: { assign, list }, seenAtMs: size.seenAtMs === 0 ? null : size.seenAtMs },
    }
  }

  async function place(request: OrderRequest) {
    if (!/^[\w-]{1,100}$/.test(request.orderId)) return { ok: false as const, problem: invalidId }
    const userIds = [...new Set(request.userIds)].sort()
    const problem = checkPeople(userIds)
    if (problem !== undefined) return { ok: false as const, problem }
    const [existing] = await store.readOrders(request.orderId)
    const guide = existing
      ? { id: existing.guideId, title: existing.guideTitle }
      : (await store.readGuides()).find(({ id }) => id === request.guideId)
    if (guide === undefined) return { ok: false as const, problem: unknownGuide }
    const wanted: StoredOrder = {
      orderId: request.orderId,
      askedAtMs: existing?.askedAtMs ?? clock(),
      askedBy: request.askedBy.trim().slice(0, longestText),
      reason: request.reason.trim().slice(0, longestText),
      guideId: request.guideId,
      guideTitle: guide.title,
      userIds,
      dueDateMs: request.dueDateMs ?? 0,
      again: request.again,
    }
    if (existing === undefined) await store.writeOrder(wanted)
    // Looked at again after writing: of two that were placed at once with different content neither is carried out.
    const stored = await store.readOrders(request.orderId)
    if (stored.some((one) => !isSameOrder(one, wanted))) return { ok: false as const, problem: conflict }
    onPlaced?.(request.orderId)
    const order = await get(request.orderId)
    if (order === null) throw new Error(`the order ${request.orderId} was stored and cannot be read`)
    return { ok: true as const, order, isNew: existing === undefined }
  }

  async function get(orderId: string): Promise<GuideOrder | null> {
    const [order] = await store.readOrders(orderId)
    if (order === undefined) return null
    const [standings, facts] = await Promise.all([store.readStandings(orderId), store.readFacts(order.userIds)])
    const people = order.userIds.map((userId): OrderedPerson => {
      const standing = standings.get(userId)
      return {
        userId,
        name: facts.get(userId)?.name ?? null,
        outcome: toOutcome(standing?.state ?? ''),
        assignmentId: standing?.assignmentId || null,
        tries: standing?.tries ?? 0,
        lastStepAtMs: standing?.atMs || null,
        detail: standing?.detail ?? '',
      }
    })
    const counts: Partial<Record<OrderOutcome, number>> = {}
    for (const { outcome } of people) counts[outcome] = (counts[outcome] ?? 0) + 1
    const isDone = people.every(({ outcome }) => isFinal(outcome))
    const heldUp = standings.get('')
    const lastAtMs = Math.max(0, ...people.map(({ lastStepAtMs }) => lastStepAtMs ?? 0))
    return {
      orderId,
      askedAtMs: order.askedAtMs,
      askedBy: order.askedBy || null,
      reason: order.reason,
      guideId: order.guideId,
      guideTitle: order.guideTitle,
      dueDateMs: order.dueDateMs || null,
      again: order.again,
      isDone,
      heldUpBy: !isDone && heldUp !== undefined && heldUp.atMs >= lastAtMs ? heldUp.detail : null,
      counts,
      people,
    }
  }

  return {
    guides: () => store.readGuides(),
    preview,
    place,
    get,
    async recent(limit) {
      const orders = await Promise.all((await store.recentIds(limit)).map((orderId) => get(orderId)))
      return orders.filter((order) => order !== null)
    },
  }
}

const unknownGuide: OrderProblem = {
  reason: 'unknown_guide',
  message: 'No such guide is known; guides are known once they have been pulled from the platform.',
}
const invalidId: OrderProblem = {
  reason: 'invalid_id',
  message: 'The id of an order has 1 to 100 letters, digits, hyphens and underscores.',
}
const conflict: OrderProblem = {
  reason: 'conflict',
  message: 'Another order with this id was placed; begin with a new preview.',
}

function checkPeople(userIds: readonly string[]): OrderProblem | undefined {
  if (userIds.length === 0 || userIds.some((id) => id === '')) {
    return { reason: 'nobody', message: 'The list holds nobody who could be given a guide.' }
  }
  if (userIds.length <= maxPeoplePerOrder) return undefined
  const message = `The list holds ${userIds.length} people; an order takes ${maxPeoplePerOrder} at most. Narrow the list down.`
  return { reason: 'too_many', message, most: maxPeoplePerOrder }
}

export function isSameOrder(a: StoredOrder, b: StoredOrder): boolean {
  return (
    a.guideId === b.guideId &&
    a.dueDateMs === b.dueDateMs &&
    a.again === b.again &&
    JSON.stringify(a.userIds) === JSON.stringify(b.userIds)
  )
}
