/** Before a whole run of tests: the tests that need a ClickHouse server, where there is none. */
import { findDocker } from './clickhouse-server.ts'

export async function setup(): Promise<void> {
  if (process.env['CLICKHOUSE_URL'] !== undefined || (await findDocker())) return
  process.stdout.write(
    'Will not be run: what the users of a ClickHouse server may do; its other tests run on the engine in-process, behind our HTTP ' +
      'front. To run them start Docker, or set CLICKHOUSE_URL.\n',
  )
}
