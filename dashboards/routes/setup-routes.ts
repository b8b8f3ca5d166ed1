import { type Context, Hono } from 'hono'
import type { RouteContext } from '../dashboards-deps.ts'
import { SetupPage } from '../pages/setup-page.tsx'
import type { TestEventResult } from '../setup.ts'
import { pageContext } from './page-request.ts'
import { dataProblem } from './problems.ts'

export function setupRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/setup', (c) => setupPage(c, routes, { empty: false }))

  app.post('/setup/test-event', async (c) => {
    if (routes.sendTestEvent === undefined) return c.notFound()
    const result = await routes.sendTestEvent()
    // Answered by a redirect, so that loading the page again does not send another.
    return c.redirect(`/setup?${new URLSearchParams(toQuery(result)).toString()}`, 303)
  })

  return app
}

export async function setupPage(c: Context, routes: RouteContext, { empty }: { empty: boolean }): Promise<Response> {
  try {
    const setup = await routes.setup()
    const context = pageContext(c, routes, { now: routes.clock() })
    const notices = resultNotices(context.params)
    const canSend = routes.sendTestEvent !== undefined
    return await c.html(
      SetupPage({ context, setup, canSend, notices, empty: empty || setup.totals.stored + setup.totals.failed === 0 }),
    )
  } catch (error) {
    return dataProblem(c, routes, error)
  }
}

function toQuery(result: TestEventResult): Record<string, string> {
  switch (result.kind) {
    case 'accepted':
      return { test: 'accepted', receipt: result.receipt }
    case 'refused':
      return { test: 'refused', status: String(result.status), why: result.body.slice(0, 300) }
    case 'unreachable':
      return { test: 'unreachable', why: result.reason.slice(0, 300) }
  }
}

function resultNotices(params: URLSearchParams): string[] {
  const why = params.get('why') ?? ''
  switch (params.get('test')) {
    case 'accepted':
      return [
        `The test event was accepted; its receipt is ${params.get('receipt') ?? ''}. It appears below within seconds.`,
      ]
    case 'refused':
      return [`The test event was refused with status ${params.get('status') ?? ''}: ${why}`]
    case 'unreachable':
      return [`The test event could not be delivered: ${why}. Is the ingest service running at this address?`]
    default:
      return []
  }
}
