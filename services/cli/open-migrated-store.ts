import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { CommandError } from '../runtime/control/command.ts'
import { findRunning } from '../runtime/control/control-client.ts'

/**
 * The configured store with the schema of this version. Creates it if needed, and refuses while Rollcall runs
 * on it.
 */
export async function openMigratedStore(config: Config) {
  const { clickhouseUrl, dataDir } = config
  const running = clickhouseUrl === undefined ? await findRunning(dataDir) : undefined
  if (running !== undefined) throw new CommandError('failed', 'Rollcall runs on this store. Stop it first.')
  const { migrate } = await import('../clickhouse/migrate.ts')
  const clickhouse = await open(config)
  try {
    const server = clickhouseUrl === undefined ? undefined : { cluster: config.clickhouseCluster }
    const { applied } = await migrate(clickhouse.writer, { server })
    return { clickhouse, server, applied }
  } catch (error) {
    await clickhouse.close()
    throw error
  }
}

async function open({ clickhouseUrl, ...config }: Config) {
  if (clickhouseUrl === undefined) {
    const { openEmbeddedClickHouse } = await import('../clickhouse/open-embedded.ts')
    return openEmbeddedClickHouse({ directory: join(config.dataDir, 'clickhouse') })
  }
  const { openClickHouseServer, toServerOptions } = await import('../clickhouse/open-server.ts')
  return openClickHouseServer(toServerOptions({ ...config, clickhouseUrl }, 'write'))
}
