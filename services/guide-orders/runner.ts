/**
 * Executes orders, person by person: store a claim, read all claims on the guide for this person, call, store the outcome. The platform
 * has no idempotency key. So a call is never repeated unless it was certainly not done, or a person asks for it.
 */
import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { toLaterTime } from '../clickhouse/statements.ts'
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
  wireUserId: string | number
  hasLeft: boolean
  holdings: readonly Holding[]
  steps: readonly Step[]
}

export function createGuideOrderRunner({ client, platform, clock = systemClock }: GuideOrderRunnerOptions) {
  const store = createOrderStore(client)

  /** True when nothing is left to do. */
  async function runOrder(order: StoredOrder, signal: AbortSignal): Promise<boolean> {
    const steps = await store.readSteps(order.guideId, order.userIds)
    const open = order.userIds.filter((userId) => {
      const last = steps.get(userId)?.findLast(({ orderId }) => orderId === order.orderId)
      return ['planned', 'waiting'].includes(toOutcome(last?.state))
    })
    const [facts, numericIds] = await Promise.all([store.readFacts(open), store.readNumericIds(open)])
    const holders = await readHolders(order.guideId, signal).catch(async (error: unknown) => {
      if (!(error instanceof PlatformError)) throw error
      const [userId = ''] = open
      const { write } = createWriter(order, userId, steps.get(userId) ?? [])
      if (error.code !== 'STOPPED') await write('not_done', toDetail(error))
    })
    if (holders === undefined) return false
    const ends: StepState[] = []
    for (const userId of open) {
      if (signal.aborted) return false
      const state = await advance(order, userId, signal, {
        wireUserId: numericIds.has(userId) ? toNumber(userId) : userId,
        hasLeft: facts.get(userId)?.active === false,
        holdings: holders.get(userId) ?? [],
        steps: steps.get(userId) ?? [],
      })
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

  /** Writes a claim and its outcome, later than the steps before, whatever the clock says. */
  function createWriter({ orderId, guideId }: StoredOrder, userId: string, steps: readonly Step[]) {
    const step: string = randomUUID()
    let atMs = steps.at(-1)?.atMs
    async function write(state: StepState, detail = '', assignmentId = '') {
      atMs = toLaterTime(clock.now(), atMs)
      await store.writeStep({ orderId, guideId, userId, step, atMs, state, assignmentId, detail })
      return state
    }
    return { step, write }
  }

  async function advance(
    order: StoredOrder,
    userId: string,
    signal: AbortSignal,
    person: Person,
  ): Promise<StepState> {
    const { guideId, again } = order
    const { step, write } = createWriter(order, userId, person.steps)
    if (person.hasLeft) return write('left')
    const holding = person.holdings.find(({ isCompleted }) => !(again && isCompleted))
    if (holding !== undefined) return write('already', '', holding.id)
    const obstacle = findObstacle(person.steps, order)
    if (obstacle !== undefined && isUnanswered(obstacle))
      return isLost(obstacle, clock.now()) ? write('gave_up', 'UNANSWERED') : 'withdrawn'
    if (obstacle !== undefined) return write('already', 'GIVEN_BEFORE', obstacle.assignmentId)
    if (clock.now() - askedAt(order, person.steps) > maxAgeMs) return write('gave_up', 'EXPIRED')

    await write('claimed')
    const all = (await store.readSteps(guideId, [userId])).get(userId) ?? []
    const others = all.filter((each) => each.step !== step)
    if (findObstacle(others, order) !== undefined) return write('withdrawn')
    try {
      const due = order.dueDateMs === null ? {} : { dueDateMs: order.dueDateMs }
      const values = { guideId, userId: person.wireUserId, ...due }
      const given = await platform.createGuideAssignment(values, { priority: 'person', signal })
      return await write('assigned', '', given?.id)
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      if (error.mayHaveHappened) return write('unknown', error.code)
      return write(refusals.includes(error.code) ? 'refused' : 'not_done', toDetail(error))
    }
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
