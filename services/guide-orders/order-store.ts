/** Guide orders and what was done about them, as records; what the platform listed, from its tables. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { readStatements, selectRows } from '../clickhouse/statements.ts'
import { defaultTimeoutMs } from '../platform/create-caller.ts'
import { createRecords, toKey, type Claim } from '../records/records.ts'
import { finalOutcomes, type OrderOutcome } from './guide-orders.ts'

/** Read by the view `guide_orders`, too. `askedBy` empty: unknown. */
const orderSchema = z.object({
  orderId: z.string(),
  guideId: z.string(),
  guideTitle: z.string(),
  userIds: z.array(z.string()),
  dueDateMs: z.number().nullable(),
  again: z.boolean(),
  askedBy: z.string(),
  reason: z.string(),
  askedAtMs: z.number(),
})
export type StoredOrder = z.infer<typeof orderSchema>

/** claimed: about to call, or calling. withdrawn: did not call. again: a person asked to repeat the call `detail`. */
const stepSchema = z.object({
  orderId: z.string(),
  state: z.enum([...finalOutcomes, 'claimed', 'withdrawn', 'unknown', 'not_done', 'again']),
  assignmentId: z.string(),
  detail: z.string(),
})
type StepValue = z.infer<typeof stepSchema>
export type StepState = StepValue['state']
/** `step`: the id of the claim. */
export type Step = StepValue & { step: string; atMs: number }

const mostSteps = 100_000

type Holder = { userId: string; assignmentId: string; completed: boolean }

const readSql = readStatements(import.meta.dirname)

/** `client`: reads its own writes. */
export function createOrderStore(client: ClickHouseClient, clock = Date.now) {
  const deps = { reader: client, writer: client, clock }
  const orders = createRecords({ name: 'guide_order', schema: orderSchema }, deps)
  const claims = createRecords({ name: 'guide_claim', schema: stepSchema }, deps)
  const select = <Row>(name: string, params?: Record<string, unknown>) =>
    selectRows<Row>(client, readSql(name), params)
  async function selectByUser<Row extends { userId: string }>(name: string, userIds: readonly string[]) {
    return new Map((await select<Row>(name, { user_ids: userIds })).map((row) => [row.userId, row]))
  }

  return {
    /** The first order of an id stays. */
    writeOrder: (order: StoredOrder) => orders.put(order.orderId, order, 0),
    readOrder: async (orderId: string) => (await orders.read(orderId))?.value,
    recentOrders: async (limit: number) => (await orders.list({ limit })).map(({ value }) => value),
    async openIds(): Promise<string[]> {
      return (await select<{ orderId: string }>('open')).map(({ orderId }) => orderId)
    },
    /** Durable when it resolves. `others`: all other steps about this person and guide. */
    async addStep(guideId: string, userId: string, value: StepValue) {
      const { claim, others } = await claims.claim(toKey(guideId, userId), value)
      return { step: claim, others: others.map(toStep) }
    },
    endStep: (guideId: string, userId: string, step: string, value: StepValue) =>
      claims.settle(toKey(guideId, userId), step, value),
    /** By person, in order, of all orders. */
    async readSteps(guideId: string, userIds: readonly string[]): Promise<Map<string, Step[]>> {
      if (userIds.length === 0) return new Map()
      const users = new Map(userIds.map((userId) => [toKey(guideId, userId), userId]))
      const found = await claims.claims({ keys: [...users.keys()], limit: mostSteps })
      const byKey = Map.groupBy(found.toReversed(), ({ key }) => key)
      return new Map([...byKey].map(([key, steps]) => [users.get(key) ?? '', steps.map(toStep)]))
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

const toStep = ({ claim, value, changedAtMs }: Claim<StepValue>): Step => {
  return { ...value, step: claim, atMs: changedAtMs }
}

/** The last step of an order for a person. */
export const lastOf = (steps: readonly Step[] | undefined, orderId: string): Step | undefined =>
  steps?.findLast((step) => step.orderId === orderId && step.state !== 'withdrawn')

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

/** What speaks against a call for a person: they got the guide, or a call got no answer and no one asked to repeat it. */
export function findObstacle(
  steps: readonly Step[],
  order: Pick<StoredOrder, 'orderId' | 'askedAtMs' | 'again'>,
): Step | undefined {
  const repeated = steps.filter(({ orderId, state }) => orderId === order.orderId && state === 'again')
  return steps.find((step) => {
    if (isUnanswered(step)) return !repeated.some(({ detail }) => detail === step.step)
    return step.state === 'assigned' && (!order.again || step.atMs >= order.askedAtMs)
  })
}
