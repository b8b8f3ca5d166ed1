/** `rollcall migrate`: brings the configured store to this version's schema. */
import { join } from 'node:path'
import { z } from 'zod'
import { CommandError, present } from '../../runtime/control/command.ts'
import { flag, localCommand } from '../command.ts'
import { openMigratedStore } from '../open-migrated-store.ts'

export const migrate = localCommand({
  usage: 'migrate',
  summary: 'Bring the store to the schema of this version without starting anything.',
  examples: ['rollcall migrate', 'CLICKHOUSE_USER=admin rollcall migrate --users'],
  options: z.object({
    users: flag('also create the roles for writer, dashboards and analysts; needs an administrator'),
  }),
  async runHere({ users }, config, { report }) {
    const { clickhouseUrl, dataDir } = config
    if (users && clickhouseUrl === undefined) {
      throw new CommandError(
        'usage',
        'The store in DATA_DIR has no users. Use --users only with a ClickHouse server (CLICKHOUSE_URL).',
      )
    }
    const where = clickhouseUrl ?? join(dataDir, 'clickhouse')
    report({ step: `Migrating ${where}` })
    const { clickhouse, server, applied } = await openMigratedStore(config)
    try {
      const { createRoles } = await import('../../clickhouse/roles.ts')
      const roles = users && server !== undefined ? await createRoles(clickhouse.writer, server) : []
      return {
        outcome: 'done',
        lines: present([
          applied.length === 0
            ? `${where} has the schema of this version already. Views are up to date.`
            : `Applied to ${where}:`,
          ...applied.map((name) => `  ${name}`),
          roles.length > 0 && 'The roles exist. Grant them to users as docs/clickhouse.md describes.',
        ]),
        data: { store: where, applied, roles },
      }
    } finally {
      await clickhouse.close()
    }
  },
})
