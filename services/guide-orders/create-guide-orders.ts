/** Previews, stores and reads orders. Only the runner calls the platform. */
import type { ClickHouseClient } from '@clickhouse/client'
import { refuse } from '../../language/problems.ts'
import {
  maxPeoplePerOrder,
  type GuideOrder,
  type OrderedPerson,
  type OrderOutcome,
  type OrderProblem,
  type OrderRequest,
  type PlannedPerson,
} from './guide-orders.ts'
import {
  createOrderStore,
  findObstacle,
  isLost,
  isUnanswered,
  lastOf,
  toOutcome,
  type StoredOrder,
} from './order-store.ts'

export type GuideOrdersOptions = {
  client: ClickHouseClient
  /** Called after something was ordered, so that a runner in this process need not poll. */
  onPlaced?: () => void
  /** Default: that of the machine. */
  now?: () => number
}

export type GuideOrders = ReturnType<typeof createGuideOrders>
export type OrderPreview = Extract<Awaited<ReturnType<GuideOrders['preview']>>, { ok: true }>['preview']

const longestText = 500

export function createGuideOrders({ client, onPlaced, now = Date.now }: GuideOrdersOptions) {
  const store = createOrderStore(client, now)

  /** What an order would do. The people are in the order of the request, each once. */
  async function preview({ guideId, userIds, again }: Pick<OrderRequest, 'guideId' | 'userIds' | 'again'>) {
    const ids = [...new Set(userIds)]
    const problem = checkGuide(guideId) ?? checkPeople(ids)
    if (problem !== undefined) return { ok: false as const, problem }
    const [guides, facts, holders, calls, seenAtMs] = await Promise.all([
      store.readGuides(),
      store.readFacts(ids),
      store.readHolders(guideId, ids),
      store.readCalls(guideId, ids),
      store.readSeenAtMs(),
    ])
    const guide = guides.find(({ id }) => id === guideId)
    const order = { orderId: '', askedAtMs: now(), again }
    const people = ids.map((userId): PlannedPerson => {
      const { name = null, active = true } = facts.get(userId) ?? {}
      const holder = holders.find((one) => one.userId === userId && !(again && one.completed))
      const obstacle = findObstacle(calls.get(userId) ?? [], order)
      const person = { userId, name, assignmentId: null, orderId: null }
      if (!active) return { ...person, plan: 'has_left' }
      if (holder !== undefined) return { ...person, plan: 'has_guide', assignmentId: holder.assignmentId }
      if (obstacle === undefined) return { ...person, plan: 'assign' }
      if (isUnanswered(obstacle)) return { ...person, plan: 'unknown', orderId: obstacle.orderId }
      return { ...person, plan: 'has_guide', assignmentId: obstacle.detail || null }
    })
    const known = { id: guideId, title: guide?.title ?? guideId, isKnown: guide !== undefined }
    return { ok: true as const, preview: { guide: known, people, seenAtMs } }
  }

  /** Durable when it resolves; executed afterwards. An order with a known id changes nothing: the first one is returned. */
  async function place(request: OrderRequest) {
    const { orderId, guideId, dueDateMs } = request
    if (!/^[\w-]{1,100}$/.test(orderId)) return refuse('invalid_order_id')
    // 0 is stored for none.
    if (dueDateMs !== null && dueDateMs <= 0) return refuse('invalid_due_date')
    const userIds = [...new Set(request.userIds)].sort()
    const problem = checkGuide(guideId) ?? checkPeople(userIds)
    if (problem !== undefined) return { ok: false as const, problem }
    const guide = (await store.readGuides()).find(({ id }) => id === guideId)
    // The first order of an id stays.
    const order: StoredOrder = {
      ...request,
      userIds,
      askedAgainMs: {},
      askedAtMs: now(),
      askedBy: request.askedBy.trim().slice(0, longestText),
      reason: request.reason.trim().slice(0, longestText),
      guideTitle: guide?.title ?? guideId,
    }
    let stored: StoredOrder | undefined
    // Again where others place it at the same moment, and all withdraw.
    while (stored === undefined) {
      const put = await store.orders.put(orderId, order, 0)
      stored = put.ok ? order : put.kept?.value
    }
    onPlaced?.()
    return { ok: true as const, order: await read(stored) }
  }

  async function read(order: StoredOrder): Promise<GuideOrder> {
    const [calls, facts] = await Promise.all([
      store.readCalls(order.guideId, order.userIds),
      store.readFacts(order.userIds),
    ])
    const people = order.userIds.map((userId): OrderedPerson => {
      const last = lastOf(calls.get(userId), order, userId)
      const outcome = toOutcome(last)
      const hasGuide = outcome === 'assigned' || outcome === 'already'
      return {
        userId,
        name: facts.get(userId)?.name ?? null,
        outcome,
        assignmentId: (hasGuide && last?.detail) || null,
        lastStepAtMs: last?.atMs ?? null,
        detail: hasGuide ? '' : (last?.detail ?? ''),
        canAskAgain: last !== undefined && isLost(last, now()),
      }
    })
    const counts: Partial<Record<OrderOutcome, number>> = {}
    for (const { outcome } of people) counts[outcome] = (counts[outcome] ?? 0) + 1
    const isOpen = ({ outcome, canAskAgain }: OrderedPerson) =>
      outcome === 'planned' || outcome === 'waiting' || (outcome === 'unknown' && !canAskAgain)
    const { userIds: _, askedAgainMs: _again, askedBy, ...rest } = order
    return { ...rest, askedBy: askedBy || null, isDone: !people.some(isOpen), counts, people }
  }

  async function get(orderId: string): Promise<GuideOrder | null> {
    const order = await store.orders.read(orderId)
    return order === undefined ? null : read(order.value)
  }

  /** Repeats unanswered calls. `userIds`: for these people; default all. `null`: no such order. */
  async function askAgain(orderId: string, userIds?: readonly string[]): Promise<GuideOrder | null> {
    const kept = await store.orders.read(orderId)
    if (kept === undefined) return null
    const order = kept.value
    const calls = await store.readCalls(order.guideId, order.userIds)
    const lost = order.userIds.filter((userId) => {
      const last = lastOf(calls.get(userId), order, userId)
      return userIds?.includes(userId) !== false && last !== undefined && isLost(last, now())
    })
    if (lost.length === 0) return read(order)
    const asked = Object.fromEntries(lost.map((userId) => [userId, now()]))
    const changed = { ...order, askedAgainMs: { ...order.askedAgainMs, ...asked } }
    const put = await store.orders.put(orderId, changed, kept.version)
    // Someone else asked at the same moment.
    if (!put.ok) return askAgain(orderId, userIds)
    onPlaced?.()
    return read(changed)
  }

  return {
    /** The guides that the platform lists, by title. Others can be ordered by their id. */
    guides: () => store.readGuides(),
    preview,
    place,
    get,
    askAgain,
    /** Newest first. */
    recent: async (limit: number) =>
      Promise.all((await store.orders.list({ limit })).map(({ value }) => read(value))),
  }
}

/** As a part of a path, dots change the place. */
function checkGuide(guideId: string): OrderProblem | undefined {
  const isUsable = /^[^\p{Cc}]{1,200}$/u.test(guideId) && guideId.isWellFormed() && !/^\.\.?$/.test(guideId)
  return isUsable ? undefined : { code: 'invalid_guide' }
}

function checkPeople(userIds: readonly string[]): OrderProblem | undefined {
  if (userIds.length === 0 || userIds.includes('')) return { code: 'nobody_to_order_for' }
  if (userIds.length <= maxPeoplePerOrder) return undefined
  return { code: 'too_many_to_order_for', values: { n: userIds.length, most: maxPeoplePerOrder } }
}
