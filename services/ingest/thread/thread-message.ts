/** The messages between the ingest thread and the thread that started it. */
import type { LocalLogWriterOptions } from '../../event-log/local/writer.ts'
import type { LogFailure, LogRecord } from '../../event-log/event-log.ts'
import type { Config } from '../../config/config.ts'
import type { Health } from '../../runtime/http/health.ts'
import type { TracingConfig } from '../../runtime/tracing.ts'
import type { MetricsSnapshot } from '../../runtime/telemetry.ts'
import type { IngestOptions } from '../open-ingest.ts'
import type { Refusal } from '../door/refusals.ts'

export type IngestThreadOptions = {
  ingest: IngestOptions
  log: LocalLogWriterOptions
  logLevel: Config['logLevel']
  tracing?: TracingConfig
}

/** What the thread does when it is asked; each call has one answer. */
export type ThreadCalls = {
  /** Opens the log: appends may come. */
  open(options: IngestThreadOptions): Promise<void>
  listen(): Promise<{ port: number; url: string }>
  /** Finishes the requests in progress, cuts them after `timeoutMs`. */
  stopListening(timeoutMs: number): Promise<void>
  metrics(): Promise<MetricsSnapshot>
  /** Records that did not come through a webhook: replayed ones, and repair events. */
  append(records: LogRecord[]): Promise<void>
  close(): Promise<void>
}

export type ToIngestThread = { id: number; name: keyof ThreadCalls; args: unknown[] }

export type ThreadState = { health: Health; refusals: Refusal[] }

/** `failure`: of the log. `isKnown`: the message tells the operator the way out. */
export type ThreadError = { message: string; isKnown: boolean; failure?: LogFailure }

export type FromIngestThread =
  { id: number; value: unknown } | { id: number; error: ThreadError } | { state: ThreadState }
