/** The JSON API, mounted at `/api`. Strict: every parameter that cannot be used is listed in one 400. */
import { Hono } from 'hono'
import { AudienceError } from '../../reporting/audience.ts'
import { askScope, fail, failToRead, refuse, type ApiContext } from './api-context.ts'
import { limitBody } from '../http/read-form.ts'
import { createOpenApi, type ApiSignIn } from './openapi.ts'
import { operations } from './operations.ts'
import { mountAssignments } from './routes/assignments.ts'
import type { Arrival } from '../arrival.ts'
import type { Assigning } from '../assigning.ts'
import { mountChanges } from './routes/changes.ts'
import { mountExplain } from './routes/explain.ts'
import { mountGuideOrders } from './routes/guide-orders.ts'
import { mountGuides } from './routes/guides.ts'
import { mountDeliveries } from './routes/deliveries.ts'

export type ApiDeps = ApiContext & {
  /** Giving people guides. Default: not offered. */
  assigning?: Assigning
  /** How deliveries arrive, and the repair of those that failed. Default: not offered. */
  arrival?: Arrival
  /** How people sign in. Default: nobody does. */
  signIn?: ApiSignIn
  /** Called with every failed answer's cause. */
  onError?: (error: unknown) => void
}

export function createApi({ onError, assigning, arrival, signIn, ...context }: ApiDeps): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
    c.header('x-content-type-options', 'nosniff')
  })
  app.use(limitBody(1024 ** 2, (c) => refuse(c, [{ parameter: 'body', message: 'is larger than 1 MiB' }])))

  app.get('/metrics', async (c) => {
    const { scope, problems } = askScope(c, context)
    return scope === undefined ? refuse(c, problems) : c.json(await context.queries.metrics(scope))
  })
  mountAssignments(app, context)
  mountChanges(app, context)
  mountExplain(app, context)
  mountGuideOrders(app, context, assigning)
  mountGuides(app, context)
  mountDeliveries(app, context, arrival)
  // Made when it is first asked for: it takes as long as a twentieth of a start.
  let description: string | undefined
  app.get('/openapi.json', (c) => {
    description ??= JSON.stringify(createOpenApi(operations, signIn, context.settings.userAttributes))
    return c.body(description, 200, { 'content-type': 'application/json' })
  })

  // A route instead of `notFound`: a mounted app does not bring its `notFound` along.
  app.all('*', (c) =>
    fail(c, 404, 'NOT_FOUND', [{ parameter: 'path', message: 'is not a part of this API' }]),
  )
  app.onError((error, c) => {
    if (error instanceof AudienceError)
      return fail(c, 403, 'FORBIDDEN', [{ parameter: 'scope', message: error.message }])
    onError?.(error)
    return failToRead(c, error)
  })
  return app
}
