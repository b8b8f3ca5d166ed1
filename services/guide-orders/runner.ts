/**
 * Executes orders. For each person: store the intent, make the call, store the outcome. An intent without an outcome -
 * the process died, the answer was lost - is looked up in the guide's list at the platform before anything else is done
 * for that person. The platform has no idempotency key, so this prevents a second assignment after a lost answer.
 */
import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { toFailure } from '../clickhouse/errors/failure.ts'
import type { Clock } from '../platform/budget/call-budget.ts'
import { isFinal } from './guide-orders.ts'
import { isSameOrder } from './create-guide-orders.ts'
import { createOrderStore, toOutcome, type Standing, type StepState, type StoredOrder } from './store.ts'
import type { PlatformClient } from '../platform/platform-client.ts'
import { PlatformError, type PlatformErrorCode } from '../platform/platform-error.ts'
import { readHeld, type Held } from './read-held.ts'
import { systemClock } from '../platform/system-clock.ts'

export type GuideOrderRunnerOptions = {
  /** Reads its own writes. */
  client: ClickHouseClient
  platform: Pick<PlatformClient, 'createGuideAssignment' | 'guideAssignments'>
  clock?: Clock
  /**
   * How long an unanswered call may still take effect at the platform. Only after that does "not on the guide's list"
   * mean "not done". Longer than the client's time-out. Default 60 s.
   */
  settleMs?: number
  /** Maximum calls for one person. Default 5. */
  maxTries?: number
  /** Older orders end: nobody expects them any more. Default 24 h. */
  maxAgeMs?: number
}

export type GuideOrderRunner = {
  /**
   * One pass over every unfinished order; resolves to how many remain. Passes never overlap: a call during one resolves
   * with one more that follows it.
   */
  run(signal: AbortSignal): Promise<{ left: number }>
}

/** After this many calls in a row without an answer, the platform is left alone until the next pass. */
const maxUnanswered = 3

/** A refusal of this person or guide; another call would get the same. */
const refusals: readonly PlatformErrorCode[] = ['NOT_FOUND', 'REFUSED']

