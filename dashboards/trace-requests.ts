import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Tracing } from '../services/runtime/tracing/tracing.ts'

/** A trace per request, named by its route: a path may hold ids, and a query what somebody looks for. */
export function traceRequests(tracing: Tracing): MiddlewareHandler {
  return (c, next) =>
    tracing.within(
      { name: c.req.method, kind: 'server', attributes: { 'http.request.method': c.req.method } },
      async ({ rename, set, fail }) => {
        await next()
        const { status } = c.res
        const route = matchedRoutes(c).findLast(({ path }) => !path.endsWith('*'))?.path
        if (route !== undefined) rename(`${c.req.method} ${route}`)
        set({ 'http.response.status_code': status, ...(route !== undefined && { 'http.route': route }) })
        if (status >= 500) fail(String(status))
      },
    )
}
