/**
 * Kafka to ClickHouse, in the order in which it starts: store, schema, topic, log, consumer. The consumers bring the store to
 * the schema of their version, so they are started, and upgraded, before the dashboards.
 */
import { openClickHouseServer, toServerOptions } from '../clickhouse/open-server.ts'
import { prepareStore } from '../clickhouse/prepare-store.ts'
import { toKafkaSettings, toTopicSettings } from '../event-log/kafka/config.ts'
import { openKafkaLogReader } from '../event-log/kafka/reader/reader.ts'
import { openKafkaLogWriter } from '../event-log/kafka/writer/writer.ts'
import { createKafka } from '../event-log/kafka/settings.ts'
import { appendAll, type BatchHandler } from '../event-log/event-log.ts'
import type { ConfigWith } from '../config/config.ts'
import { openProcessTracing } from '../runtime/tracing.ts'
import { createProcess } from '../runtime/process.ts'
import { assembleConsumer } from './assemble-consumer.ts'
import { createTakeovers } from '../jobs/audit/audit.ts'
import type { Consumer } from '../consumer/consumer.ts'
import { checkLog } from '../consumer/store-log.ts'
import { awaitTopic } from '../event-log/kafka/topic.ts'

const kafkaStartTimeoutMs = 30_000

/** How many sessions of the group; with the defaults as long as a request to ClickHouse may take. */
const takeoverPatience = 12

export async function runConsumer(config: ConfigWith<'kafkaBrokers' | 'clickhouseUrl'>): Promise<void> {
  const process = createProcess('consumer', config)
  const { logger, lifecycle, openAdmin } = process

  const tracing = await openProcessTracing({ lifecycle, logger }, 'consumer', config)
  const clickhouse = await lifecycle.open('ClickHouse', () =>
    openClickHouseServer({ ...toServerOptions(config, 'write'), givingUp: lifecycle.givingUp }),
  )
  const client = clickhouse.writer
  await prepareStore(client, config, { logger, server: { cluster: config.clickhouseCluster } })

  const settings = toKafkaSettings(config)
  const kafka = createKafka(settings, logger)
  await checkLog(
    client,
    await awaitTopic(kafka, toTopicSettings(config), settings.groupId, kafkaStartTimeoutMs),
  )
  const reader = await lifecycle.open('event log reader', () =>
    openKafkaLogReader({ settings, logger, sessionTimeoutMs: config.kafkaSessionTimeoutMs }),
  )
  // For records that repair gaps: no webhook waits for it, so it needs no spool.
  const log = await lifecycle.open('event log writer', () => openKafkaLogWriter({ settings, logger }))
  const takeovers = createTakeovers(config.kafkaSessionTimeoutMs * takeoverPatience)
  const { start, isReady } = await assembleConsumer(process, {
    config,
    client,
    reader,
    tracing,
    append: (records) => appendAll(log, records),
    takeovers,
    wrap: (consumer) => noteTakeovers(consumer, takeovers),
  })
  start()
  await openAdmin({ isReady })
  lifecycle.run()
  logger.info({}, 'Ready')
}

/** Other consumers may have had a partition before. */
function noteTakeovers(consumer: Consumer, takeovers: ReturnType<typeof createTakeovers>): BatchHandler {
  return {
    ...consumer,
    resumeFrom(partition, logId) {
      takeovers.note()
      return consumer.resumeFrom(partition, logId)
    },
  }
}