export function createGuideOrderRunner(options: GuideOrderRunnerOptions): GuideOrderRunner {
  const { client, platform, clock = systemClock } = options
  const { settleMs = 60_000, maxTries = 5, maxAgeMs = 24 * 3_600_000 } = options
  const store = createOrderStore(client)
  const runner = randomUUID()
  let lastStepAtMs = 0

  /** Steps of one person in one millisecond still need an order. */
  const now = () => (lastStepAtMs = Math.max(clock.now(), lastStepAtMs + 1))

  async function pass(signal: AbortSignal): Promise<{ left: number }> {
    let left = 0
    let refusal: unknown
    for (const orderId of await store.openIds()) {
      if (signal.aborted) break
      const orders = await store.readOrders(orderId)
      const [order] = orders
      // Two orders under one id: it is unclear which one was meant.
      if (order === undefined || orders.some((other) => !isSameOrder(order, other))) continue
      try {
        if (!(await runOrder(order, signal))) left++
      } catch (error) {
        // What the store refuses about one order holds up no other.
        if (toFailure(error) !== 'content') throw error
        refusal = error
      }
    }
    if (refusal !== undefined) throw refusal
    return { left }
  }

  /** True when nothing is left to do. */
  async function runOrder(order: StoredOrder, signal: AbortSignal): Promise<boolean> {
    const standings = await store.readStandings(order.orderId)
    const open = order.userIds.filter((userId) => !isFinal(toOutcome(standings.get(userId)?.state ?? '')))
    if (open.length === 0) return true
    try {
      const [facts, numericIds, unsettled] = await Promise.all([
        store.readFacts(open),
        store.readNumericIds(open),
        store.readUnsettled(order),
      ])
      const readAtMs = clock.now()
      const held = await readHeld(platform, order.guideId, signal)
      let isDone = true
      let unanswered = 0
      for (const userId of open) {
        if (signal.aborted) return false
        if (unsettled.has(userId)) {
          isDone = false
          continue
        }
        const standing = standings.get(userId)
        const mine = held?.get(userId) ?? []
        const state = await advance(order, standing ?? toNew(userId), {
          held: mine,
          readAtMs,
          wireUserId: numericIds.has(userId) ? toNumber(userId) : userId,
          hasLeft: facts.get(userId)?.active === false,
          isGuideGone: held === undefined,
          signal,
        })
        if (!isFinal(toOutcome(state))) isDone = false
        unanswered = state === 'unknown' && standing?.state !== 'unknown' ? unanswered + 1 : 0
        if (unanswered === maxUnanswered) {
          throw new PlatformError('TIMED_OUT', 'The platform does not answer; what was asked is looked up later.')
        }
      }
      return isDone
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (error.code !== 'STOPPED') await holdUp(order, standings.get(''), error)
      return false
    }
  }

  /** One step for one person. Throws where the platform would refuse the next person's call as well. */
  async function advance(
    order: StoredOrder,
    standing: Standing,
    seen: {
      held: Held[]
      readAtMs: number
      wireUserId: string | number
      hasLeft: boolean
      isGuideGone: boolean
      signal: AbortSignal
    },
  ): Promise<StepState | ''> {
    const { orderId, guideId, again } = order
    const { userId, state } = standing
    let { lastStep } = standing
    const write = async (
      to: StepState,
      values: { assignmentId?: string; detail?: string; knownIds?: string[] } = {},
    ) => {
      lastStep++
      await store.writeStep({ orderId, userId, step: lastStep, runner, atMs: now(), state: to, ...values })
      return to
    }

    if (state === 'intended' || state === 'unknown') {
      const made = seen.held.find(({ id }) => !standing.knownIds.includes(id))
      if (made !== undefined) return write('assigned', { assignmentId: made.id, detail: 'FOUND_ON_LIST' })
      // The wait begins when the call was certainly over: an intent may have waited for the budget.
      if (state === 'intended') return write('unknown', { detail: 'INTERRUPTED' })
      // And ends when the list was read: later effects are not on it.
      if (seen.readAtMs - standing.atMs < settleMs) return state
      await write('not_done', { detail: 'NOT_ON_LIST' })
    }
    if (seen.isGuideGone) return write('refused', { detail: 'GUIDE_NOT_FOUND' })
    if (seen.hasLeft) return write('left')
    const existing = seen.held.find((one) => one.isOpen && !(again && one.isCompleted))
    if (existing !== undefined) return write('already', { assignmentId: existing.id })
    if (clock.now() - order.askedAtMs > maxAgeMs) return write('gave_up', { detail: 'EXPIRED' })
    if (standing.tries >= maxTries) return write('gave_up', { detail: standing.detail })

    const intent = { orderId, userId, step: lastStep + 1, runner }
    await write('intended', { knownIds: seen.held.map(({ id }) => id) })
    if (await store.hasRival(intent)) {
      // Two processes may both think they are the runner: a process that sees the other's intent withdraws, so that at
      // most one calls.
      await store.writeStep({ ...intent, atMs: now(), state: 'withdrawn' })
      return state
    }
    try {
      const dueDate = order.dueDateMs === 0 ? {} : { dueDateMs: order.dueDateMs }
      const given = await platform.createGuideAssignment(
        { guideId, userId: seen.wireUserId, ...dueDate },
        { priority: 'person', signal: seen.signal },
      )
      return await write('assigned', given === undefined ? { detail: 'ANSWER_UNREADABLE' } : { assignmentId: given.id })
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (error.mayHaveHappened) return write('unknown', { detail: error.code })
      if (refusals.includes(error.code)) return write('refused', { detail: `${error.code}: ${error.message}` })
      await write('not_done', { detail: error.code })
      throw error
    }
  }

  /** Logs once why nothing continues, not at every pass. */
  async function holdUp(order: StoredOrder, before: Standing | undefined, error: PlatformError): Promise<void> {
    const detail = `${error.code}: ${error.message}`
    if (before?.detail === detail && clock.now() - before.atMs < 15 * 60_000) return
    const step = (before?.lastStep ?? 0) + 1
    const { orderId } = order
    await store.writeStep({ orderId, userId: '', step, runner, atMs: now(), state: 'held_up', detail })
  }

  return { run: createPasses(pass) }
}

/** One pass at a time; all who ask during one share the next. */
function createPasses(pass: GuideOrderRunner['run']): GuideOrderRunner['run'] {
  let underWay: Promise<{ left: number }> | undefined
  let next: Promise<{ left: number }> | undefined
  function begin(signal: AbortSignal) {
    underWay = pass(signal).finally(() => (underWay = undefined))
    return underWay
  }
  return (signal) => {
    if (underWay === undefined) return begin(signal)
    next ??= underWay
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return begin(signal)
      })
    return next
  }
}

/** Ids go out as they came; a number only where it is the same id. */
function toNumber(userId: string): number | string {
  const number = Number(userId)
  return Number.isSafeInteger(number) && String(number) === userId ? number : userId
}

function toNew(userId: string): Standing {
  return {
    userId,
    state: '',
    assignmentId: '',
    detail: '',
    lastStep: 0,
    atMs: 0,
    tries: 0,
    knownIds: [],
  }
}
