/** The messages between the ingest thread and the thread that started it. */
import type { LocalLogWriterOptions } from '../../event-log/local/writer.ts'
import type { LogFailure, LogRecord } from '../../event-log/event-log.ts'
import type { Config } from '../../config/config.ts'
import type { Health } from '../../runtime/http/health.ts'
import type { TracingConfig } from '../../runtime/tracing/open-tracing.ts'
import type { MetricsSnapshot } from '../../runtime/telemetry.ts'
import type { IngestOptions } from '../open-ingest.ts'
import type { Refusal } from '../door/refusals.ts'

export type IngestThreadOptions = {
  ingest: IngestOptions
  log: LocalLogWriterOptions
  logLevel: Config['logLevel']
  tracing?: TracingConfig
}

export type ToIngestThread =
  | { type: 'listen' }
  /** Finishes the requests in progress, cuts them after `timeoutMs`. */
  | { type: 'stopListening'; timeoutMs: number }
  | { type: 'metrics'; id: number }
  /** Records that did not come through a webhook: replayed ones, and repair events. */
  | { type: 'append'; id: number; records: LogRecord[] }
  | { type: 'close' }

export type FromIngestThread =
  /** The log is open: appends may come. */
  | { type: 'opened' }
  | { type: 'listening'; port: number; url: string }
  | { type: 'stoppedListening' }
  /** The log could not be opened, or the port is in use. `isKnown`: the message tells the operator the way out. */
  | { type: 'failed'; message: string; isKnown: boolean }
  | { type: 'state'; health: Health; refusals: Refusal[] }
  | { type: 'metrics'; id: number; snapshot: MetricsSnapshot }
  | { type: 'appended'; id: number; failure?: LogFailure }
