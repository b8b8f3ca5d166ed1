/** Read-only SQL for analysts, within the limits that the owner has set. */
import type { Hono } from 'hono'
import type { EmbeddedClickHouse } from '../clickhouse/open-embedded.ts'
import type { Config } from '../config/config.ts'
import type { Logger } from '../runtime/logger.ts'
import { createSqlSignpost, openSqlEndpoint } from '../sql-endpoint/open-sql-endpoint.ts'

/** Answers are held in memory while they are sent. */
const maxSqlAnswerBytes = 256 * 1024 ** 2

export type Sql = {
  sql: Hono
  /** For analysts without the grant, where others may read names. */
  sqlWithoutNames?: Hono
}

export async function openSql(clickhouse: EmbeddedClickHouse, config: Config, logger: Logger): Promise<Sql> {
  if (config.sqlEndpoint === 'off') return { sql: createSqlSignpost('switched_off') }
  const client = await clickhouse.openAnalyst({
    maxExecutionSeconds: config.sqlMaxSeconds,
    maxMemoryBytes: config.sqlMaxMemoryBytes,
    maxResultRows: config.sqlMaxRows,
    maxResultBytes: maxSqlAnswerBytes,
  })
  const onError = (error: unknown) => logger.error({ err: error }, 'A statement of an analyst failed')
  const open = (people: boolean) => openSqlEndpoint({ client, people, onError })
  if (config.sqlPeople !== 'granted') return { sql: await open(false) }
  return { sql: await open(true), sqlWithoutNames: await open(false) }
}
