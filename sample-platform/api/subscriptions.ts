/** `/webhook_subscriptions`: the registered webhook URLs, in memory like everything in the sample platform. */
import { Hono } from 'hono'
import { toUuid } from '../random.ts'
import { badRequest, failure, readObject, type Json } from './answers.ts'

type Values = {
  name: string
  url: string
  /** Empty: all. */
  eventTypes: string[]
}

export type Subscription = Values & { id: string; createdAt: number; updatedAt: number }

export type Subscriptions = ReturnType<typeof createSubscriptions>

export function createSubscriptions(seed: string) {
  const byId = new Map<string, Subscription>()
  let added = 0
  return {
    list: () => [...byId.values()],
    get: (id: string) => byId.get(id),
    add(values: Values, at: number): Subscription {
      const id = toUuid(`${seed}/subscription`, added++)
      byId.set(id, { id, ...values, createdAt: at, updatedAt: at })
      return byId.get(id) as Subscription
    },
    change(id: string, values: Partial<Values>, at: number): Subscription | undefined {
      const before = byId.get(id)
      if (before !== undefined) byId.set(id, { ...before, ...values, updatedAt: at })
      return byId.get(id)
    },
    remove: (id: string) => byId.delete(id),
  }
}

export function createSubscriptionRoutes(subscriptions: Subscriptions, now: () => number): Hono {
  const routes = new Hono()
  const notFound = (context: Parameters<typeof failure>[0]) =>
    failure(context, 404, 'not_found', 'No such webhook subscription.')

  routes.get('/', (context) => context.json(subscriptions.list()))
  routes.post('/', async (context) => {
    const values = parseValues(await readObject(context))
    if (values?.name === undefined || values.url === undefined) return badRequest(context)
    const { name, url, eventTypes = [] } = values
    return context.json(subscriptions.add({ name, url, eventTypes }, now()), 201)
  })
  routes.patch('/:id', async (context) => {
    const values = parseValues(await readObject(context))
    if (values === undefined) return badRequest(context)
    const changed = subscriptions.change(context.req.param('id'), values, now())
    return changed === undefined ? notFound(context) : context.json(changed)
  })
  routes.delete('/:id', (context) =>
    subscriptions.remove(context.req.param('id')) ? context.body(null, 204) : notFound(context),
  )
  return routes
}

/** Given fields must be valid; `undefined` if one is not. Plain http is allowed, for local receivers. */
function parseValues(body: Json | undefined): Partial<Values> | undefined {
  const { name = '', url = 'http:', eventTypes = [] } = body ?? {}
  const isUrl = typeof url === 'string' && (body?.['url'] === undefined || /^https?:\/\/./.test(url))
  const areTypes = Array.isArray(eventTypes) && eventTypes.every((type) => typeof type === 'string')
  if (typeof name !== 'string' || !isUrl || !areTypes) return undefined
  const given = Object.entries({ name, url, eventTypes }).filter(([field]) => body?.[field] !== undefined)
  return Object.fromEntries(given)
}
