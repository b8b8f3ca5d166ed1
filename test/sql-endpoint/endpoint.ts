/** The read-only SQL endpoint over a real store with a small company in it. */
import type { Hono } from 'hono'
import type { EmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { openSqlEndpoint } from '../../services/sql-endpoint/open-sql-endpoint.ts'
import { toEngine } from '../support/store/analyst-engine.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openDirectory } from '../support/store/store.ts'
import { copyStoreTemplate } from '../support/store/template.ts'

export type Answer = { status: number; text: string; headers: Headers }

export type TestEndpoint = {
  app: Hono
  clickhouse: EmbeddedClickHouse
  /** Where statements may try to read and write; `secret.csv` in it holds `top secret`. */
  directory: string
  ask(sql: string, parameters?: Record<string, string>): Promise<Answer>
  /** The same data behind an endpoint whose statements have two seconds. */
  openImpatient(): Promise<Pick<TestEndpoint, 'ask'>>
  close(): Promise<void>
}

export const limits = {
  // Not the subject, but for one test: no machine is so slow.
  maxExecutionSeconds: 600,
  maxMemoryBytes: 200_000_000,
  maxResultRows: 10_000,
  maxResultBytes: 10_000_000,
}

export async function openTestEndpoint({ people = false } = {}): Promise<TestEndpoint> {
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-sql-'))
  await writeFile(join(directory, 'secret.csv'), 'top secret\n')
  copyStoreTemplate(join(directory, 'store'))
  const clickhouse = await openDirectory(join(directory, 'store'))
  const north = { groups: [{ id: 1, name: 'North' }] }
  const bodies = [
    toBody('Created', 'a', monday, { dueDate: monday + day }, north),
    toBody(
      'Completed',
      'a',
      monday + 3 * day,
      {
        status: 'completed',
        isCompleted: true,
        completedAt: monday + 3 * day,
      },
      north,
    ),
    toBody('Created', 'b', monday, {}, { id: 8, name: 'Bo Adeyemi', email: 'bo@example.com' }),
  ]
  const consumer = createConsumer({ client: clickhouse.writer })
  await consumer.handle(toBatch(bodies.map((body, offset) => toRecord(body, offset))))
  const analyst = await clickhouse.openAnalyst(limits)
  const app = openSqlEndpoint({ engine: toEngine(analyst), people })

  return {
    app,
    clickhouse,
    directory,
    ask: toAsk(app),
    async openImpatient() {
      const client = await clickhouse.openAnalyst({ ...limits, maxExecutionSeconds: 2 })
      return { ask: toAsk(openSqlEndpoint({ engine: toEngine(client), people })) }
    },
    async close() {
      await clickhouse.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function toAsk(app: Hono): TestEndpoint['ask'] {
  return async (sql, parameters = {}) => {
    const answer = await app.request(`/?${new URLSearchParams(parameters).toString()}`, {
      method: 'POST',
      body: sql,
    })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
}
