/** `npm run migrate`: brings the store in DATA_DIR to the schema of this version, without starting anything. */
import { join } from 'node:path'
import { migrate } from '../clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../clickhouse/open-embedded.ts'
import { readConfigOrExit } from '../runtime/config.ts'
import { runMain } from '../runtime/run-main.ts'

await runMain(async () => {
  const directory = join(readConfigOrExit().dataDir, 'clickhouse')
  const clickhouse = await openEmbeddedClickHouse({ directory })
  try {
    const { applied } = await migrate(clickhouse.writer)
    process.stderr.write(
      applied.length === 0
        ? `${directory} has the schema of this version already; views are up to date.\n`
        : `Applied to ${directory}:\n${applied.map((name) => `  ${name}\n`).join('')}`,
    )
  } finally {
    await clickhouse.close()
  }
})
