/**
 * The parts that commands need from the process that runs them: a running Rollcall, or the command line
 * itself.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Config } from '../config/config.ts'
import type { ScheduledJobs } from '../consumer-process/open-scheduled-jobs.ts'
import type { Consumer } from '../consumer/consumer.ts'
import type { LogRecord, LogSlice } from '../event-log/event-log.ts'
import { CommandError } from '../runtime/control/command.ts'
import type { Progress } from '../watch/watch-progress.ts'

/**
 * A finding for the owner. `problem`: data can be lost or exposed; `warning`: numbers mislead, or soon will.
 */
export type Finding = {
  /** Stays the same from version to version: scripts ask for it. */
  code: string
  severity: 'problem' | 'warning'
  what: string
  why: string
  todo: string
}

/** The finding that nothing can be said of the log. */
export const kafkaUnreachable = 'kafka_unreachable'

export type CommandDeps = {
  config: Config
  client: ClickHouseClient
  /** For answers that are too large for memory. */
  streamer: ClickHouseClient
  consumer: Pick<Consumer, 'restore' | 'exclusively'>
  /** Resolves when all batches and pulls that began before, in any process, have ended. */
  settle(): Promise<void>
  /** Ends what reads a snapshot of the store, before a removal is said to be done. */
  endSnapshots?: () => Promise<void>
  /** Resolves once all are durable in the event log. */
  append(records: LogRecord[]): Promise<void>
  scanLog(): AsyncIterable<LogSlice>
  /** Of the event log that is configured, which the store may not have read. */
  readLogId(): Promise<string>
  /** How much of the log waits to be stored, and why. */
  readProgress(): Promise<Progress>
  /** A danger in the log itself. The embedded log is always safe. */
  checkLog(): Promise<Finding | undefined>
  /** Jobs, and the platform they call; `undefined` where no platform is configured. */
  scheduled: Pick<ScheduledJobs, 'jobs' | 'pulls' | 'platform'>
  /** The full address that the platform posts to, token included, where this process knows it. */
  ingestUrl(): string | undefined
}

/** A store that the command line opened itself, because no running process has it. */
export type Opened = {
  deps: CommandDeps
  close(): Promise<void>
}

export function noPlatform(): CommandError {
  return new CommandError('usage', "Set PLATFORM_URL and PLATFORM_TOKEN first: nothing is known of the platform's API.")
}
