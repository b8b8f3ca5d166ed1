/** Where analysts run SQL, over the store of a test. */
import type { Hono } from 'hono'
import { openSqlEndpoint } from '../../services/sql-endpoint/open-sql-endpoint.ts'
import type { TestStore } from '../support/store/store.ts'

export async function openAnalystEndpoint(store: TestStore): Promise<Hono> {
  const client = await store.openAnalyst({
    maxExecutionSeconds: 60,
    maxMemoryBytes: 1_000_000_000,
    maxResultRows: 10_000,
    maxResultBytes: 10_000_000,
  })
  return openSqlEndpoint({ engine: { run: (use) => use(client) }, people: false, maxWaiting: 100 })
}

type SqlRow = Record<string, string | number | null>

/** The rows of a statement as it stands. Anything but 200 is an error with the words of the endpoint. */
export async function runSql(endpoint: Hono, sql: string): Promise<SqlRow[]> {
  const answer = await endpoint.request('/?default_format=JSONEachRow', { method: 'POST', body: sql })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status}: ${text}\n${sql.slice(0, 4_000)}`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SqlRow)
}
