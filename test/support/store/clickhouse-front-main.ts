/**
 * The engine behind ClickHouse's HTTP interface, reading and writing: what stands in for a ClickHouse server where there is
 * none. A program of its own, because chDB wants a main thread and one process per directory. Prints its port, ends with its
 * parent or by SIGTERM.
 */
import type { DataFormat } from '@clickhouse/client'
import { openEmbeddedClickHouse } from '../../../services/clickhouse/open-embedded.ts'
import { createHttpFront } from '../../../services/sql-endpoint/http-front/create-front.ts'
import {
  StatementError,
  type HttpAnswer,
  type HttpStatement,
} from '../../../services/sql-endpoint/http-front/http-front.ts'
import { fillParameters } from '../../../services/sql-endpoint/http-front/parameters.ts'
import { listen } from '../../../services/runtime/http/listen.ts'

const [directory = '', port = '0', host = '127.0.0.1'] = process.argv.slice(2)
const writers = 4
const { writer, close } = await openEmbeddedClickHouse({ directory, writers, readers: 1 })
// Values are written into the statement here, and some are long. Asked for at once, so that every connection gets it.
await Promise.all(
  Array.from({ length: writers }, () => writer.command({ query: 'SET max_query_size = 268435456' })),
)

/** Settings of clients of a server beside a statement that chDB applies anyway or has no need of. */
const needless = new Set([
  ...'async_insert insert_deduplicate insert_quorum insert_quorum_parallel'.split(' '),
  ...'max_execution_time distributed_ddl_output_mode'.split(' '),
])

async function execute({ sql, params, settings, defaultFormat }: HttpStatement): Promise<HttpAnswer> {
  for (const name of Object.keys(settings)) {
    if (!needless.has(name))
      throw new StatementError('UNKNOWN_SETTING', `Setting ${name} is not known to this front`)
  }
  const { stream } = await writer.exec({
    query: Object.keys(params).length === 0 ? sql : fillParameters(sql, params),
    // Not a setting of the engine: chDB takes it as the format of a statement that names none.
    clickhouse_settings: { default_format: defaultFormat as DataFormat },
  })
  return { body: stream, format: /\bFORMAT\s+(\w+)\s*;?\s*$/i.exec(sql)?.[1] }
}

const server = await listen({
  handler: createHttpFront({ execute, serverName: 'chdb' }),
  host,
  port: Number(port),
  portVariable: 'the port',
})
console.log(server.port)

async function stop(): Promise<void> {
  await server.close(100)
  await close()
  process.exit(0)
}
process.once('disconnect', () => void stop())
process.once('SIGTERM', () => void stop())
