/** Guide orders and their steps in ClickHouse. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { OrderOutcome } from './guide-orders.ts'
import { readStatements } from '../clickhouse/statements.ts'

export type StoredOrder = {
  orderId: string
  askedAtMs: number
  /** Empty: not said. */
  askedBy: string
  reason: string
  guideId: string
  guideTitle: string
  userIds: string[]
  /** 0: none. */
  dueDateMs: number
  again: boolean
}

export type StepState = 'intended' | 'withdrawn' | 'unknown' | 'not_done' | 'held_up' | FinalState
export type FinalState = 'assigned' | 'already' | 'left' | 'refused' | 'gave_up'

export type Step = {
  orderId: string
  /** Empty: the whole order. */
  userId: string
  step: number
  runner: string
  atMs: number
  state: StepState
  assignmentId?: string
  knownIds?: string[]
  detail?: string
}

/** The state of a person in an order. */
export type Standing = {
  userId: string
  /** Empty: nothing was done yet. */
  state: StepState | ''
  assignmentId: string
  detail: string
  lastStep: number
  /** 0: never. */
  atMs: number
  tries: number
  knownIds: string[]
}

export type PersonFacts = { userId: string; name: string | null; active: boolean }

export type OrderStore = {
  writeOrder(order: StoredOrder): Promise<void>
  /** More than one only where two different ones share the id. */
  readOrders(orderId: string): Promise<StoredOrder[]>
  recentIds(limit: number): Promise<string[]>
  openIds(): Promise<string[]>
  /** Of every person with a step; the whole order under the empty id. */
  readStandings(orderId: string): Promise<Map<string, Standing>>
  /** Durable when it resolves. */
  writeStep(step: Step): Promise<void>
  hasRival(step: Pick<Step, 'orderId' | 'userId' | 'step' | 'runner'>): Promise<boolean>
  /** People whose call in another order of the guide may still take effect. */
  readUnsettled(order: Pick<StoredOrder, 'orderId' | 'guideId'>): Promise<Set<string>>
  readFacts(userIds: readonly string[]): Promise<Map<string, PersonFacts>>
  /** Of these, whose ids the platform sends as JSON numbers. */
  readNumericIds(userIds: readonly string[]): Promise<Set<string>>
  readHolders(
    guideId: string,
    userIds: readonly string[],
  ): Promise<{ userId: string; assignmentId: string; completed: boolean }[]>
  readGuides(): Promise<{ id: string; title: string }[]>
  readGuideSize(guideId: string): Promise<{ assignments: number; seenAtMs: number }>
}

const readSql = readStatements(import.meta.dirname)

export function createOrderStore(client: ClickHouseClient): OrderStore {
  async function select<Row>(name: string, params: Record<string, unknown>): Promise<Row[]> {
    const answer = await client.query({ query: readSql(name), query_params: params, format: 'JSONEachRow' })
    return answer.json<Row>()
  }

  return {
    async writeOrder(order) {
      await client.insert({
        table: 'rollcall.guide_order_rows',
        values: [
          {
            order_id: order.orderId,
            asked_at: order.askedAtMs,
            asked_by: order.askedBy,
            reason: order.reason,
            guide_id: order.guideId,
            guide_title: order.guideTitle,
            user_ids: order.userIds,
            due_date: order.dueDateMs,
            again: order.again,
          },
        ],
        format: 'JSONEachRow',
      })
    },
    readOrders: (orderId) => select<StoredOrder>('orders', { order_id: orderId }),
    async recentIds(limit) {
      return (await select<{ orderId: string }>('recent', { limit })).map(({ orderId }) => orderId)
    },
    async openIds() {
      return (await select<{ orderId: string }>('open', {})).map(({ orderId }) => orderId)
    },
    async readStandings(orderId) {
      const rows = await select<Standing>('people', { order_id: orderId })
      return new Map(rows.map((row) => [row.userId, row]))
    },
    async writeStep({ orderId, userId, step, runner, atMs, state, assignmentId = '', knownIds = [], detail = '' }) {
      await client.insert({
        table: 'rollcall.guide_order_steps',
        values: [
          {
            order_id: orderId,
            user_id: userId,
            step,
            runner,
            at: atMs,
            state,
            assignment_id: assignmentId,
            known_ids: knownIds,
            detail,
          },
        ],
        format: 'JSONEachRow',
      })
    },
    async hasRival({ orderId, userId, step, runner }) {
      const params = { order_id: orderId, user_id: userId, step, runner }
      return (await select('rivals', params)).length > 0
    },
    async readUnsettled({ orderId, guideId }) {
      const rows = await select<{ userId: string }>('unsettled', { order_id: orderId, guide_id: guideId })
      return new Set(rows.map(({ userId }) => userId))
    },
    async readFacts(userIds) {
      const rows = await select<PersonFacts>('facts', { user_ids: userIds })
      return new Map(rows.map((row) => [row.userId, row]))
    },
    async readNumericIds(userIds) {
      const rows = await select<{ userId: string }>('numeric-ids', { user_ids: userIds })
      return new Set(rows.map(({ userId }) => userId))
    },
    readHolders: (guideId, userIds) => select('holders', { guide_id: guideId, user_ids: userIds }),
    readGuides: () => select('guides', {}),
    async readGuideSize(guideId) {
      const [size] = await select<{ assignments: number; seenAtMs: number }>('size', { guide_id: guideId })
      return size ?? { assignments: 0, seenAtMs: 0 }
    },
  }
}

/** How a state reads to people. */
export function toOutcome(state: StepState | ''): OrderOutcome {
  switch (state) {
    case '':
    case 'withdrawn':
    case 'held_up':
      return 'planned'
    case 'intended':
      return 'calling'
    case 'not_done':
      return 'waiting'
    default:
      return state
  }
}
