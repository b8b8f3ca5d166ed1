/** The platform's API, as far as it is known: users, guides, assignments and subscriptions, for everybody who has a token. */
import { Hono } from 'hono'
import { createAccount, type AccountOptions } from './account.ts'
import type { ApiFaults } from './api-faults.ts'
import type { ApiCall, CallLog } from './calls.ts'
import { createGate, type GateOptions } from './gate.ts'
import { createChangedGuideRoutes, createGuideRoutes } from './guide-routes.ts'
import { createSpecificationRoutes } from './specification-routes.ts'
import type { Subscriptions } from './subscriptions.ts'
import { createSubscriptionRoutes } from './subscription-routes.ts'
import { createUserRoutes } from './user-routes.ts'

export type PlatformAppDeps = GateOptions &
  AccountOptions & {
    subscriptions: Subscriptions
    calls: CallLog
    faults: ApiFaults
  }

export function createPlatformApp(deps: PlatformAppDeps): Hono {
  const { now, clock = Date.now } = deps
  const account = createAccount(deps)
  const app = new Hono()
  const api = new Hono()
  api.use(async (context, next) => {
    const { pathname, search } = new URL(context.req.url)
    const path = pathname.replace(/^\/api\/v1/, '')
    const call: ApiCall = { at: clock(), method: context.req.method, path, query: search, status: null }
    deps.calls.add(call)
    await next()
    call.status = context.res.headers.has('x-hono-already-sent') ? 0 : context.res.status
  })
  api.use(deps.faults.middleware)
  api.use(createGate(deps))
  const rooms =
    account.dialect === 'specification'
      ? [createSpecificationRoutes]
      : [createUserRoutes, createGuideRoutes, createChangedGuideRoutes]
  for (const create of rooms) api.route('/', create(account))
  if (account.dialect !== 'specification' && !account.absent.includes('webhook_subscriptions')) {
    api.route('/webhook_subscriptions', createSubscriptionRoutes(deps.subscriptions, now))
  }
  // Needs a good token, like everything under /api/v1.
  api.all('*', (context) => context.json({ error: 'Not found' }, 404))
  app.route('/api/v1', api)
  app.notFound((context) => context.json({ error: 'Not found' }, 404))
  return app
}
