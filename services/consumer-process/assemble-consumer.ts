/** The consumer of a process over its store and its log, with the scheduled jobs beside it: the same for every way to run. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import type { BatchHandler, LogReader, LogRecord } from '../event-log/event-log.ts'
import type { Tracing } from '../runtime/tracing.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Process } from '../runtime/process.ts'
import type { Task } from '../runtime/runner.ts'
import { createConsumer, type Consumer } from '../consumer/consumer.ts'
import { openScheduledJobs, type ScheduledJobsDeps } from './open-scheduled-jobs.ts'
import { forgetAttributes } from '../consumer/store/refold.ts'
import { createPeople } from '../consumer/store/store-people.ts'
import { createConsumerTelemetry, traceBatches } from '../consumer/telemetry.ts'
import { createWaitingReport } from '../watch/reports.ts'
import { createSpoolWatch, withSpoolsFirst } from '../watch/watch-spools.ts'
import { createStoreWatch } from '../watch/watch-store.ts'
import {
  createFailureMemory,
  createProgressWatch,
  type ProgressWatch,
  toProgress,
} from '../watch/watch-progress.ts'

export type ConsumerParts = {
  config: Config
  client: ClickHouseClient
  reader: LogReader
  /** Into the event log: resolves once all are durable. */
  append: (records: LogRecord[]) => Promise<void>
  /** Ends the readers of store snapshots before a removal is said to be done. Default: there are none. */
  endSnapshots?: () => Promise<void>
  tracing?: Tracing | undefined
  /** The frame of the consumer for a log that several processes read. Default: nothing. */
  wrap?: (consumer: Consumer) => BatchHandler
  takeovers?: ScheduledJobsDeps['takeovers']
  /** As in `ConsumerOptions`. */
  onPosition?: () => void
}

/** The most that one batch holds: bounds the memory whatever the backlog. */
export const readerLimits = {
  maxBatchRecords: 10_000,
  maxBatchBytes: 16 * 1024 ** 2,
  minBatchIntervalMs: 400,
}

const lookIntervalMs = 5_000

/** How often ledger and silence are looked at: it costs a pass over a column of all events. */
const storeLookIntervalMs = 60_000

export async function assembleConsumer(
  { lifecycle, logger, telemetry: { registry } }: Pick<Process, 'lifecycle' | 'logger' | 'telemetry'>,
  { config, client, reader, append, endSnapshots, wrap, takeovers, tracing, onPosition }: ConsumerParts,
) {
  const telemetry = createConsumerTelemetry(registry, () => reader.lag())
  const people = createPeople(client, { attributes: config.userAttributes })
  await forgetAttributes(client, people)
  const failures = createFailureMemory()
  const watch = createProgressWatch({
    lag: () => reader.lag(),
    failure: failures.current,
    onStalled: (stall) => logger.error(stall, 'Nothing is stored although deliveries wait'),
    onMoving: () => logger.info({}, 'Deliveries are stored again'),
    registry,
  })
  const spools = createSpoolWatch({
    client,
    urls: config.ingestAdminUrls,
    onUnreachable: ({ url, cause }) =>
      logger.warn({ url, err: cause }, 'An ingest process does not say what its spool holds'),
  })
  const report = createWaitingReport(client)
  const tasks = toWatchTasks({ config, client, reader, logger, watch, report, spools, registry })
  const consumer = createConsumer({
    client,
    people,
    onStored(report) {
      failures.stored()
      watch.moved(report.partition)
      telemetry.stored(report)
    },
    onPosition,
    onSetAside: (refused) =>
      logger.error(refused, 'The store refuses a delivery; it is kept as a failed event'),
  })
  const wrapped = wrap === undefined ? consumer : wrap(consumer)
  const handler = report.watching(withSpoolsFirst(traceBatches(wrapped, tracing), spools))
  const scheduled = await lifecycle.open('scheduled jobs', () =>
    openScheduledJobs({
      config,
      client,
      people,
      append,
      endSnapshots,
      exclusively: consumer.exclusively,
      takeovers,
      isRunner: () => reader.assigned().includes(0),
      tasks,
      logger,
      registry,
    }),
  )
  return {
    consumer,
    scheduled,
    /** The deliveries that wait to be stored, and why the last batch was not. */
    readProgress: async () => toProgress(await reader.lag(), failures.current(), Date.now(), watch.current()),
    /** Not while deliveries wait and nothing is stored. */
    isReady: watch.isReady,
    start(): void {
      reader.start(handler, readerLimits, (error) => {
        // Only the operator can go on from here.
        if (error instanceof StartError) return lifecycle.fail('event log', error)
        failures.failed(error)
        telemetry.retried()
        logger.error({ err: error }, 'A batch could not be stored; it will be delivered again')
      })
    },
  }
}

type Watched = Pick<ConsumerParts, 'config' | 'client' | 'reader'> & {
  logger: Logger
  watch: ProgressWatch
  report: ReturnType<typeof createWaitingReport>
  spools: ReturnType<typeof createSpoolWatch>
  registry: Registry
}

/** The looks at the progress of this process, and those that one process makes for all. */
function toWatchTasks({ config, client, reader, logger, watch, report, spools, registry }: Watched): Task[] {
  const store = createStoreWatch({ client, timeZone: config.timeZone, registry })
  const isOne = () => reader.assigned().includes(0)
  const attempt = (step: () => Promise<void>, message: string) =>
    step().catch((error: unknown) => logger.warn({ err: error }, message))

  async function lookAtProgress(): Promise<void> {
    const reportedAt = Date.now()
    await attempt(watch.look, 'What waits in the event log could not be read')
    await attempt(
      () => report.write(watch.parts(), watch.current(), reportedAt),
      'What waits could not be written to the store',
    )
    if (isOne()) await attempt(spools.look, 'What ingest processes report could not be written to the store')
  }
  async function lookAtStore(): Promise<void> {
    if (isOne()) await attempt(store.look, 'The ledger could not be read')
    else store.leave()
  }
  return [
    { name: 'progress-watch', everyMs: lookIntervalMs, isEverywhere: true, run: lookAtProgress },
    { name: 'store-watch', everyMs: storeLookIntervalMs, isEverywhere: true, run: lookAtStore },
  ]
}
