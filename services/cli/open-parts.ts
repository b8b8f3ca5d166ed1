/** The parts of a command line that has opened a store itself, embedded or distributed. */
import { Registry } from 'prom-client'
import type { ClickHouseClient } from '@clickhouse/client'
import { createConsumer, type Consumer } from '../consumer/consumer.ts'
import { openScheduledJobs } from '../consumer-process/open-scheduled-jobs.ts'
import { createPeople } from '../consumer/store/store-people.ts'
import { appendAll, type LogRecord, type LogWriter } from '../event-log/event-log.ts'
import type { Config } from '../config/config.ts'
import { createLogger, type Logger } from '../runtime/logger.ts'

/** `openLog` is called for the first record: most commands append none. */
export function openParts(
  config: Config,
  client: ClickHouseClient,
  openLog: (logger: Logger, consumer: Consumer) => Promise<LogWriter>,
) {
  const level = config.logLevel === 'info' ? 'silent' : config.logLevel
  const logger = createLogger({ part: 'cli', level, onStderr: true })
  const people = createPeople(client, { attributes: config.userAttributes })
  const consumer = createConsumer({ client, people })
  let log: LogWriter | undefined

  async function append(records: LogRecord[]): Promise<void> {
    log ??= await openLog(logger, consumer)
    await appendAll(log, records)
  }

  const { exclusively } = consumer
  // Scheduled jobs run only in the product.
  const running = { isRunner: () => false, logger, registry: new Registry() }
  const scheduled = openScheduledJobs({ config, client, people, append, exclusively, ...running })
  return {
    logger,
    deps: { config, client, consumer, append, scheduled },
    async close(): Promise<void> {
      await scheduled.close()
      await log?.close()
    },
  }
}
