/**
 * Executes orders, person by person: store a claim, read all claims on the guide for this person, call, store the outcome. The platform
 * has no idempotency key. So a call is never repeated unless it was certainly not done, or a person asks for it.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { type Clock, systemClock } from '../platform/clock.ts'
import { eachPage } from '../platform/each-page.ts'
import type { PlatformClient } from '../platform/platform-client.ts'
import { PlatformError, type PlatformErrorCode } from '../platform/platform-error.ts'
import {
  askedAt,
  createOrderStore,
  findObstacle,
  isLost,
  isUnanswered,
  lastOf,
  toOutcome,
  type Step,
  type StepState,
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
  holdings: readonly Holding[]
  steps: readonly Step[]
}

export function createGuideOrderRunner({ client, platform, clock = systemClock }: GuideOrderRunnerOptions) {
  const store = createOrderStore(client, clock.now)

  /** True when nothing is left to do. */
  async function runOrder(order: StoredOrder, signal: AbortSignal): Promise<boolean> {
    const steps = await store.readSteps(order.guideId, order.userIds)
    const open = order.userIds.filter((userId) => {
      const outcome = toOutcome(lastOf(steps.get(userId), order.orderId)?.state)
      return outcome === 'planned' || outcome === 'waiting'
    })
    const [facts, numericIds] = await Promise.all([store.readFacts(open), store.readNumericIds(open)])
    const holders = await readHolders(order.guideId, signal).catch(async (error: unknown) => {
      if (!(error instanceof PlatformError)) throw error
      const [userId = ''] = open
      if (error.code !== 'STOPPED')
        await addStep(order, userId, { state: 'not_done', detail: toDetail(error) })
    })
    if (holders === undefined) return false
    const ends: StepState[] = []
    for (const userId of open) {
      if (signal.aborted) return false
      const person = {
        userId,
        wireUserId: numericIds.has(userId) ? toNumber(userId) : userId,
        hasLeft: facts.get(userId)?.active === false,
        holdings: holders.get(userId) ?? [],
        steps: steps.get(userId) ?? [],
      }
      const state = await advance(order, person, signal)
      ends.push(state)
      // The next call would be turned away as well.
      if (state === 'not_done') return false
      if (ends.length >= maxUnanswered && ends.slice(-maxUnanswered).every((end) => end === 'unknown'))
        return false
    }
    return !ends.includes('withdrawn')
  }

  /** Who has the guide now. Empty if the platform does not list that. */
  async function readHolders(guideId: string, signal: AbortSignal): Promise<Map<string, Holding[]>> {
    const found = new Map<string, Holding>()
    const pages = eachPage((page) => platform.guideAssignments(guideId, { page, priority: 'person', signal }))
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

  async function advance(order: StoredOrder, person: Person, signal: AbortSignal): Promise<StepState> {
    const { guideId, again } = order
    const { userId, wireUserId } = person
    const end = (state: StepState, detail = '', assignmentId = '') =>
      addStep(order, userId, { state, detail, assignmentId })
    if (person.hasLeft) return end('left')
    const holding = person.holdings.find(({ isCompleted }) => !(again && isCompleted))
    if (holding !== undefined) return end('already', '', holding.id)
    const obstacle = findObstacle(person.steps, order)
    if (obstacle !== undefined && isUnanswered(obstacle))
      return isLost(obstacle, clock.now()) ? end('gave_up', 'UNANSWERED') : 'withdrawn'
    if (obstacle !== undefined) return end('already', 'GIVEN_BEFORE', obstacle.assignmentId)
    if (clock.now() - askedAt(order, person.steps) > maxAgeMs) return end('gave_up', 'EXPIRED')

    const claimed = { orderId: order.orderId, state: 'claimed', detail: '', assignmentId: '' } as const
    const { step, others } = await store.addStep(guideId, userId, claimed)
    async function settle(state: StepState, detail = '', assignmentId = '') {
      await store.endStep(guideId, userId, step, { ...claimed, state, detail, assignmentId })
      return state
    }
    if (findObstacle(others, order) !== undefined) return settle('withdrawn')
    try {
      const due = order.dueDateMs === null ? {} : { dueDateMs: order.dueDateMs }
      const values = { guideId, userId: wireUserId, ...due }
      const given = await platform.createGuideAssignment(values, { priority: 'person', signal })
      return await settle('assigned', '', given?.id)
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (error.mayHaveHappened) return settle('unknown', error.code)
      return settle(refusals.includes(error.code) ? 'refused' : 'not_done', toDetail(error))
    }
  }

  async function addStep(
    { orderId, guideId }: StoredOrder,
    userId: string,
    { state, detail, assignmentId = '' }: { state: StepState; detail: string; assignmentId?: string },
  ): Promise<StepState> {
    await store.addStep(guideId, userId, { orderId, state, detail, assignmentId })
    return state
  }

  return {
    /** One pass over every unfinished order. `rest`: how many remain. */
    async run(signal: AbortSignal): Promise<{ rest: number }> {
      let rest = 0
      for (const orderId of await store.openIds()) {
        const order = await store.readOrder(orderId)
        if (order !== undefined && !signal.aborted && !(await runOrder(order, signal))) rest++
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
