/** `/webhook_subscriptions`: the registered webhook URLs, in memory like everything in the sample platform. */
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { toUuid } from '../random.ts'
import { badRequest, failure, readObject } from './answers.ts'

/** Plain http is allowed, for local receivers. No event types: all. */
const valuesSchema = z.object({
  name: z.string(),
  url: z.url({ protocol: /^https?$/ }),
  eventTypes: z.array(z.string()),
})
type Values = z.infer<typeof valuesSchema>

/** The given fields; `undefined` if one is not valid. */
const parseValues = async (context: Context) =>
  valuesSchema.partial().safeParse(await readObject(context)).data as Partial<Values> | undefined

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
  const notFound = (context: Context) => failure(context, 404, 'not_found', 'No such webhook subscription.')

  routes.get('/', (context) => context.json(subscriptions.list()))
  routes.post('/', async (context) => {
    const values = await parseValues(context)
    if (values?.name === undefined || values.url === undefined) return badRequest(context)
    const { name, url, eventTypes = [] } = values
    return context.json(subscriptions.add({ name, url, eventTypes }, now()), 201)
  })
  routes.patch('/:id', async (context) => {
    const values = await parseValues(context)
    if (values === undefined) return badRequest(context)
    const changed = subscriptions.change(context.req.param('id'), values, now())
    return changed === undefined ? notFound(context) : context.json(changed)
  })
  routes.delete('/:id', (context) =>
    subscriptions.remove(context.req.param('id')) ? context.body(null, 204) : notFound(context),
  )
  return routes
}
