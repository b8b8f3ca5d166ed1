/** `/webhook_subscriptions`: list, add, change, remove. */
import { Hono } from 'hono'
import { badRequest, failure } from './gate.ts'
import type { Subscriptions, SubscriptionValues } from './subscriptions.ts'

export function createSubscriptionRoutes(subscriptions: Subscriptions, now: () => number): Hono {
  const routes = new Hono()

  routes.get('/', (context) => context.json(subscriptions.list()))

  routes.post('/', async (context) => {
    const values = parseValues(await context.req.json().catch(() => undefined))
    if (values?.name === undefined || values.url === undefined) return badRequest(context)
    const added = subscriptions.add({ name: values.name, url: values.url, eventTypes: values.eventTypes ?? [] }, now())
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
  if (url !== undefined && (typeof url !== 'string' || !/^https?:/.test(url) || !URL.canParse(url))) return undefined
  const isList = Array.isArray(eventTypes) && eventTypes.every((type) => typeof type === 'string')
  if (eventTypes !== undefined && !isList) return undefined
  return {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(isList && { eventTypes }),
  }
}
