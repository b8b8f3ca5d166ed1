/**
 * Executes orders. For each person: store the intent, make the call, store the outcome. An intent without an outcome -
 * the process died, the answer was lost - is looked up in the guide's list at the platform before anything else is done
 * for that person. The platform has no idempotency key, so this prevents a second assignment after a lost answer. Where the
 * platform has no such list, the call is never made again by itself: a person decides.
 */
import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { toFailure } from '../clickhouse/errors/failure.ts'
import { type Clock, createRemembered, systemClock } from '../platform/clock.ts'
import { isFinal } from './guide-orders.ts'
import { isSameOrder } from './create-guide-orders.ts'
import {
  createOrderStore,
  toOutcome,
  type Elsewhere,
  type Standing,
  type Step,
  type StepState,
  type StoredOrder,
} from './order-store.ts'
import type { PlatformClient } from '../platform/platform-client.ts'
import { PlatformError, type PlatformErrorCode } from '../platform/platform-error.ts'
import { eachPage } from '../platform/each-page.ts'
import { createTurns } from '../runtime/turns.ts'

export type GuideOrderRunnerOptions = {
  /** Reads its own writes. */
  client: ClickHouseClient
  platform: Pick<PlatformClient, 'createGuideAssignment' | 'deleteGuideAssignment' | 'guideAssignments'>
  clock?: Clock
  /**
   * How long an unanswered call may still take effect at the platform. Only after that does "not on the guide's list"
   * mean "not done". Longer than the client's time-out. Default 60 s.
   */
  settleMs?: number
  /** Maximum calls for one person, without those that were turned away. Default 5. */
  maxTries?: number
}

export type GuideOrderRunner = ReturnType<typeof createGuideOrderRunner>

/** After this many calls in a row without an answer, the platform is left alone until the next pass. */
const maxUnanswered = 3

/** Older orders end: nobody expects them any more. */
const maxAgeMs = 24 * 3_600_000

/** A refusal of this person or guide; another call would get the same. */
const refusals: readonly PlatformErrorCode[] = ['NOT_FOUND', 'REFUSED']

/** Where the platform has listed a guide so lately, a guide that is not found is gone. As in the view `offered_lists`. */
const listedWithinMs = 48 * 3_600_000

type Holding = { id: string; isOpen: boolean; isCompleted: boolean }

/** Who has the guide. `unlisted`: the platform does not say. */
type Look =
  | { kind: 'listed'; holdings: Map<string, Holding[]>; readAtMs: number }
  | { kind: 'guide_gone'; readAtMs: number }
  | { kind: 'unlisted' }

type Facts = {
  look: Look
  wireUserId: string | number
  hasLeft: boolean
  elsewhere: Elsewhere | undefined
  /** As last pulled. */
  pulledId: string | undefined
  signal: AbortSignal
}

