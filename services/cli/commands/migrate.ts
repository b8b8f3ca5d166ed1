/** `rollcall migrate`: brings the configured store to this version's schema. */
import { join } from 'node:path'
import { migrate } from '../../clickhouse/migrate.ts'
import { createRoles } from '../../clickhouse/roles.ts'
import { openClickHouseServer, toServerOptions } from '../../clickhouse/open-server.ts'
import { CommandError, present, type CommandIo, type CommandResult } from '../../runtime/control/command.ts'
import type { Config } from '../../config/config.ts'
import { findRunning } from '../../runtime/control/control-client.ts'

export async function migrateStore(
  config: Config,
  { users }: { users: boolean },
  { report }: CommandIo,
): Promise<CommandResult> {
  const { clickhouseUrl } = config
  if (users && clickhouseUrl === undefined) {
    throw new CommandError(
      'usage',
      'The store in DATA_DIR has no users: --users is for a ClickHouse server (CLICKHOUSE_URL).',
    )
  }
  const where = clickhouseUrl ?? join(config.dataDir, 'clickhouse')
  report({ step: `Migrating ${where}` })
  const { clickhouse, server, applied } = await openMigratedStore(config)
  try {
    const roles = users && server !== undefined ? await createRoles(clickhouse.writer, server) : []
    return {
      outcome: 'done',
      lines: present([
        applied.length === 0
          ? `${where} has the schema of this version already; views are up to date.`
          : `Applied to ${where}:`,
        ...applied.map((name) => `  ${name}`),
        roles.length > 0 && 'The roles exist; grant them to users as docs/clickhouse.md describes.',
      ]),
      data: { store: where, applied, roles },
    }
  } finally {
    await clickhouse.close()
  }
}

/** The configured store, which no process has open, with the schema of this version. */
export async function openMigratedStore(config: Config) {
  const { clickhouseUrl, dataDir } = config
  const running = clickhouseUrl === undefined ? await findRunning(dataDir) : undefined
  if (running !== undefined) throw new CommandError('failed', 'Rollcall runs on this store. Stop it first.')
  const directory = join(dataDir, 'clickhouse')
  const clickhouse =
    clickhouseUrl === undefined
      ? await (await import('../../clickhouse/open-embedded.ts')).openEmbeddedClickHouse({ directory })
      : await openClickHouseServer(toServerOptions({ ...config, clickhouseUrl }, 'write'))
  try {
    const server = clickhouseUrl === undefined ? undefined : { cluster: config.clickhouseCluster }
    const { applied } = await migrate(clickhouse.writer, { server })
    return { clickhouse, server, applied }
  } catch (error) {
    await clickhouse.close()
    throw error
  }
}
