/**
 * Executes orders, person by person, once each. The platform has no idempotency key. So a call is never repeated unless it was
 * certainly not done, or a person asks for it.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { type Clock, systemClock } from '../platform/clock.ts'
import type { PlatformClient } from '../platform/open-platform-client.ts'
import { PlatformError, type PlatformErrorCode } from '../platform/platform-error.ts'
import type { OnceResult, Outcome, Prepared } from '../records/once.ts'
import type { Claim } from '../records/records.ts'
import {
  createOrderStore,
  findObstacle,
  isLost,
  isUnanswered,
  lastOf,
  toCall,
  toCallKey,
  toOutcome,
  toThing,
  type CallValue,
  type StoredOrder,
} from './order-store.ts'

export type GuideOrderRunnerOptions = {
  /** Reads its own writes. */
  client: ClickHouseClient
  platform: Pick<PlatformClient, 'createGuideAssignment' | 'guideAssignments'>
  clock?: Pick<Clock, 'now'>
}

export type GuideOrderRunner = ReturnType<typeof createGuideOrderRunner>

/** After this many calls in a row without an answer, the next pass continues. */
const maxUnanswered = 3

/** Nobody expects older orders any more. */
const maxAgeMs = 24 * 3_600_000

/** A refusal of this person or guide; another call would get the same. */
const refusals: readonly PlatformErrorCode[] = ['NOT_FOUND', 'REFUSED']

type Holding = { id: string; userId: string; isCompleted: boolean }

type Person = {
  userId: string
  wireUserId: string | number
  hasLeft: boolean
}

export function createGuideOrderRunner({ client, platform, clock = systemClock }: GuideOrderRunnerOptions) {
  const store = createOrderStore(client, clock.now)

  /** True when nothing is left to do. */
  async function runOrder(order: StoredOrder, signal: AbortSignal): Promise<boolean> {
    const calls = await store.readCalls(order.guideId, order.userIds)
    const open = order.userIds.filter((userId) => {
      const outcome = toOutcome(lastOf(calls.get(userId), order, userId))
      return outcome === 'planned' || outcome === 'waiting'
    })
    const [facts, numericIds] = await Promise.all([store.readFacts(open), store.readNumericIds(open)])
    let holders: ReturnType<typeof readHolders> | undefined
    const holdersOf = () => (holders ??= readHolders(order.guideId, signal))
    let isDone = true
    let unanswered = 0
    for (const userId of open) {
      if (signal.aborted) return false
      const wireUserId = numericIds.has(userId) ? toNumber(userId) : userId
      const person = { userId, wireUserId, hasLeft: facts.get(userId)?.active === false }
      const result = await advance(order, person, holdersOf, signal)
      if (result === undefined || result.state === 'withdrawn') isDone = false
      // The next call would be turned away as well.
      if (result?.state === 'not_sent') return false
      unanswered = result?.state === 'unknown' ? unanswered + 1 : 0
      if (unanswered === maxUnanswered) return false
    }
    return isDone
  }

  /** Who has the guide now. Empty if the platform does not list that. */
  async function readHolders(guideId: string, signal: AbortSignal): Promise<Map<string, Holding[]>> {
    const found = new Map<string, Holding>()
    const pages = platform.guideAssignments(guideId, { priority: 'person', signal })
    try {
      for await (const { items } of pages)
        for (const { id, userId, isArchived, isDeleted, isCompleted } of items)
          if (userId != null && isArchived !== true && isDeleted !== true)
            found.set(id, { id, userId, isCompleted: isCompleted === true })
    } catch (error) {
      if (!(error instanceof PlatformError) || !['NOT_FOUND', 'NOT_OFFERED'].includes(error.code)) throw error
    }
    return Map.groupBy(found.values(), ({ userId }) => userId)
  }

  function advance(
    order: StoredOrder,
    { userId, wireUserId, hasLeft }: Person,
    holdersOf: () => Promise<Map<string, Holding[]>>,
    signal: AbortSignal,
  ): Promise<OnceResult> {
    const { guideId, again, dueDateMs } = order
    const thing = toThing(order, userId)
    const skip = (end: CallValue['end'], detail = '') =>
      ({ state: 'skipped', detail, about: { end } }) as const

    async function prepare(attempts: readonly Claim<CallValue>[]): Promise<Prepared<CallValue>> {
      if (hasLeft) return skip('left')
      let holdings: readonly Holding[]
      try {
        holdings = (await holdersOf()).get(userId) ?? []
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error
        if (error.code === 'STOPPED') return undefined
        return { act: () => Promise.resolve({ state: 'not_sent', detail: toDetail(error), isAway: true }) }
      }
      const holding = holdings.find(({ isCompleted }) => !(again && isCompleted))
      if (holding !== undefined) return skip('already', holding.id)
      const obstacle = findObstacle(attempts.map(toCall), order)
      if (obstacle !== undefined && isUnanswered(obstacle))
        return isLost(obstacle, clock.now()) ? skip('gave_up', 'UNANSWERED') : undefined
      if (obstacle !== undefined) return skip('already', obstacle.detail)
      const askedAtMs = order.askedAgainMs[userId] ?? order.askedAtMs
      return clock.now() - askedAtMs > maxAgeMs ? skip('gave_up', 'EXPIRED') : { act }
    }

    async function act(): Promise<Outcome> {
      try {
        const due = dueDateMs === null ? {} : { dueDateMs }
        const values = { guideId, userId: wireUserId, ...due }
        const given = await platform.createGuideAssignment(values, { priority: 'person', signal })
        return { state: 'sent', detail: given?.id ?? '' }
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error
        if (error.mayHaveHappened) return { state: 'unknown', detail: error.code }
        const detail = toDetail(error)
        return refusals.includes(error.code)
          ? { state: 'refused', detail }
          : { state: 'not_sent', detail, isAway: true }
      }
    }

    const isRival = (attempt: Claim<CallValue>) =>
      attempt.value.thing === thing || findObstacle([toCall(attempt)], order) !== undefined
    return store.once(toCallKey(guideId, userId), { thing, end: '' }, prepare, isRival)
  }

  return {
    /** One pass over every unfinished order. `rest`: how many remain. */
    async run(signal: AbortSignal): Promise<{ rest: number }> {
      let rest = 0
      for (const orderId of await store.openIds()) {
        const order = await store.orders.read(orderId)
        if (order !== undefined && !signal.aborted && !(await runOrder(order.value, signal))) rest++
      }
      return { rest }
    },
  }
}

const toDetail = ({ code, message }: PlatformError) => `${code}: ${message}`

/** Ids go out as they came; a number only where it is the same id. */
function toNumber(userId: string): number | string {
  const number = Number(userId)
  return Number.isSafeInteger(number) && String(number) === userId ? number : userId
}
