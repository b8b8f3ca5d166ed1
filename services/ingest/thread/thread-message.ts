/** The messages between the ingest thread and the thread that started it. */
import type { LocalLogWriterOptions } from '../../event-log/local/writer.ts'
import type { LogFailure } from '../../event-log/event-log.ts'
import type { Config } from '../../config/config.ts'
import type { Health } from '../../runtime/http/health.ts'
import type { TracingConfig } from '../../runtime/tracing.ts'
import type { IngestOptions } from '../open-ingest.ts'
import type { Refusal } from '../door/refusals.ts'

export type IngestThreadOptions = {
  ingest: IngestOptions
  log: LocalLogWriterOptions
  logLevel: Config['logLevel']
  tracing?: TracingConfig
}

/** A call of `ThreadCalls`; each has one answer. */
export type ToIngestThread = { id: number; name: string; args: unknown[] }

export type ThreadState = { health: Health; refusals: Refusal[] }

/** `failure`: of the log. `isKnown`: the message tells the operator the way out. */
export type ThreadError = { message: string; isKnown: boolean; failure?: LogFailure }

export type FromIngestThread =
  { id: number; value: unknown } | { id: number; error: ThreadError } | { state: ThreadState }
