/** The store and the log in DATA_DIR for one command, while no other process has them open. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../clickhouse/migrate.ts'
import { openEmbeddedClickHouse, type EmbeddedClickHouse } from '../clickhouse/open-embedded.ts'
import { finishErasures } from '../erasure/finish-erasures.ts'
import { readLocalLogUse, readLogId } from '../event-log/local/log-use.ts'
import { readStoreLogs } from '../consumer/store-log.ts'
import { writeStoredThrough } from '../event-log/local/position.ts'
import { openLocalLogReader } from '../event-log/local/reader.ts'
import { makeLogDirectory } from '../event-log/local/table.ts'
import { openLocalLogWriter } from '../event-log/local/writer.ts'
import type { Config } from '../config/config.ts'
import { checkDataDirectory } from '../config/check-data-directory.ts'
import { readOwnToken } from '../config/token.ts'
import { toLocalUrl } from '../config/values/address.ts'
import { removeSnapshots, toSnapshots } from '../sql-endpoint/process/open-sql-process.ts'
import type { Opened } from './command-deps.ts'
import { openParts } from './open-parts.ts'

const readerLimits = { maxBatchRecords: 10_000, maxBatchBytes: 16 * 1024 ** 2, minBatchIntervalMs: 1 }

export type OpenedEmbedded = Opened & {
  /** Stores the records of the log that are not stored yet. */
  storeLog(): Promise<void>
}

export async function openEmbeddedStore(config: Config): Promise<OpenedEmbedded> {
  const logDirectory = join(config.dataDir, 'log')
  checkDataDirectory(config.dataDir)
  const clickhouse = await openUpgraded(config.dataDir)
  const { deps, close } = openParts(config, clickhouse.writer, async (_, consumer) => {
    makeLogDirectory(logDirectory)
    const [known] = await readStoreLogs(clickhouse.writer)
    writeStoredThrough(logDirectory, await consumer.resumeFrom(0, readLogId(logDirectory, known?.id)))
    const { logMaxBytes: maxBytes, logRetentionMs: retentionMs } = config
    return openLocalLogWriter({ directory: logDirectory, maxBytes, retentionMs })
  })

  async function storeLog(): Promise<void> {
    const reader = openLocalLogReader({ directory: logDirectory })
    const failure = Promise.withResolvers<never>()
    reader.start(deps.consumer, readerLimits, (error) => failure.reject(error))
    async function untilStored(): Promise<void> {
      while ((await reader.lag()).some(({ records }) => records > 0)) await pause(50)
    }
    try {
      await Promise.race([untilStored(), failure.promise])
    } finally {
      await reader.close()
    }
  }

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
        const token = config.ingestTokens.length === 0 ? readOwnToken(config.dataDir) : undefined
        const base = config.publicIngestUrl ?? toLocalUrl(config.host, config.ingestPort)
        return token === undefined ? undefined : `${base}/webhooks/${token}`
      },
    },
    storeLog,
    async close() {
      // Otherwise the next start would store it.
      if (await close()) await storeLog()
      await clickhouse.close()
    },
  }
}

async function openUpgraded(dataDir: string): Promise<EmbeddedClickHouse> {
  const directory = join(dataDir, 'clickhouse')
  const clickhouse = await openEmbeddedClickHouse({ directory })
  // A snapshot must not keep data that this command removes.
  removeSnapshots(toSnapshots(dataDir))
  await migrate(clickhouse.writer)
  await finishErasures(clickhouse.writer, dataDir)
  return clickhouse
}
