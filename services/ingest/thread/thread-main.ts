/**
 * The ingest thread of embedded mode: event log, then server. A separate thread, so that a slow page or insert on the
 * main thread never delays a sender. Started by `ingest-thread.ts` only.
 */
import { parentPort } from 'node:worker_threads'
import { appendAll, LogUnavailableError, type LogRecord } from '../../event-log/event-log.ts'
import { openLocalLogWriter, type LocalLogWriter } from '../../event-log/local/writer.ts'
import { isOfTheMachine, toErrorText } from '../../runtime/describe-error.ts'
import { createLogger } from '../../runtime/logger.ts'
import { StartError } from '../../config/start-error.ts'
import { openTracing, type Tracing } from '../../runtime/tracing.ts'
import { createTelemetry } from '../../runtime/telemetry.ts'
import { openIngest, type Ingest } from '../open-ingest.ts'
import type { FromIngestThread, IngestThreadOptions, ThreadError, ToIngestThread } from './thread-message.ts'
import { repeat } from '../../runtime/repeat.ts'

const stateIntervalMs = 250

const port = parentPort as NonNullable<typeof parentPort>
const send = (message: FromIngestThread) => port.postMessage(message)
const telemetry = createTelemetry()
let options: IngestThreadOptions
let log: LocalLogWriter
let tracing: Tracing | undefined
let ingest: Ingest | undefined
let stopStates = () => {}

function sendState(): void {
  const health = ingest?.isReady() ?? { ok: false, reason: 'ingest is starting' }
  send({ state: { health, refusals: ingest?.refusals() ?? [] } })
}

const toLogger = () => createLogger({ part: 'ingest', level: options.logLevel })

export type ThreadCalls = typeof calls

const calls = {
  /** Opens the log: appends may come. */
  async open(given: IngestThreadOptions): Promise<void> {
    options = given
    tracing = given.tracing && (await openTracing('ingest', given.tracing, toLogger()))
    log = await openLocalLogWriter(given.log)
    stopStates = repeat(stateIntervalMs, sendState)
  },
  async listen(): Promise<{ port: number; url: string }> {
    ingest = await openIngest(options.ingest, { log, logger: toLogger(), telemetry, tracing })
    sendState()
    return { port: ingest.port, url: ingest.url }
  },
  /** Finishes the requests in progress, cuts them after `timeoutMs`. */
  async stopListening(timeoutMs: number): Promise<void> {
    await ingest?.close(timeoutMs)
  },
  metrics: () => telemetry.snapshot(),
  /** Records that did not come through a webhook: replayed ones, and repair events. */
  append: (records: LogRecord[]) => appendAll(log, records),
  async close(): Promise<void> {
    stopStates()
    await log.close()
    await tracing?.close()
    // Ends also a server that opens meanwhile, and the retries to a collector that is away.
    process.exit()
  },
}

async function answer({ id, name, args }: ToIngestThread): Promise<void> {
  try {
    send({
      id,
      value: await (calls[name as keyof ThreadCalls] as (...args: unknown[]) => Promise<unknown>)(...args),
    })
  } catch (error) {
    send({ id, error: pack(error) })
  }
}
port.on('message', (message: ToIngestThread) => void answer(message))

function pack(error: unknown): ThreadError {
  const { message } = error as Error
  if (error instanceof LogUnavailableError)
    return { message, isKnown: true, failure: { code: error.code, message } }
  const isKnown = error instanceof StartError || isOfTheMachine(error)
  return { message: isKnown ? message : toErrorText(error), isKnown }
}
