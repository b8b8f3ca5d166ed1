/** Guide orders and what was done about them, as records; what the platform listed, from its tables. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { readStatements, selectRows } from '../clickhouse/statements.ts'
import { attemptStates, createOnce, unknownAfterMs, type AttemptState } from '../records/once.ts'
import { createRecords, toKey, type Claim } from '../records/records.ts'
import type { OrderOutcome } from './guide-orders.ts'

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
  /** When someone asked to repeat a call without an answer, epoch ms, by user id. */
  askedAgainMs: z.record(z.string(), z.number()),
})
export type StoredOrder = z.infer<typeof orderSchema>

const callSchema = z.object({
  /** `toThing` of the order. */
  thing: z.string(),
  state: z.enum(attemptStates),
  /** The id of the assignment, if the person has the guide; else the code of the error. */
  detail: z.string(),
  /** Why no call was made; empty: one was, or is made now. */
  end: z.enum(['already', 'left', 'gave_up', '']),
})
export type CallValue = z.infer<typeof callSchema>
export type Call = CallValue & { orderId: string; atMs: number }

const mostCalls = 100_000

type Holder = { userId: string; assignmentId: string; completed: boolean }

const readSql = readStatements(import.meta.dirname)

/** `client`: reads its own writes. */
export function createOrderStore(client: ClickHouseClient, clock = Date.now) {
  const deps = { reader: client, writer: client, clock }
  const orders = createRecords({ name: 'guide_order', schema: orderSchema }, deps)
  const calls = createRecords({ name: 'guide_claim', schema: callSchema }, deps)
  const select = <Row>(name: string, params?: Record<string, unknown>) =>
    selectRows<Row>(client, readSql(name), params)
  async function selectByUser<Row extends { userId: string }>(name: string, userIds: readonly string[]) {
    return new Map((await select<Row>(name, { user_ids: userIds })).map((row) => [row.userId, row]))
  }

  return {
    /** By id. */
    orders,
    /** Claims. Key: `toCallKey`. */
    calls,
    ...createOnce(calls, clock),
    async openIds(): Promise<string[]> {
      return (await select<{ orderId: string }>('open')).map(({ orderId }) => orderId)
    },
    /** By person, in order, of all orders. */
    async readCalls(guideId: string, userIds: readonly string[]): Promise<Map<string, Call[]>> {
      if (userIds.length === 0) return new Map()
      const users = new Map(userIds.map((userId) => [toCallKey(guideId, userId), userId]))
      const found = await calls.claims({ keys: [...users.keys()], limit: mostCalls })
      const byKey = Map.groupBy(found.toReversed(), ({ key }) => key)
      return new Map([...byKey].map(([key, of]) => [users.get(key) ?? '', of.map(toCall)]))
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

export const toCallKey = (guideId: string, userId: string) => toKey(guideId, userId)

/** What is done once: the order for a person, and each repeated call that someone asked for. */
export function toThing({ orderId, askedAgainMs }: StoredOrder, userId: string): string {
  const again = askedAgainMs[userId]
  return again === undefined ? orderId : `${orderId} ${again}`
}

export function toCall({ value, changedAtMs }: Claim<CallValue>): Call {
  return { ...value, orderId: value.thing.split(' ', 1)[0] ?? '', atMs: changedAtMs }
}

/** What became of an order for a person. */
export const lastOf = (calls: readonly Call[] | undefined, order: StoredOrder, userId: string) =>
  calls?.findLast(({ thing, state }) => thing === toThing(order, userId) && state !== 'withdrawn')

export const isUnanswered = ({ state }: Call): boolean => state === 'intended' || state === 'unknown'

/** Whether no answer will come any more: the call failed, or its process ended. */
export const isLost = ({ state, atMs }: Call, now: number): boolean =>
  state === 'unknown' || (state === 'intended' && now - atMs > unknownAfterMs)

const outcomes: Record<AttemptState, OrderOutcome> = {
  intended: 'unknown',
  unknown: 'unknown',
  not_sent: 'waiting',
  sent: 'assigned',
  refused: 'refused',
  skipped: 'gave_up',
  withdrawn: 'planned',
}

/** As in the view `guide_orders`. */
export const toOutcome = (last: Call | undefined): OrderOutcome =>
  last === undefined ? 'planned' : last.end || outcomes[last.state]

/** What speaks against a call for a person: a call of another order got no answer, or they got the guide. */
export function findObstacle(
  calls: readonly Call[],
  { orderId, again, askedAtMs }: Pick<StoredOrder, 'orderId' | 'askedAtMs' | 'again'>,
): Call | undefined {
  return calls.find((call) =>
    isUnanswered(call)
      ? call.orderId !== orderId
      : call.state === 'sent' && (!again || call.atMs >= askedAtMs),
  )
}
