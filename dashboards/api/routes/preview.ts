import { Hono } from 'hono'
import { askScope, refuse, type ApiContext } from '../api-context.ts'

/** `/preview`: how many assignments would change state if `due_zone` and `due_end` were the settings. */
export function previewRoutes(context: ApiContext): Hono {
  const app = new Hono()

  app.get('/preview', async (c) => {
    const { scope, problems } = askScope(c, context)
    if (scope === undefined) return refuse(c, problems)
    const { dueZone, dueEnd } = context.settings
    const preview = await context.queries.preview({ ...scope, dueZone, dueEnd }, scope)
    return c.json({
      as_of: new Date(scope.asOf).toISOString(),
      time_zone: scope.timeZone,
      from: { due_zone: dueZone, due_end: dueEnd },
      to: { due_zone: scope.dueZone, due_end: scope.dueEnd },
      ...preview,
    })
  })

  return app
}
