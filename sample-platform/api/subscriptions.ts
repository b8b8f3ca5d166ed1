/** The registered webhook URLs, in memory like everything in the sample platform. */
import { toUuid } from '../random.ts'

export type Subscription = {
  id: string
  name: string
  url: string
  /** Empty: all. */
  eventTypes: string[]
  createdAt: number
  updatedAt: number
}

export type SubscriptionValues = Pick<Subscription, 'name' | 'url' | 'eventTypes'>

export type Subscriptions = ReturnType<typeof createSubscriptions>

export function createSubscriptions(seed: string) {
  const byId = new Map<string, Subscription>()
  let added = 0
  return {
    list: () => [...byId.values()],
    get: (id: string) => byId.get(id),
    add(values: SubscriptionValues, at: number): Subscription {
      const subscription = { id: toUuid(`${seed}/subscription`, added++), ...values, createdAt: at, updatedAt: at }
      byId.set(subscription.id, subscription)
      return subscription
    },
    change(id: string, values: Partial<SubscriptionValues>, at: number): Subscription | undefined {
      const before = byId.get(id)
      if (before === undefined) return undefined
      const after = { ...before, ...values, updatedAt: at }
      byId.set(id, after)
      return after
    },
    remove: (id: string) => byId.delete(id),
  }
}

export function wants(subscription: Subscription, eventType: string): boolean {
  return subscription.eventTypes.length === 0 || subscription.eventTypes.includes(eventType)
}
