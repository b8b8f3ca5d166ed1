/**
 * The thread of the local log's writer, where syncs may block. It reads raw deliveries, appends all it is sent in one
 * transaction per message, and removes in between what retention no longer keeps. Started by `writer.ts` only.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { StartError } from '../../config/start-error.ts'
import { LogUnavailableError, type LogFailure } from '../event-log.ts'
import { unpackRecords, type FromThread, type ToThread } from './message.ts'
import { isDiskFull, openLocalStore, toLimitFailure, type LocalLimits } from './store.ts'

const maintenanceIntervalMs = 1_000
/** A pause between steps of removal, so that appends get their turn. */
const trimPauseMs = 20

const port = parentPort as NonNullable<typeof parentPort>
const limits = workerData as LocalLimits
const send = (message: FromThread) => port.postMessage(message)
const store = openLocalStore(limits)
let failure: LogFailure | undefined
let timer = setTimeout(maintain, maintenanceIntervalMs)

send({ type: 'opened', stats: store.stats() })

port.on('message', (message: ToThread) => {
  if (message.type === 'close') {
    clearTimeout(timer)
    store.close()
    port.close()
    return
  }
  try {
    const { records, summaries } = unpackRecords(message.records)
    store.append(records)
    failure = undefined
    send({ type: 'appended', summaries: JSON.stringify(summaries) })
  } catch (error) {
    failure = toFailure(error)
    send({ type: 'failed', failure })
  }
})

/** Also notices when a full or broken disk accepts records again. */
function maintain(): void {
  let hasMore = false
  try {
    hasMore = store.trim(Date.now())
    if (failure !== undefined) store.probe()
    const stats = store.stats()
    failure = stats.waitingBytes >= limits.maxBytes ? toLimitFailure(limits, stats.waitingBytes) : undefined
    send({ type: 'state', stats, ...(failure && { failure }) })
  } catch (error) {
    failure = toFailure(error)
    send({ type: 'state', failure })
  }
  timer = setTimeout(maintain, hasMore ? trimPauseMs : maintenanceIntervalMs)
}

function toFailure(error: unknown): LogFailure {
  const { message } = error as Error
  if (error instanceof LogUnavailableError) return { code: error.code, message }
  if (error instanceof StartError) return { code: 'LOG_IO', message }
  if (isDiskFull(error))
    return { code: 'LOG_FULL', message: `The disk of ${limits.directory} is full: ${message}` }
  return { code: 'LOG_IO', message: `${limits.directory} cannot be written: ${message}` }
}
