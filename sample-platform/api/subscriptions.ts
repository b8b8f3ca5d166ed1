/** The registered webhook URLs, in memory like everything in the sample platform. */
import { Hono } from 'hono'
import { toUuid } from '../random.ts'
import { badRequest, failure } from './gate.ts'

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
      const subscription = {
        id: toUuid(`${seed}/subscription`, added++),
        ...values,
        createdAt: at,
        updatedAt: at,
      }
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

/** `/webhook_subscriptions`: list, add, change, remove. */
export function createSubscriptionRoutes(subscriptions: Subscriptions, now: () => number): Hono {
  const routes = new Hono()

  routes.get('/', (context) => context.json(subscriptions.list()))

  routes.post('/', async (context) => {
    const values = parseValues(await context.req.json().catch(() => undefined))
    if (values?.name === undefined || values.url === undefined) return badRequest(context)
    const added = subscriptions.add(
      { name: values.name, url: values.url, eventTypes: values.eventTypes ?? [] },
      now(),
    )
    return context.json(added, 201)
  })

  routes.patch('/:id', async (context) => {
    const values = parseValues(await context.req.json().catch(() => undefined))
    if (values === undefined) return badRequest(context)
    const changed = subscriptions.change(context.req.param('id'), values, now())
    return changed === undefined ? notFound(context) : context.json(changed)
  })

  routes.delete('/:id', (context) =>
    subscriptions.remove(context.req.param('id')) ? context.body(null, 204) : notFound(context),
  )

  return routes
}

function notFound(context: Parameters<typeof failure>[0]) {
  return failure(context, 404, 'not_found', 'No such webhook subscription.')
}

/** Fields that are present must be valid; `undefined` where one is not. Plain http is allowed, for local receivers. */
function parseValues(body: unknown): Partial<SubscriptionValues> | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const { name, url, eventTypes } = body as Record<string, unknown>
  if (name !== undefined && typeof name !== 'string') return undefined
  if (url !== undefined && (typeof url !== 'string' || !/^https?:/.test(url) || !URL.canParse(url)))
    return undefined
  const isList = Array.isArray(eventTypes) && eventTypes.every((type) => typeof type === 'string')
  if (eventTypes !== undefined && !isList) return undefined
  return {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(isList && { eventTypes }),
  }
}
