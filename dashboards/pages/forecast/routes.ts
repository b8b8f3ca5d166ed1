/** The files of the forecast figure, for the scope of any page that shows it. */
import type { Hono } from 'hono'
import { readForecast } from '../../../reporting/queries/read-forecast.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { sendScopeTable } from '../../http/send-table.ts'

export function mountForecast(app: Hono, routes: RouteContext): void {
  app.get('/:file{forecast\\.(csv|xlsx)}', (c) =>
    sendScopeTable(c, routes, 'forecast', async (scope) => {
      const { points } = await readForecast(routes.queries, scope)
      return [
        ['day', 'expected', 'at_least', 'at_most'],
        ...points.map(({ day, value, low, high }) => [day, value, low, high]),
      ]
    }),
  )
}
