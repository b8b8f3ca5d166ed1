/** Read-only SQL for analysts, in a process of its own, within the limits that the owner has set. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Hono } from 'hono'
import { currentVisitor } from '../access/visitor.ts'
import { contractViews } from '../../schemas/clickhouse/contract.ts'
import type { Config } from '../config/config.ts'
import type { Logger } from '../runtime/logger.ts'
import { toConnection } from '../sql-endpoint/http-front/create-front.ts'
import { createSqlSignpost, openSqlEndpoint } from '../sql-endpoint/open-sql-endpoint.ts'
import { openSqlProcess, removeSnapshots, toSnapshots } from '../sql-endpoint/process/open-sql-process.ts'
import { createTurns } from '../sql-endpoint/turns.ts'

/** Answers are held in memory while they are sent. */
const maxSqlAnswerBytes = 256 * 1024 ** 2

export type Sql = {
  sql: Hono
  /** For analysts without the grant, where others may read names. */
  sqlWithoutNames?: Hono
  /** Ends the process of statements, and with it the snapshot that they read. */
  endSnapshot(): Promise<void>
  close(): Promise<void>
}

export function openSql(client: ClickHouseClient, config: Config, logger: Logger): Sql {
  const nothing = () => Promise.resolve()
  const directory = toSnapshots(config.dataDir)
  if (config.sqlEndpoint === 'off') {
    removeSnapshots(directory)
    return { sql: createSqlSignpost('switched_off'), endSnapshot: nothing, close: nothing }
  }
  const process = openSqlProcess({
    client,
    directory,
    views: contractViews,
    limits: {
      maxExecutionSeconds: config.sqlMaxSeconds,
      maxMemoryBytes: config.sqlMaxMemoryBytes,
      maxResultRows: config.sqlMaxRows,
      maxResultBytes: maxSqlAnswerBytes,
    },
  })
  const turns = createTurns({ mostEach: 8, mostAll: 64 })
  const onError = (error: unknown) => logger.error({ err: error }, 'A statement of an analyst failed')
  const open = (people: boolean) =>
    openSqlEndpoint({
      engine: process,
      people,
      turns,
      toAsker: (c) => currentVisitor().login || toConnection(c),
      onError,
    })
  const opened = { endSnapshot: process.end, close: process.close }
  if (config.sqlPeople !== 'granted') return { sql: open(false), ...opened }
  return { sql: open(true), sqlWithoutNames: open(false), ...opened }
}
