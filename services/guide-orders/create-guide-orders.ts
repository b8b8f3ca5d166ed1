/** Where orders are previewed, taken and looked up. It never calls the platform: the runner does. */
import { refuse } from '../../language/problems.ts'
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
import type { ListName } from '../platform/read-pages.ts'
import {
  createOrderStore,
  toOutcome,
  type Standing,
  type StepState,
  type StoredOrder,
} from './order-store.ts'

export type GuideOrdersOptions = {
  client: ClickHouseClient
  /** Told when an order is stored, so that a runner in this process need not look. */
  onPlaced?: (orderId: string) => void
  /** Where guides can be taken back: whether that needs the id of the assignment. */
  takeBackPath?: string | undefined
}

const itemsPerPage = 200
const longestText = 500

export function createGuideOrders({ client, onPlaced, takeBackPath }: GuideOrdersOptions): GuideOrders {
  const store = createOrderStore(client)

  async function preview({ guideId, userIds, again }: Pick<OrderRequest, 'guideId' | 'userIds' | 'again'>) {
    const ids = [...new Set(userIds)]
    const problem = checkGuide(guideId) ?? checkPeople(ids)
    if (problem !== undefined) return { ok: false as const, problem }
    const [guides, facts, holders, size, isListed, elsewhere] = await Promise.all([
      store.readGuides(),
      store.readFacts(ids),
      store.readHolders(guideId, ids),
      store.readGuideSize(guideId),
      isOffered('guide_assignments'),
      store.readElsewhere({ orderId: '', guideId }, ids),
    ])
    const guide = guides.find(({ id }) => id === guideId)
    const people = ids.map((userId): PlannedPerson => {
      const { name = null, active = true } = facts.get(userId) ?? {}
      const before = isListed ? undefined : elsewhere.get(userId)
      const holding =
        holders.find((one) => one.userId === userId && !(again && (one.completed || !isListed))) ??
        (before?.isGiven && !again ? before : undefined)
      const plan = !active
        ? 'has_left'
        : before?.isUndecided
          ? 'undecided'
          : holding !== undefined
            ? 'has_guide'
            : 'assign'
      return {
        userId,
        name,
        plan,
        assignmentId: plan === 'has_guide' ? (holding?.assignmentId ?? null) : null,
        orderId: plan === 'undecided' ? (before?.orderId ?? null) : null,
      }
    })
    const assign = people.filter(({ plan }) => plan === 'assign').length
    const pages = Math.ceil((size.assignments + 1) / itemsPerPage)
    // Several are read twice.
    const list = !isListed ? 0 : pages === 1 ? 1 : 2 * pages
    return {
      ok: true as const,
      preview: {
        guide: { id: guideId, title: guide?.title ?? guideId, isKnown: guide !== undefined },
        isListed,
        people,
        calls: { assign, list },
        seenAtMs: size.seenAtMs === 0 ? null : size.seenAtMs,
      },
    }
  }

  async function place(request: OrderRequest) {
    if (!/^[\w-]{1,100}$/.test(request.orderId)) return refuse('invalid_order_id')
    // 0 is stored for none.
    if (request.dueDateMs !== null && request.dueDateMs <= 0) return refuse('invalid_due_date')
    const userIds = [...new Set(request.userIds)].sort()
    const problem = checkGuide(request.guideId) ?? checkPeople(userIds)
    if (problem !== undefined) return { ok: false as const, problem }
    const [existing] = await store.readOrders(request.orderId)
    const guideTitle =
      existing?.guideTitle ??
      (await store.readGuides()).find(({ id }) => id === request.guideId)?.title ??
      request.guideId
    const { orderId, guideId, dueDateMs, again } = request
    const order: StoredOrder = {
      orderId,
      guideId,
      dueDateMs,
      again,
      askedAtMs: existing?.askedAtMs ?? Date.now(),
      askedBy: request.askedBy.trim().slice(0, longestText),
      reason: request.reason.trim().slice(0, longestText),
      guideTitle,
      userIds,
    }
    if (existing === undefined) await store.writeOrder(order)
    // Looked at again after writing: of two that were placed at once with different content neither is carried out.
    const stored = await store.readOrders(request.orderId)
    if (stored.some((one) => !isSameOrder(one, order))) return refuse('order_conflict')
    onPlaced?.(request.orderId)
    const placed = await get(request.orderId)
    if (placed === null) throw new Error(`the order ${request.orderId} was stored and cannot be read`)
    return { ok: true as const, order: placed, isNew: existing === undefined }
  }

  async function get(orderId: string): Promise<GuideOrder | null> {
    const [order] = await store.readOrders(orderId)
    if (order === undefined) return null
    const [standings, facts] = await Promise.all([
      store.readStandings(orderId),
      store.readFacts(order.userIds),
    ])
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
        step: standing?.lastStep ?? 0,
        needsDecision: standing?.state === 'unanswered',
        canTakeBack: standing !== undefined && canTakeBack(standing),
      }
    })
    const counts: Partial<Record<OrderOutcome, number>> = {}
    for (const { outcome } of people) counts[outcome] = (counts[outcome] ?? 0) + 1
    const isDone = people.every(({ outcome, needsDecision }) => isFinal(outcome) || needsDecision)
    const heldUp = standings.get('')
    const lastAtMs = Math.max(0, ...people.map(({ lastStepAtMs }) => lastStepAtMs ?? 0))
    const { userIds: _, askedBy, ...rest } = order
    return {
      ...rest,
      askedBy: askedBy || null,
      isDone,
      heldUpBy: !isDone && heldUp !== undefined && heldUp.atMs >= lastAtMs ? heldUp.detail : null,
      counts,
      people,
    }
  }

  function canTakeBack({ state, assignmentId }: Standing): boolean {
    const isGiven = state === 'assigned' || state === 'given' || state === 'kept'
    return (
      isGiven &&
      takeBackPath !== undefined &&
      (assignmentId !== '' || !takeBackPath.includes('{assignment_id}'))
    )
  }

  /** Writes a person's decision, where nothing was done since they saw the order. */
  async function write(
    orderId: string,
    people: readonly { userId: string; step: number }[],
    {
      state,
      detail,
      isPossible,
    }: { state: StepState; detail: string; isPossible: (standing: Standing) => boolean },
  ): Promise<GuideOrder | null> {
    const standings = await store.readStandings(orderId)
    for (const { userId, step } of people) {
      const standing = standings.get(userId)
      // A form that was sent twice, or is older than the last call, does nothing.
      if (standing === undefined || standing.lastStep !== step || !isPossible(standing)) continue
      await store.writeStep({
        orderId,
        userId,
        step: step + 1,
        runner: 'person',
        atMs: Math.max(Date.now(), standing.atMs + 1),
        state,
        detail,
        assignmentId: standing.assignmentId,
      })
    }
    onPlaced?.(orderId)
    return get(orderId)
  }

  async function isOffered(list: ListName): Promise<boolean> {
    return (await store.readLists()).every((one) => one.list !== list || one.isOffered)
  }

  return {
    guides: () => store.readGuides(),
    areGuidesListed: () => isOffered('guides'),
    preview,
    place,
    get,
    decide: (orderId, decision, people) =>
      write(orderId, people, {
        state: decision,
        detail: decision === 'given' ? 'MARKED_GIVEN' : 'ORDERED_AGAIN',
        isPossible: ({ state }) => state === 'unanswered',
      }),
    takeBack: (orderId, people) =>
      write(orderId, people, { state: 'take_back', detail: '', isPossible: canTakeBack }),
    async recent(limit) {
      const orders = await Promise.all((await store.recentIds(limit)).map((orderId) => get(orderId)))
      return orders.filter((order) => order !== null)
    },
  }
}

/** As a part of a path, dots change the place. */
function checkGuide(guideId: string): OrderProblem | undefined {
  const isUsable = /^[^\p{Cc}]{1,200}$/u.test(guideId) && guideId.isWellFormed() && !/^\.\.?$/.test(guideId)
  return isUsable ? undefined : { code: 'invalid_guide' }
}

function checkPeople(userIds: readonly string[]): OrderProblem | undefined {
  if (userIds.length === 0 || userIds.some((id) => id === '')) {
    return { code: 'nobody_to_order_for' }
  }
  if (userIds.length <= maxPeoplePerOrder) return undefined
  return { code: 'too_many_to_order_for', values: { n: userIds.length, most: maxPeoplePerOrder } }
}

export function isSameOrder(a: StoredOrder, b: StoredOrder): boolean {
  return (
    a.guideId === b.guideId &&
    a.dueDateMs === b.dueDateMs &&
    a.again === b.again &&
    JSON.stringify(a.userIds) === JSON.stringify(b.userIds)
  )
}
