/** The store and the log in DATA_DIR for one command, while no other process has them open. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { migrate } from '../clickhouse/migrate.ts'
import { finishUpgrade } from '../clickhouse/directory/upgrade.ts'
import { openEmbeddedClickHouse, type EmbeddedClickHouse } from '../clickhouse/open-embedded.ts'
import { createConsumer } from '../consumer/consumer.ts'
import { openScheduledJobs } from '../consumer-process/open-scheduled-jobs.ts'
import { createPeople } from '../consumer/store/store-people.ts'
import type { LogRecord } from '../event-log/event-log.ts'
import { readLocalLogUse } from '../event-log/local/log-use.ts'
import { meetStore } from '../event-log/local/meet-store.ts'
import { openLocalLogReader } from '../event-log/local/reader.ts'
import { openLocalLogWriter, type LocalLogWriter } from '../event-log/local/writer.ts'
import { scanLocalLog } from '../event-log/local/scan-log.ts'
import type { Config } from '../config/config.ts'
import { checkDataDirectory } from '../config/check-data-directory.ts'
import { createLogger } from '../runtime/logger.ts'
import { readOwnToken } from '../config/token.ts'
import { removeSnapshots, toSnapshots } from '../sql-endpoint/process/open-sql-process.ts'
import type { Opened } from './command-deps.ts'

const readerLimits = { maxBatchRecords: 10_000, maxBatchBytes: 16 * 1024 ** 2, minBatchIntervalMs: 1 }

export type OpenedEmbedded = Opened & {
  /** Stores the records of the log that are not stored yet. */
  storeLog(): Promise<void>
}

export async function openEmbeddedStore(config: Config): Promise<OpenedEmbedded> {
  const logger = createLogger({ part: 'cli', level: config.logLevel === 'info' ? 'silent' : config.logLevel })
  const logDirectory = join(config.dataDir, 'log')
  checkDataDirectory(config.dataDir)
  const clickhouse = await openUpgraded(config.dataDir)
  const client = clickhouse.writer
  const people = createPeople(client, { attributes: config.userAttributes })
  const consumer = createConsumer({ client, people })
  let log: LocalLogWriter | undefined

  async function append(records: LogRecord[]): Promise<void> {
    if (log === undefined) meetStore(logDirectory, await consumer.resumeFrom(0))
    log ??= await openLocalLogWriter({
      directory: logDirectory,
      maxBytes: config.logMaxBytes,
      retentionMs: config.logRetentionMs,
    })
    const writer = log
    await Promise.all(records.map((record) => writer.append(record)))
  }

  async function storeLog(): Promise<void> {
    const reader = openLocalLogReader({ directory: logDirectory })
    const failure = Promise.withResolvers<never>()
    reader.start(consumer, readerLimits, (error) => failure.reject(error))
    async function untilStored(): Promise<void> {
      while ((await reader.lag()).some(({ records }) => records > 0)) await pause(50)
    }
    try {
      await Promise.race([untilStored(), failure.promise])
    } finally {
      await reader.close()
    }
  }

  const scheduled = openScheduledJobs({
    config,
    client,
    people,
    append,
    exclusively: consumer.exclusively,
    // Scheduled jobs run only in the product.
    isRunner: () => false,
    logger,
    registry: new Registry(),
  })
  return {
    deps: {
      config,
      client,
      streamer: clickhouse.streamer,
      consumer,
      settle: () => Promise.resolve(),
      append,
      scanLog: () => scanLocalLog(logDirectory),
      checkLog: () => Promise.resolve(undefined),
      async readProgress() {
        const use = readLocalLogUse(logDirectory)
        return {
          waiting: use?.waitingRecords ?? 0,
          oldestReceivedAt: use?.oldestReceivedAt,
          failure: undefined,
        }
      },
      scheduled,
      ingestUrl() {
        const token = config.ingestTokens.length === 0 ? readOwnToken(config.dataDir) : undefined
        const base = config.publicIngestUrl ?? `http://${config.host}:${config.ingestPort}`
        return token === undefined ? undefined : `${base}/webhooks/${token}`
      },
    },
    storeLog,
    async close() {
      await scheduled.close()
      if (log !== undefined) {
        await log.close()
        // Nobody else would do it before the next start.
        await storeLog()
      }
      await clickhouse.close()
    },
  }
}

async function openUpgraded(dataDir: string): Promise<EmbeddedClickHouse> {
  const directory = join(dataDir, 'clickhouse')
  const clickhouse = await openEmbeddedClickHouse({ directory })
  // What is removed now must not stay in one.
  removeSnapshots(toSnapshots(dataDir))
  await migrate(clickhouse.writer)
  finishUpgrade(directory)
  return clickhouse
}
