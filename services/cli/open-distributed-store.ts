/** ClickHouse and Kafka for one command, beside the running processes. */
import { setTimeout as pause } from 'node:timers/promises'
import { openClickHouseServer, toServerOptions } from '../clickhouse/open-server.ts'
import { waitForSchema } from '../clickhouse/migrate.ts'
import { toKafkaSettings, toTopicSettings } from '../event-log/kafka/config.ts'
import { createKafka } from '../event-log/kafka/settings.ts'
import { openKafkaLogWriter } from '../event-log/kafka/writer/writer.ts'
import type { ConfigWith } from '../config/config.ts'
import { select } from './statements.ts'
import type { Opened } from './command-deps.ts'
import { openParts } from './open-parts.ts'
import { ensureTopic, readEnds, readTopicId, toStartError } from '../event-log/kafka/topic.ts'

const schemaTimeoutMs = 5_000
/** Longer than a consumer's batch or a page of a pull. */
const settleMs = 30_000

type ReportedStall = { since: number; code: string; reason: string }

function refuse(error: unknown): never {
  throw toStartError(error)
}

export async function openDistributedStore(
  config: ConfigWith<'kafkaBrokers' | 'clickhouseUrl'>,
): Promise<Opened> {
  const clickhouse = await openClickHouseServer(toServerOptions(config, 'write'))
  const client = clickhouse.writer
  await waitForSchema(client, schemaTimeoutMs)
  const settings = toKafkaSettings(config)
  const { deps, logger, close } = openParts(config, client, (logger) =>
    openKafkaLogWriter({ settings, logger }),
  )
  const kafka = createKafka(settings, logger)
  return {
    deps: {
      ...deps,
      streamer: clickhouse.reader,
      settle: () => pause(settleMs),
      readLogId: () => readTopicId(kafka, settings).catch(refuse),
      async checkLog() {
        try {
          await ensureTopic(kafka, toTopicSettings(config), false)
          return undefined
        } catch (error) {
          const { message } = toStartError(error)
          const todo =
            'Fix that first. Until then ingest may not start, and Rollcall cannot see which webhooks wait in Kafka.'
          return { code: 'kafka_unusable', severity: 'problem', what: message, todo }
        }
      },
      async readProgress() {
        const ends = await readEnds(kafka, settings).catch(refuse)
        const rows = await select<{ partition: number; next: number }>(client, 'positions-in-log')
        const positions = new Map(rows.map(({ partition, next }) => [partition, next]))
        const waiting = ends.reduce(
          (sum, { partition, low, high }) =>
            sum + Math.max(0, high - Math.max(low, positions.get(partition) ?? 0)),
          0,
        )
        const [stored] = await select<{ through: number }>(client, 'complete-through')
        // Everything received before is stored. The consumers report why the rest is not.
        const oldestReceivedAt = waiting === 0 ? undefined : stored?.through
        const [stall] = await select<ReportedStall>(client, 'stall')
        if (stall === undefined) return { waiting, oldestReceivedAt, failure: undefined }
        const { since, code, reason } = stall
        const failure = reason === '' ? undefined : { since, tries: 1, code, message: reason }
        return { waiting, oldestReceivedAt, failure, stalledSince: since }
      },
      // Only hashes of tokens are known here.
      ingestUrl: () => undefined,
    },
    async close() {
      await close()
      await clickhouse.close()
    },
  }
}
