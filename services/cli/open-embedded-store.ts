/** The store and the log in DATA_DIR for one command, while no other process has them open. */
import { join } from 'node:path'
import { migrate } from '../clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../clickhouse/open-embedded.ts'
import { finishErasures } from '../erasure/finish-erasures.ts'
import { readLocalLogUse, readLogId } from '../event-log/local/log-use.ts'
import { readStoreLogs } from '../consumer/store-log.ts'
import { writeStoredThrough } from '../event-log/local/position.ts'
import { makeLogDirectory } from '../event-log/local/table.ts'
import { openLocalLogWriter } from '../event-log/local/writer.ts'
import type { Config } from '../config/config.ts'
import { checkDataDirectory } from '../config/check-data-directory.ts'
import { readGeneratedToken } from '../config/token-file.ts'
import { toLocalUrl } from '../config/values/address.ts'
import { removeSnapshots, toSnapshots } from '../sql-endpoint/process/open-sql-process.ts'
import type { Opened } from './command-deps.ts'
import { openParts } from './open-parts.ts'

export async function openEmbeddedStore(config: Config): Promise<Opened> {
  const logDirectory = join(config.dataDir, 'log')
  checkDataDirectory(config.dataDir)
  const clickhouse = await openEmbeddedClickHouse({ directory: join(config.dataDir, 'clickhouse') })
  // A snapshot must not keep data that this command removes.
  removeSnapshots(toSnapshots(config.dataDir))
  await migrate(clickhouse.writer)
  await finishErasures(clickhouse.writer, config.dataDir)
  const { deps, close } = openParts(config, clickhouse.writer, async (_, consumer) => {
    makeLogDirectory(logDirectory)
    const [known] = await readStoreLogs(clickhouse.writer)
    writeStoredThrough(logDirectory, await consumer.resumeFrom(0, readLogId(logDirectory, known?.id)))
    const { logMaxBytes: maxBytes, logRetentionMs: retentionMs } = config
    return openLocalLogWriter({ directory: logDirectory, maxBytes, retentionMs })
  })

  return {
    deps: {
      ...deps,
      streamer: clickhouse.streamer,
      settle: () => Promise.resolve(),
      readLogId: () => Promise.resolve(readLogId(logDirectory)),
      checkLog: () => Promise.resolve(undefined),
      async readProgress() {
        const use = readLocalLogUse(logDirectory)
        return {
          waiting: use?.waitingRecords ?? 0,
          oldestReceivedAt: use?.oldestReceivedAt,
          failure: undefined,
        }
      },
      ingestUrl() {
        const token = readGeneratedToken(config)
        const base = config.publicIngestUrl ?? toLocalUrl(config.host, config.ingestPort)
        return token === undefined ? undefined : `${base}/webhooks/${token}`
      },
    },
    /** The next start stores what was appended to the log. */
    async close() {
      await close()
      await clickhouse.close()
    },
  }
}
