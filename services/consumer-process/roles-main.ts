/** `npm run clickhouse:roles`: creates the roles with the administrator's rights (CLICKHOUSE_USER). */
import { openClickHouseServer, toServerOptions } from '../clickhouse/open-server.ts'
import { createRoles } from '../clickhouse/roles.ts'
import { readConfigOrExit } from '../config/config.ts'
import { runMain } from '../runtime/run-main.ts'

await runMain(async () => {
  const config = readConfigOrExit('clickhouseUrl')
  const clickhouse = await openClickHouseServer(toServerOptions(config, 'write'))
  try {
    const names = await createRoles(clickhouse.writer, { cluster: config.clickhouseCluster })
    process.stderr.write(`Applied:\n${names.map((name) => `  ${name}\n`).join('')}`)
  } finally {
    await clickhouse.close()
  }
})
