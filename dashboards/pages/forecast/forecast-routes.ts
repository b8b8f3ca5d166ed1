/** The files of the forecast figure, for the scope of any page that shows it. */
import { Hono } from 'hono'
import { readForecast } from '../../../reporting/forecast/read-forecast.ts'
import { toParams } from '../../api/api-context.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { parsePage } from '../../url/parse-page.ts'
import { dataProblem } from '../problem/problems.ts'
import { sendTable } from '../send-table.ts'

export function forecastRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/:file{forecast\\.(csv|xlsx)}', async (c) => {
    const extension = c.req.param('file').slice('forecast.'.length)
    const { scope, rowParams } = parsePage(toParams(c), { now: routes.clock(), settings: routes.settings })
    try {
      const [{ points }, { freshness }] = await Promise.all([
        readForecast(routes.late, scope),
        routes.rows.frame(scope),
      ])
      const rows = [
        ['day', 'expected', 'at_least', 'at_most'],
        ...points.map(({ day, value, low, high }) => [day, value, low, high]),
      ]
      return sendTable(c, {
        what: 'forecast',
        extension,
        rows,
        asOf: scope.asOf,
        params: rowParams,
        sample: freshness.sample,
      })
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  return app
}
