/**
 * Kafka to ClickHouse, in the order in which it starts: store, schema, topic, reader. The consumers bring the store to the
 * schema of their version, so they are started, and upgraded, before the dashboards.
 */
import { migrate } from '../clickhouse/migrate.ts'
import { openClickHouseServer } from '../clickhouse/open-server.ts'
import { toServerOptions } from '../clickhouse/server-config.ts'
import { storeSettings } from '../clickhouse/settings.ts'
import { awaitTopic } from '../event-log/kafka/await-topic.ts'
import { toKafkaSettings, toTopicSettings } from '../event-log/kafka/config.ts'
import { openKafkaLogReader } from '../event-log/kafka/reader.ts'
import { openKafkaLogWriter } from '../event-log/kafka/writer.ts'
import { createKafka } from '../event-log/kafka/settings.ts'
import type { ConfigWith } from '../config/config.ts'
import { createProcess } from '../runtime/process.ts'
import { withSecondLook } from './audit/second-look.ts'
import { createConsumer } from './consumer.ts'
import { toLogName, withGenerations } from './generations.ts'
import { openScheduledJobs } from './open-scheduled-jobs.ts'
import { createPeople } from './store/store-people.ts'
import { createConsumerTelemetry } from './telemetry.ts'

/** The most that one batch holds: bounds the memory whatever the backlog. */
const readerLimits = { maxBatchRecords: 10_000, maxBatchBytes: 16 * 1024 ** 2, minBatchIntervalMs: 400 }

const kafkaStartTimeoutMs = 30_000

/** Of the group's sessions: with the usual ones as long as a request to ClickHouse may take. */
const secondLookPatience = 12

export async function runConsumer(config: ConfigWith<'kafkaBrokers' | 'clickhouseUrl'>): Promise<void> {
  const { logger, telemetry, lifecycle, openAdmin } = createProcess('consumer', config)

  const clickhouse = await lifecycle.open(
    'ClickHouse',
    () => openClickHouseServer(toServerOptions(config, 'write')),
    (opened) => opened.close(),
  )
  const { applied } = await migrate(clickhouse.writer, { server: { cluster: config.clickhouseCluster } })
  logger.info({ applied }, 'The store is ready')
  await storeSettings(clickhouse.writer, {
    time_zone: config.timeZone,
    due_zone: config.dueZone,
    due_end: config.dueEnd,
  })

  const settings = toKafkaSettings(config)
  await awaitTopic(createKafka(settings, logger), toTopicSettings(config), kafkaStartTimeoutMs)
  const reader = await lifecycle.open(
    'event log reader',
    () => openKafkaLogReader({ settings, logger, sessionTimeoutMs: config.kafkaSessionTimeoutMs }),
    (opened) => opened.close(),
  )
  const consumerTelemetry = createConsumerTelemetry(telemetry.registry, () => reader.lag())
  const people = createPeople(clickhouse.writer)
  const consumer = createConsumer({
    client: clickhouse.writer,
    people,
    onStored: (report) => consumerTelemetry.stored(report),
  })
  const looking = withSecondLook(consumer, {
    client: clickhouse.writer,
    people,
    isOurs: (partition) => reader.assigned().includes(partition),
    afterMs: config.kafkaSessionTimeoutMs * secondLookPatience,
    maxRecords: readerLimits.maxBatchRecords,
    onLooked: (look) => logger.info(look, 'What was under way at the change of owner has been looked at again'),
  })
  const handler = withGenerations(looking, {
    client: clickhouse.writer,
    log: toLogName(config.kafkaTopic),
    onNewLog: (log) =>
      logger.warn(log, 'The topic is another one than before: everything in it is read, from its start'),
  })
  reader.start(handler, readerLimits, (error) => {
    consumerTelemetry.retried()
    logger.error({ err: error }, 'A batch could not be stored; it will be delivered again')
  })
  // For what heals gaps: no webhook waits for it, so it needs no spool.
  const log = await lifecycle.open(
    'event log writer',
    () => openKafkaLogWriter({ settings, logger, appendTimeoutMs: config.kafkaAppendTimeoutMs }),
    (opened) => opened.close(),
  )
  await lifecycle.open(
    'scheduled jobs',
    () =>
      openScheduledJobs({
        config,
        client: clickhouse.writer,
        people,
        append: async (records) => void (await Promise.all(records.map((record) => log.append(record)))),
        exclusively: consumer.exclusively,
        isRunner: () => reader.assigned().includes(0),
        logger,
        registry: telemetry.registry,
      }),
    (opened) => opened.close(),
  )

  await openAdmin()
  lifecycle.run()
  logger.info({}, 'Ready')
}
