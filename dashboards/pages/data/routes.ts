import type { Context, Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import { maxBodyBytes } from '../../../services/sql-endpoint/open-sql-endpoint.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { Ask } from '../../http/ask-inside.ts'
import { DataPage } from './page.tsx'
import { readData } from './read.ts'
import { exportSql, runSql, type SqlResult } from './run-sql.ts'

/** `/data`: what each column means, how to connect, and read-only SQL. */
export function mountData(app: Hono, routes: RouteContext, ask: Ask): void {
  const answer = async (c: Context, sql: string | null, result: SqlResult | null) =>
    c.html(DataPage(await readData(c, routes, ask, sql, result)), result?.kind === 'refused' ? 400 : 200)

  app.get('/data', (c) => answer(c, null, null))

  app.post('/data', async (c) => {
    const { sql, as } = await c.req.parseBody()
    const refuse = (message: string) =>
      answer(c, typeof sql === 'string' ? sql : '', { kind: 'refused', message })
    if (typeof sql !== 'string' || sql.trim() === '') return refuse(t('Write one SELECT statement.'))
    if (Buffer.byteLength(sql) > maxBodyBytes) return refuse(t('A statement may have 1 MiB at most.'))
    const result = await (as === 'csv' ? exportSql : runSql)(c, ask, sql)
    return result instanceof Response ? result : answer(c, sql, result)
  })
}
