/** Guide orders and their steps in ClickHouse. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { OrderOutcome } from './guide-orders.ts'
import { readStatements, selectRows } from '../clickhouse/statements.ts'

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

export type StepState =
  | 'intended'
  | 'withdrawn'
  /** No answer; the guide's list will tell. */
  | 'unknown'
  /** No answer and no list: a person decides. */
  | 'unanswered'
  /** A person has decided that it is asked for once more. */
  | 'again'
  | 'not_done'
  | 'held_up'
  /** A person has asked for it. */
  | 'take_back'
  /** The call to take it back may have been made. */
  | 'taking_back'
  | FinalState
export type FinalState = 'assigned' | 'given' | 'already' | 'left' | 'refused' | 'gave_up' | 'taken_back' | 'kept'

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
  /** Tries to take it back. */
  takeBacks: number
  knownIds: string[]
}

/** What other orders of a guide have done for a person, or may have. */
export type Elsewhere = {
  userId: string
  /** The one with `isUndecided`, if any. */
  orderId: string
  /** A person decides there. */
  isUndecided: boolean
  /** Its call may still take effect. */
  isUnsettled: boolean
  isGiven: boolean
  assignmentId: string | null
}

export type OfferedList = { list: string; isOffered: boolean; answeredAtMs: number }

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
  readElsewhere(
    order: Pick<StoredOrder, 'orderId' | 'guideId'>,
    userIds: readonly string[],
  ): Promise<Map<string, Elsewhere>>
  /** Those that the platform was ever asked for. */
  readLists(): Promise<OfferedList[]>
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
  const select = <Row>(name: string, params: Record<string, unknown>) => selectRows<Row>(client, readSql(name), params)
  async function insert(table: string, row: Record<string, unknown>): Promise<void> {
    await client.insert({ table: `rollcall.${table}`, values: [row], format: 'JSONEachRow' })
  }

  return {
    writeOrder: (order) => insert('guide_order_rows', toOrderRow(order)),
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
    writeStep: (step) => insert('guide_order_steps', toStepRow(step)),
    async hasRival({ orderId, userId, step, runner }) {
      const params = { order_id: orderId, user_id: userId, step, runner }
      return (await select('rivals', params)).length > 0
    },
    async readElsewhere({ orderId, guideId }, userIds) {
      const params = { order_id: orderId, guide_id: guideId, user_ids: userIds }
      const rows = await select<Elsewhere>('elsewhere', params)
      return new Map(rows.map((row) => [row.userId, row]))
    },
    readLists: () => select('lists', {}),
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

function toOrderRow(order: StoredOrder): Record<string, unknown> {
  return {
    order_id: order.orderId,
    asked_at: order.askedAtMs,
    asked_by: order.askedBy,
    reason: order.reason,
    guide_id: order.guideId,
    guide_title: order.guideTitle,
    user_ids: order.userIds,
    due_date: order.dueDateMs,
    again: order.again,
  }
}

function toStepRow({ orderId, userId, step, runner, atMs, state, ...rest }: Step): Record<string, unknown> {
  const { assignmentId = '', knownIds = [], detail = '' } = rest
  const at = { order_id: orderId, user_id: userId, step, runner, at: atMs }
  return { ...at, state, assignment_id: assignmentId, known_ids: knownIds, detail }
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
    case 'again':
      return 'waiting'
    case 'take_back':
      return 'taking_back'
    case 'unanswered':
      return 'unknown'
    default:
      return state
  }
}
