/** Guide orders and their steps in ClickHouse. */
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../clickhouse/insert-rows.ts'
import type { FinalOutcome, OrderOutcome, OrderRequest } from './guide-orders.ts'
import { readStatements, selectRows } from '../clickhouse/statements.ts'

/** `askedBy` empty: not said. */
export type StoredOrder = OrderRequest & { askedAtMs: number; guideTitle: string }

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
  | FinalOutcome

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
  /** Tries that certainly did nothing: no connection, a refused token, too many calls, a stop. */
  turnedAway: number
  /** Tries to take it back. */
  takeBacks: number
  /** When a person last decided something about it; 0: never. */
  decidedAtMs: number
  knownIds: string[]
}

/** The state of a person in other orders of the guide: given, possibly given, or undecided. */
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

type Holder = { userId: string; assignmentId: string; completed: boolean }

const readSql = readStatements(import.meta.dirname)

export function createOrderStore(client: ClickHouseClient) {
  const select = <Row>(name: string, params?: Record<string, unknown>) =>
    selectRows<Row>(client, readSql(name), params)
  async function selectByUser<Row extends { userId: string }>(name: string, params: Record<string, unknown>) {
    return new Map((await select<Row>(name, params)).map((row) => [row.userId, row]))
  }

  return {
    writeOrder: (order: StoredOrder) =>
      insertRows(client, 'guide_order_rows', [{ ...order, dueDateMs: order.dueDateMs ?? 0 }]),
    /** More than one only where two different ones share the id. */
    readOrders: (orderId: string) => select<StoredOrder>('orders', { order_id: orderId }),
    async recentIds(limit: number): Promise<string[]> {
      return (await select<{ orderId: string }>('recent', { limit })).map(({ orderId }) => orderId)
    },
    async openIds(): Promise<string[]> {
      return (await select<{ orderId: string }>('open')).map(({ orderId }) => orderId)
    },
    /** A standing per person with a step; the whole order has the empty id. */
    readStandings: (orderId: string) => selectByUser<Standing>('people', { order_id: orderId }),
    /** Durable when it resolves. */
    writeStep: (step: Step) =>
      insertRows(client, 'guide_order_steps', [{ assignmentId: '', knownIds: [], detail: '', ...step }]),
    async hasRival({ orderId, userId, step, runner }: Pick<Step, 'orderId' | 'userId' | 'step' | 'runner'>) {
      const params = { order_id: orderId, user_id: userId, step, runner }
      return (await select('rivals', params)).length > 0
    },
    readElsewhere: (
      { orderId, guideId }: Pick<StoredOrder, 'orderId' | 'guideId'>,
      userIds: readonly string[],
    ) => selectByUser<Elsewhere>('elsewhere', { order_id: orderId, guide_id: guideId, user_ids: userIds }),
    /** Those that the platform was ever asked for. */
    readLists: () => select<OfferedList>('lists'),
    readFacts: (userIds: readonly string[]) => selectByUser<PersonFacts>('facts', { user_ids: userIds }),
    /** Those of them whose ids the platform sends as JSON numbers. */
    readNumericIds: (userIds: readonly string[]) => selectByUser('numeric-ids', { user_ids: userIds }),
    readHolders: (guideId: string, userIds: readonly string[]) =>
      select<Holder>('holders', { guide_id: guideId, user_ids: userIds }),
    readGuides: () => select<{ id: string; title: string }>('guides'),
    async readGuideSize(guideId: string) {
      const [size] = await select<{ assignments: number; seenAtMs: number }>('size', { guide_id: guideId })
      return size ?? { assignments: 0, seenAtMs: 0 }
    },
  }
}

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
