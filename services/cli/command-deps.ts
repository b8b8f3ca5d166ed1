/** What commands need of the process that does them, whichever that is: one that runs, or the command line itself. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Consumer } from '../consumer/consumer.ts'
import type { Progress } from '../consumer/progress.ts'
import type { ScheduledJobs } from '../consumer/open-scheduled-jobs.ts'
import type { LogRecord } from '../event-log/event-log.ts'
import type { LogSlice } from '../event-log/event-log.ts'
import type { Config } from '../config/config.ts'
import type { Finding } from './doctor/finding.ts'

export type CommandDeps = {
  config: Config
  /** Reads and writes. */
  client: ClickHouseClient
  /** For answers that are too large to hold. */
  streamer: ClickHouseClient
  consumer: Pick<Consumer, 'restore' | 'exclusively'>
  /** Resolves once batches and pulls that began before are done, in whatever process. */
  settle(): Promise<void>
  /** Resolves once all are durable in the event log. */
  append(records: LogRecord[]): Promise<void>
  /** What the event log still has. */
  scanLog(): AsyncIterable<LogSlice>
  /** How much of the log waits to be stored, and why. */
  readProgress(): Promise<Progress>
  /** What is unsafe about the log itself. Embedded makes its own, and knows. */
  checkLog(): Promise<Finding[]>
  /** Jobs, and the platform they ask; it is `undefined` where none is configured. */
  scheduled: Pick<ScheduledJobs, 'jobs' | 'opened'>
  /** The whole address by which the platform sends, its token included, where this process can know it. */
  ingestUrl(): string | undefined
}
