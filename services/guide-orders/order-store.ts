/** Guide orders and their steps in ClickHouse. */
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { readStatements, selectRows } from '../clickhouse/statements.ts'
import { defaultTimeoutMs } from '../platform/create-caller.ts'
import type { FinalOutcome, OrderOutcome, OrderRequest } from './guide-orders.ts'

/** `askedBy` empty: unknown. */
export type StoredOrder = OrderRequest & { askedAtMs: number; guideTitle: string }

/** claimed: about to call, or calling. withdrawn: did not call. again: a person asked to repeat the call. */
export type StepState = FinalOutcome | 'claimed' | 'withdrawn' | 'unknown' | 'not_done' | 'again'

export type Step = {
  orderId: string
  userId: string
  /** A claim and its outcome have the same. */
  step: string
  atMs: number
  state: StepState
  assignmentId: string
  detail: string
}

type Holder = { userId: string; assignmentId: string; completed: boolean }

const readSql = readStatements(import.meta.dirname)

export function createOrderStore(client: ClickHouseClient) {
  const select = <Row>(name: string, params?: Record<string, unknown>) =>
    selectRows<Row>(client, readSql(name), params)
  async function selectByUser<Row extends { userId: string }>(name: string, userIds: readonly string[]) {
    return new Map((await select<Row>(name, { user_ids: userIds })).map((row) => [row.userId, row]))
  }
  async function selectIds(name: string, params?: Record<string, unknown>): Promise<string[]> {
    return (await select<{ orderId: string }>(name, params)).map(({ orderId }) => orderId)
  }

  return {
    writeOrder: (order: StoredOrder) =>
      insertRows(client, 'guide_order_rows', [{ ...order, dueDateMs: order.dueDateMs ?? 0 }]),
    async readOrder(orderId: string): Promise<StoredOrder | undefined> {
      return (await select<StoredOrder>('order', { order_id: orderId }))[0]
    },
    recentIds: (limit: number) => selectIds('recent', { limit }),
    openIds: () => selectIds('open'),
    /** Durable when it resolves. */
    writeStep: (step: Step & { guideId: string }) => insertRows(client, 'guide_order_steps', [step]),
    /** By person, in order, of all orders. */
    async readSteps(guideId: string, userIds: readonly string[]): Promise<Map<string, Step[]>> {
      const steps = await select<Step>('steps', { guide_id: guideId, user_ids: userIds })
      return Map.groupBy(steps, ({ userId }) => userId)
    },
    readFacts: (userIds: readonly string[]) =>
      selectByUser<{ userId: string; name: string | null; active: boolean }>('facts', userIds),
    readNumericIds: (userIds: readonly string[]) => selectByUser('numeric-ids', userIds),
    readHolders: (guideId: string, userIds: readonly string[]) =>
      select<Holder>('holders', { guide_id: guideId, user_ids: userIds }),
    readGuides: () => select<{ id: string; title: string }>('guides'),
    async readSeenAtMs(): Promise<number | null> {
      return (await select<{ atMs: number }>('seen'))[0]?.atMs ?? null
    },
  }
}

export const isUnanswered = ({ state }: Step): boolean => state === 'claimed' || state === 'unknown'

/** Whether no answer will come any more: the call failed, or its process ended. */
export const isLost = ({ state, atMs }: Step, now: number): boolean =>
  state === 'unknown' || (state === 'claimed' && now - atMs >= 2 * defaultTimeoutMs)

/** As in the view `guide_orders`. */
export function toOutcome(state: StepState | undefined): OrderOutcome {
  if (state === undefined || state === 'withdrawn') return 'planned'
  if (state === 'claimed') return 'unknown'
  return state === 'not_done' || state === 'again' ? 'waiting' : state
}

/** When a person asked for it: by the order, or later to repeat a call. */
export function askedAt(
  { orderId, askedAtMs }: Pick<StoredOrder, 'orderId' | 'askedAtMs'>,
  steps: readonly Step[],
) {
  const again = steps.findLast((step) => step.orderId === orderId && step.state === 'again')
  return again?.atMs ?? askedAtMs
}

/** What speaks against a call for a person: they got the guide, or a call got no answer. */
export function findObstacle(
  steps: readonly Step[],
  order: Pick<StoredOrder, 'orderId' | 'askedAtMs' | 'again'>,
): Step | undefined {
  return steps.find((step) => {
    if (isUnanswered(step)) return step.orderId !== order.orderId || step.atMs > askedAt(order, steps)
    return step.state === 'assigned' && (!order.again || step.atMs >= order.askedAtMs)
  })
}