export function createGuideOrderRunner(options: GuideOrderRunnerOptions) {
  const { client, platform, clock = systemClock, settleMs = 60_000, maxTries = 5 } = options
  const store = createOrderStore(client)
  const runner = randomUUID()
  const unlisted = createRemembered<string>(clock)
  let lastStepAtMs = 0

  /** Steps of one person in one millisecond still need an order. */
  const now = () => (lastStepAtMs = Math.max(clock.now(), lastStepAtMs + 1))

  async function pass(signal: AbortSignal): Promise<{ rest: number }> {
    let rest = 0
    let refusal: unknown
    for (const orderId of await store.openIds()) {
      if (signal.aborted) break
      const orders = await store.readOrders(orderId)
      const [order] = orders
      // Two orders under one id: it is unclear which one was meant.
      if (order === undefined || orders.some((other) => !isSameOrder(order, other))) continue
      try {
        if (!(await runOrder(order, signal))) rest++
      } catch (error) {
        // An order that the store refuses holds up no other.
        if (toFailure(error) !== 'content') throw error
        refusal = error
      }
    }
    if (refusal !== undefined) throw refusal
    return { rest }
  }

  /** True when nothing is left to do. */
  async function runOrder(order: StoredOrder, signal: AbortSignal): Promise<boolean> {
    const standings = await store.readStandings(order.orderId)
    const turnedAway = (userId: string) => standings.get(userId)?.turnedAway ?? 0
    // A call that is turned away ends the pass: the next one begins with somebody else.
    const open = order.userIds
      .filter((userId) => isOpen(standings.get(userId)?.state ?? ''))
      .toSorted((a, b) => turnedAway(a) - turnedAway(b))
    if (open.length === 0) return true
    try {
      const [facts, numericIds, elsewhere, holders] = await Promise.all([
        store.readFacts(open),
        store.readNumericIds(open),
        store.readElsewhere(order, open),
        store.readHolders(order.guideId, open),
      ])
      const look = await lookAtGuide(order.guideId, signal)
      let isDone = true
      let unanswered = 0
      for (const userId of open) {
        if (signal.aborted) return false
        const standing = standings.get(userId)
        const isLookedUp = standing?.state === 'unknown' || standing?.state === 'intended'
        // Two orders whose calls are both to be looked up do not wait for each other.
        const isDue = isLookedUp && clock.now() - standing.atMs >= settleMs
        if (elsewhere.get(userId)?.isUnsettled && !isDue) {
          isDone = false
          continue
        }
        const state = await advance(order, standing ?? toNew(userId), {
          look,
          wireUserId: numericIds.has(userId) ? toNumber(userId) : userId,
          hasLeft: facts.get(userId)?.active === false,
          elsewhere: elsewhere.get(userId),
          pulledId: holders.find((one) => one.userId === userId)?.assignmentId,
          signal,
        })
        if (isOpen(state)) isDone = false
        unanswered = !isLookedUp && (state === 'unknown' || state === 'unanswered') ? unanswered + 1 : 0
        if (unanswered === maxUnanswered) {
          throw new PlatformError(
            'TIMED_OUT',
            'The platform does not answer; what was asked is looked up later.',
          )
        }
      }
      return isDone
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (error.code !== 'STOPPED') await holdUp(order, standings.get(''), error)
      return false
    }
  }

  /** The guide's list, or why there is none. */
  async function lookAtGuide(guideId: string, signal: AbortSignal): Promise<Look> {
    if (unlisted.has(guideId)) return { kind: 'unlisted' }
    const readAtMs = clock.now()
    try {
      return { kind: 'listed', holdings: await readHeld(guideId, signal), readAtMs }
    } catch (error) {
      if (!(error instanceof PlatformError) || !['NOT_FOUND', 'NOT_OFFERED'].includes(error.code)) throw error
      // No such guide, or no such list.
      if (error.code === 'NOT_OFFERED') return rememberUnlisted(guideId)
      const listed = (await store.readLists()).find(({ list }) => list === 'guide_assignments')
      if (listed !== undefined && clock.now() - listed.answeredAtMs < listedWithinMs)
        return { kind: 'guide_gone', readAtMs }
      return rememberUnlisted(guideId)
    }
  }

  function rememberUnlisted(guideId: string): Look {
    unlisted.add(guideId)
    return { kind: 'unlisted' }
  }

  /** All assignments of the guide, including archived ones. */
  async function readHeld(guideId: string, signal: AbortSignal): Promise<Map<string, Holding[]>> {
    const found = new Map<string, Holding & { userId: string }>()
    let isLong = false
    async function read(): Promise<void> {
      const pages = eachPage((page) =>
        platform.guideAssignments(guideId, { page, priority: 'person', signal }),
      )
      for await (const { items, page, isFull } of pages) {
        isLong ||= isFull || (page > 0 && items.length > 0)
        for (const { id, userId, isArchived, isDeleted, isCompleted } of items) {
          if (userId == null) continue
          const isOpen = isArchived !== true && isDeleted !== true
          found.set(id, { id, userId, isOpen, isCompleted: isCompleted === true })
        }
      }
    }
    await read()
    // An assignment that is removed meanwhile moves another one to a page that was read before.
    if (isLong) await read()
    return Map.groupBy(found.values(), ({ userId }) => userId)
  }

  /** The steps of one person in an order, numbered on from the last one. */
  function createSteps({ orderId }: StoredOrder, { userId, lastStep }: Standing) {
    let step = lastStep
    return {
      async write(state: StepState, values: Pick<Step, 'assignmentId' | 'detail' | 'knownIds'> = {}) {
        await store.writeStep({ orderId, userId, step: ++step, runner, atMs: now(), state, ...values })
        return state
      },
      /**
       * Two processes may both think they are the runner: a process that sees the other's intent withdraws its own, the last step, so
       * that at most one calls.
       */
      async withdrawn(isTaken = () => Promise.resolve(false)): Promise<boolean> {
        const intent = { orderId, userId, step, runner }
        if (!(await store.hasRival(intent)) && !(await isTaken())) return false
        await store.writeStep({ ...intent, atMs: now(), state: 'withdrawn' })
        return true
      },
    }
  }

  /** One step for one person. Throws where the platform would refuse the next person's call as well. */
  async function advance(order: StoredOrder, standing: Standing, facts: Facts): Promise<StepState | ''> {
    const { guideId, again } = order
    const { userId, state } = standing
    const { look } = facts
    const holdings = look.kind === 'listed' ? (look.holdings.get(userId) ?? []) : []
    if (state === 'take_back' || state === 'taking_back') return takeBack(order, standing, facts.signal)
    const { write, withdrawn } = createSteps(order, standing)
    if (state === 'intended' || state === 'unknown') {
      const match = holdings.find(({ id }) => !standing.knownIds.includes(id))
      if (match !== undefined) return write('assigned', { assignmentId: match.id, detail: 'FOUND_ON_LIST' })
      if (look.kind === 'unlisted') {
        return write('unanswered', { detail: state === 'intended' ? 'INTERRUPTED' : standing.detail })
      }
      // The wait begins when the call was certainly over: an intent may have waited for the budget.
      if (state === 'intended') return write('unknown', { detail: 'INTERRUPTED' })
      // And ends when the list was read: later effects are not on it.
      if (look.readAtMs - standing.atMs < settleMs) return state
      await write('not_done', { detail: 'NOT_ON_LIST' })
    }
    if (look.kind === 'guide_gone') return write('refused', { detail: 'GUIDE_NOT_FOUND' })
    if (facts.hasLeft) return write('left')
    const existing = holdings.find((one) => one.isOpen && !(again && one.isCompleted))
    if (existing !== undefined) return write('already', { assignmentId: existing.id })
    // A call that a person has decided on is made, whatever else there is.
    const isWanted = state === 'again' && clock.now() - standing.atMs <= maxAgeMs
    if (look.kind === 'unlisted' && !isWanted) {
      if (facts.elsewhere?.isUndecided) return write('gave_up', { detail: 'UNDECIDED' })
      const earlier = again ? undefined : toKnown(facts)
      if (earlier !== undefined) return write('already', earlier)
    }
    if (!isWanted && clock.now() - order.askedAtMs > maxAgeMs) return write('gave_up', { detail: 'EXPIRED' })
    if (!isWanted && standing.tries - standing.turnedAway >= maxTries)
      return write('gave_up', { detail: standing.detail })

    await write('intended', { knownIds: holdings.map(({ id }) => id) })
    if (await withdrawn(() => isTakenElsewhere(order, facts, userId))) return state
    try {
      const dueDate = order.dueDateMs === null ? {} : { dueDateMs: order.dueDateMs }
      const match = await platform.createGuideAssignment(
        { guideId, userId: facts.wireUserId, ...dueDate },
        { priority: 'person', signal: facts.signal },
      )
      if (look.kind === 'unlisted') return await write('given', { assignmentId: match?.id ?? '' })
      return await write(
        'assigned',
        match === undefined ? { detail: 'ANSWER_UNREADABLE' } : { assignmentId: match.id },
      )
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (error.mayHaveHappened) {
        return write(look.kind === 'unlisted' ? 'unanswered' : 'unknown', { detail: error.code })
      }
      if (refusals.includes(error.code))
        return write('refused', { detail: `${error.code}: ${error.message}` })
      await write('not_done', { detail: error.code })
      throw error
    }
  }

  /** Deleting again changes nothing, so it is tried until it is known, for a day. */
  async function takeBack(
    order: StoredOrder,
    standing: Standing,
    signal: AbortSignal,
  ): Promise<StepState | ''> {
    const { guideId } = order
    const { userId, assignmentId, state } = standing
    const steps = createSteps(order, standing)
    const write = (to: StepState, detail = '') => steps.write(to, { assignmentId, detail })
    if (platform.deleteGuideAssignment === undefined) return write('kept', 'NO_TAKE_BACK')
    if (state === 'taking_back' && standing.takeBacks >= maxTries) return write('kept', standing.detail)
    if (clock.now() - standing.decidedAtMs > maxAgeMs) return write('kept', standing.detail || 'EXPIRED')
    await write('taking_back')
    if (await steps.withdrawn()) return state
    try {
      await platform.deleteGuideAssignment({ guideId, userId, assignmentId }, { priority: 'person', signal })
      return await write('taken_back')
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      // An earlier try without an answer has done it.
      if (error.code === 'NOT_FOUND' && state === 'taking_back') return write('taken_back', 'WAS_GONE')
      // The token may give guides and not take them back.
      if (error.code === 'FORBIDDEN' || refusals.includes(error.code))
        return write('kept', `${error.code}: ${error.message}`)
      await write(error.mayHaveHappened ? 'taking_back' : 'take_back', error.code)
      throw error
    }
  }

  /** Whether another order has done something for this person since the pass began. */
  async function isTakenElsewhere(
    order: StoredOrder,
    { elsewhere }: Facts,
    userId: string,
  ): Promise<boolean> {
    const now = (await store.readElsewhere(order, [userId])).get(userId)
    return now !== undefined && (now.isUnsettled || (now.isGiven && !elsewhere?.isGiven))
  }

  /** Logs once why nothing continues, not at every pass. */
  async function holdUp(
    order: StoredOrder,
    before: Standing | undefined,
    error: PlatformError,
  ): Promise<void> {
    const detail = `${error.code}: ${error.message}`
    if (before?.detail === detail && clock.now() - before.atMs < 15 * 60_000) return
    const step = (before?.lastStep ?? 0) + 1
    const { orderId } = order
    await store.writeStep({ orderId, userId: '', step, runner, atMs: now(), state: 'held_up', detail })
  }

  const inTurn = createTurns()
  return {
    /** One pass over every unfinished order; resolves to how many remain. Passes follow one another. */
    run: (signal: AbortSignal) => inTurn(() => pass(signal)),
  }
}

/** Ids go out as they came; a number only where it is the same id. */
function toNumber(userId: string): number | string {
  const number = Number(userId)
  return Number.isSafeInteger(number) && String(number) === userId ? number : userId
}

/** Where the platform does not say who has the guide: what an earlier order did, or the last pull brought. */
function toKnown({ elsewhere, pulledId }: Facts): { assignmentId: string; detail: string } | undefined {
  if (elsewhere?.isGiven) return { assignmentId: elsewhere.assignmentId ?? '', detail: 'GIVEN_BEFORE' }
  return pulledId === undefined ? undefined : { assignmentId: pulledId, detail: 'AS_LAST_PULLED' }
}

/** Whether there is something to do without a person. */
function isOpen(state: StepState | ''): boolean {
  return state !== 'unanswered' && !isFinal(toOutcome(state))
}

function toNew(userId: string): Standing {
  const never = { lastStep: 0, atMs: 0, tries: 0, turnedAway: 0, takeBacks: 0, decidedAtMs: 0 }
  return { userId, state: '', assignmentId: '', detail: '', knownIds: [], ...never }
}
