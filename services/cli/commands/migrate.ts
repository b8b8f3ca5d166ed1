/** `rollcall migrate`: the schema of this version, in the store that the configuration names. */
import { join } from 'node:path'
import { migrate } from '../../clickhouse/migrate.ts'
import { openClickHouseServer } from '../../clickhouse/open-server.ts'
import { toServerOptions } from '../../clickhouse/server-config.ts'
import { CommandError, type CommandIo, type CommandResult } from '../../runtime/command.ts'
import type { Config } from '../../runtime/config.ts'
import { findRunning } from '../../runtime/control-client.ts'

export async function migrateStore(config: Config, { report }: CommandIo): Promise<CommandResult> {
  const { clickhouseUrl } = config
  const running = clickhouseUrl === undefined ? await findRunning(config.dataDir) : undefined
  if (running !== undefined) {
    throw new CommandError('failed', 'Rollcall runs on this store, and has brought it to its schema when it started.')
  }
  const where = clickhouseUrl ?? join(config.dataDir, 'clickhouse')
  report({ step: `Migrating ${where}` })
  const clickhouse =
    clickhouseUrl === undefined
      ? await (await import('../../clickhouse/open-embedded.ts')).openEmbeddedClickHouse({ directory: where })
      : await openClickHouseServer(toServerOptions({ ...config, clickhouseUrl }, 'write'))
  try {
    const server = clickhouseUrl === undefined ? undefined : { cluster: config.clickhouseCluster }
    const { applied } = await migrate(clickhouse.writer, { server })
    return {
      outcome: 'done',
      lines:
        applied.length === 0
          ? [`${where} has the schema of this version already; views are up to date.`]
          : [`Applied to ${where}:`, ...applied.map((name) => `  ${name}`)],
      data: { store: where, applied },
    }
  } finally {
    await clickhouse.close()
  }
}
