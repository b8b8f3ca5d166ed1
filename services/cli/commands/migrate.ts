/** `rollcall migrate`: brings the configured store to this version's schema. */
import { join } from 'node:path'
import { finishUpgrade } from '../../clickhouse/directory/upgrade.ts'
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
    if (server === undefined) finishUpgrade(where)
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
