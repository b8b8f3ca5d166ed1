/** The files of the forecast figure, for the scope of any page that shows it. */
import { Hono } from 'hono'
import { toForecastSql } from '../../../reporting/explain/metric-sql.ts'
import { readForecast, toPast } from '../../../reporting/forecast/read-forecast.ts'
import { toParams } from '../../api/api-context.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { parsePage } from '../../scope/parse-page.ts'
import { dataProblem } from '../../http/problems.ts'
import { sendScopeTable } from '../../http/send-table.ts'

export function forecastRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/:file{forecast\\.(csv|xlsx)}', (c) => {
    const extension = c.req.param('file').slice('forecast.'.length)
    return sendScopeTable(c, routes, { what: 'forecast', extension }, async (scope) => {
      const { points } = await readForecast(routes.late, scope)
      return [
        ['day', 'expected', 'at_least', 'at_most'],
        ...points.map(({ day, value, low, high }) => [day, value, low, high]),
      ]
    })
  })

  app.get('/:file{forecast\\.sql}', async (c) => {
    const { scope } = parsePage(toParams(c), { now: routes.clock(), settings: routes.settings })
    const past = toPast(scope)
    try {
      const [under, seen] = await Promise.all([routes.late.under(scope), routes.late.under(past)])
      return c.text(toForecastSql(scope, past, { under, seen }))
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  return app
}
