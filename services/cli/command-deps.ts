/** What commands need from the process that runs them: a running Rollcall, or the command line. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Config } from '../config/config.ts'
import type { ScheduledJobs } from '../consumer-process/open-scheduled-jobs.ts'
import type { Consumer } from '../consumer/consumer.ts'
import type { LogRecord } from '../event-log/event-log.ts'
import type { Progress } from '../watch/watch-progress.ts'
import type { Finding } from './doctor/check.ts'

export type CommandDeps = {
  config: Config
  client: ClickHouseClient
  /** For answers that are too large for memory. */
  streamer: ClickHouseClient
  consumer: Pick<Consumer, 'exclusively'>
  /** Resolves when all batches and pulls that began before, in any process, have ended. */
  settle(): Promise<void>
  /** Ends the readers of a snapshot of the store, so that none shows removed data. */
  endSnapshots?: () => Promise<void>
  /** Resolves once all are durable in the event log. */
  append(records: LogRecord[]): Promise<void>
  /** The ID of the configured event log. The store may have read another one. */
  readLogId(): Promise<string>
  /** How much of the log waits to be stored, and why. */
  readProgress(): Promise<Progress>
  /** A danger in the log itself. The embedded log is always safe. */
  checkLog(): Promise<Finding | undefined>
  /** `platform` is undefined if none is configured. */
  scheduled: Pick<ScheduledJobs, 'jobs' | 'pulls' | 'platform'>
  /** The full address that the platform posts to, with its token. Undefined if unknown. */
  ingestUrl(): string | undefined
}

/** A store that the command line opened itself, because no running process has it. */
export type Opened = {
  deps: CommandDeps
  close(): Promise<void>
}
