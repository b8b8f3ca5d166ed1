/**
 * The ingest thread of embedded mode: event log, then server. A separate thread, so that a slow page or insert on the
 * main thread never delays a sender. Started by `ingest-thread.ts` only.
 */
import { parentPort } from 'node:worker_threads'
import { LogUnavailableError, type LogRecord, type LogWriter } from '../../event-log/event-log.ts'
import { openLocalLogWriter } from '../../event-log/local/writer.ts'
import { LogInUseError } from '../../event-log/local/lock.ts'
import { isOfTheMachine, toErrorText } from '../../runtime/describe-error.ts'
import { createLogger } from '../../runtime/logger.ts'
import { StartError } from '../../config/start-error.ts'
import { openTracing } from '../../runtime/tracing/open-tracing.ts'
import { createTelemetry } from '../../runtime/telemetry.ts'
import { openIngest, type Ingest } from '../open-ingest.ts'
import type { FromIngestThread, IngestThreadOptions, ToIngestThread } from './thread-message.ts'
import { repeat } from '../../runtime/repeat.ts'

const stateIntervalMs = 250

const port = parentPort as NonNullable<typeof parentPort>
const send = (message: FromIngestThread) => port.postMessage(message)

port.once('message', (options: IngestThreadOptions) => void run(options).catch(sendFailure))

async function run(options: IngestThreadOptions): Promise<void> {
  const { log: logOptions, logLevel, tracing: tracingConfig } = options
  const logger = createLogger({ part: 'ingest', level: logLevel })
  const telemetry = createTelemetry()
  const tracing = tracingConfig && (await openTracing('ingest', tracingConfig, logger))
  const log = await openLocalLogWriter(logOptions)
  let ingest: Ingest | undefined
  const sendState = () =>
    send({
      type: 'state',
      health: ingest?.isReady() ?? { ok: false, reason: 'ingest is starting' },
      refusals: ingest?.refusals() ?? [],
    })
  const stopStates = repeat(stateIntervalMs, sendState)

  async function answer(message: ToIngestThread): Promise<void> {
    switch (message.type) {
      case 'listen':
        ingest = await openIngest(options.ingest, { log, logger, telemetry, tracing })
        sendState()
        return send({ type: 'listening', port: ingest.port, url: ingest.url })
      case 'stopListening':
        await ingest?.close(message.timeoutMs)
        return send({ type: 'stoppedListening' })
      case 'metrics':
        return send({ type: 'metrics', id: message.id, snapshot: await telemetry.snapshot() })
      case 'append':
        return send(await appendAll(log, message.id, message.records))
      case 'close':
        stopStates()
        await log.close()
        port.close()
        if (tracing === undefined) return
        await tracing.close()
        // A collector that is away would keep the thread for its retries.
        process.exit()
    }
  }
  // An unexpected error in here ends the thread, which is how the main thread learns of it.
  port.on('message', (message: ToIngestThread) => {
    const answered = answer(message)
    void (message.type === 'listen' ? answered.catch(sendFailure) : answered)
  })
  sendState()
  send({ type: 'opened' })
}

function sendFailure(error: unknown): void {
  const isKnown = error instanceof StartError || error instanceof LogInUseError || isOfTheMachine(error)
  send({ type: 'failed', message: isKnown ? (error as Error).message : toErrorText(error), isKnown })
}

/** All of them, or an answer that says why not; appending one again is harmless. */
async function appendAll(log: LogWriter, id: number, records: LogRecord[]): Promise<FromIngestThread> {
  const appended = await Promise.allSettled(records.map((record) => log.append(record)))
  const failed = appended.find((result) => result.status === 'rejected')
  if (failed === undefined) return { type: 'appended', id }
  if (!(failed.reason instanceof LogUnavailableError)) throw failed.reason
  const { code, message } = failed.reason
  return { type: 'appended', id, failure: { code, message } }
}
