/**
 * Webhooks to Kafka, in order of start: the log, the spool before it, the server last, so that nothing is accepted before
 * it can be kept. If Kafka is away at the start, the spool takes everything.
 */
import { toKafkaSettings, toTopicSettings } from '../event-log/kafka/config.ts'
import { createKafka } from '../event-log/kafka/settings.ts'
import { ensureTopic } from '../event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../event-log/kafka/writer/writer.ts'
import { isDiskFull } from '../event-log/local/store.ts'
import { openSpooledLogWriter, type SpoolChange, type SpooledLogWriter } from '../event-log/spool/spool.ts'
import { addSpoolMetrics } from '../event-log/spool/telemetry.ts'
import { toSpoolDirectory, type ConfigWith } from '../config/config.ts'
import type { Logger } from '../runtime/logger.ts'
import { createProcess } from '../runtime/process.ts'
import { openProcessTracing } from '../runtime/tracing.ts'
import { StartError } from '../config/start-error.ts'
import { openIngest, toIngestOptions } from './open-ingest.ts'
import { keepYoung } from './keep-young.ts'
import { Hono } from 'hono'

export async function runIngest(config: ConfigWith<'kafkaBrokers' | 'ingestTokens'>): Promise<void> {
  keepYoung()
  const { logger, telemetry, lifecycle, openAdmin } = createProcess('ingest', config)
  const tracing = await openProcessTracing({ lifecycle, logger }, 'ingest', config)
  const settings = toKafkaSettings(config)

  const kafka = await lifecycle.open('Kafka writer', () =>
    openKafkaLogWriter({
      settings,
      logger,
      // Then the spool takes it.
      appendTimeoutMs: 2_000,
      checkTopic: () => ensureTopic(createKafka(settings, logger), toTopicSettings(config)),
    }),
  )
  const directory = toSpoolDirectory(config)
  const log = await lifecycle.open('spool', () =>
    openSpooledLogWriter({
      primary: kafka,
      directory,
      maxBytes: config.spoolMaxBytes,
      onChange: (change) => report(logger, change),
      onFailure: (error) => lifecycle.fail('spool', error),
    }).catch((error: unknown) => {
      throw toStartError(error, directory)
    }),
  )
  addSpoolMetrics(telemetry.registry, () => log.stats())
  const ingest = await lifecycle.open('ingest server', () =>
    openIngest(toIngestOptions(config), { log, telemetry, logger, tracing }),
  )
  await openAdmin({ isReady: () => ingest.isReady(), control: createSpoolApp(log) })
  lifecycle.run()
  logger.info({ port: ingest.port }, 'Ready')
}

function report(logger: Logger, change: SpoolChange): void {
  const { state } = change
  if (state === 'spooling')
    logger.error({ err: change.cause }, 'Kafka takes no deliveries; the spool takes them')
  else if (state === 'draining') logger.info({}, 'Kafka takes deliveries again; the spool is handed on')
  else if (state === 'drained') logger.info({}, 'The spool is empty')
  else
    logger.error({ err: change.cause }, 'Kafka refuses a delivery of the spool; it and those behind it wait')
}

function toStartError(cause: unknown, directory: string): unknown {
  if (!isDiskFull(cause)) return cause
  const message = `The disk of ${directory} is full. Make room there, and start it again: nothing that was acknowledged is lost.`
  return new StartError(message, { cause })
}

/** The spool on this process's disk, for the consumer: `GET /spool` on the admin port. */
export function createSpoolApp({ id, stats }: Pick<SpooledLogWriter, 'id' | 'stats'>): Hono {
  const app = new Hono()
  app.get('/spool', async (c) => {
    const { records, oldestMs } = await stats()
    const oldest_received_at = records === 0 ? null : new Date(Date.now() - oldestMs).toISOString()
    return c.json({ id, records, oldest_received_at }, 200, { 'cache-control': 'no-store' })
  })
  return app
}
