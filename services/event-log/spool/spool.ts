/**
 * The spool: what ingest acknowledges from while the event log proper (`primary`) does not take records in time. It is the
 * local log under another name, so its promises are those: synced before it is acknowledged, one sync for many, kept over
 * kill -9 and restart. A record in it goes to the primary, oldest first, as soon as that takes records again; new ones do not
 * wait for that, because nothing downstream depends on the order of arrival.
 *
 * A record whose answer came too late may be in both, and is then delivered twice: the ledger shows a duplicate.
 */
import { LogUnavailableError, type BatchHandler, type LogRecord, type LogWriter } from '../event-log.ts'
import { readStoredThrough } from '../local/position.ts'
import { openLocalLogReader } from '../local/reader.ts'
import { openLocalLogWriter } from '../local/writer.ts'
import { createAttempts } from './attempts.ts'

export type SpoolOptions = {
  /** Where records go first, and at last. Stays the caller's to close, after this. */
  primary: LogWriter & { pending(): { records: number; bytes: number } }
  /** Of the spool alone; made if it is not there. What is in it at a stop is sent after the next start. */
  directory: string
  /** Most bytes that may wait in the spool; then appends are refused with LOG_FULL. */
  maxBytes: number
  /** How long the primary has for an append before the spool takes it. */
  appendTimeoutMs: number
  /** As of the local log: most records in memory that wait for their sync. */
  maxPendingRecords?: number | undefined
  /** Told when the primary is given up, and when it is used again. */
  onChange?: (change: SpoolChange) => void
  /** Told when records of the spool were found that cannot be read. */
  onLoss?: (loss: { records: number; firstOffset: number; lastOffset: number }) => void
}

export type SpoolChange =
  | { state: 'spooling'; cause: unknown }
  /** New records go to the primary; those in the spool follow. */
  | { state: 'draining' }
  | { state: 'drained' }
  /** The log takes records, but never this one, until it is set up to: it and those behind it stay here. */
  | { state: 'stuck'; cause: unknown }

export type SpoolStats = {
  /** Acknowledged from here and not yet in the primary. */
  records: number
  bytes: number
  oldestMs: number
  /** Whether new records go straight to the spool. */
  isSpooling: boolean
  /** Since the start. */
  spooled: number
  drained: number
}

export type SpooledLogWriter = LogWriter & {
  pending(): { records: number; bytes: number }
  stats(): Promise<SpoolStats>
}

/** Twice what one commit can need, in the log and in its write-ahead file. */
const reserveBytes = 16 * 1024 ** 2
const drainLimits = { maxBatchRecords: 1_000, maxBatchBytes: 4 * 1024 ** 2, minBatchIntervalMs: 0 }
/** How many times as long as an append from outside one of the drain may take. */
const drainPatience = 5
/** How often an empty spool is looked at. */
const pollIntervalMs = 100
/** How long the primary is left alone when nothing is in the spool that could try it. */
const retryAfterMs = 1_000

export async function openSpooledLogWriter(options: SpoolOptions): Promise<SpooledLogWriter> {
  const { primary, directory, onChange = () => {} } = options
  const spool = await openLocalLogWriter({
    directory,
    maxBytes: options.maxBytes,
    // What is in the primary is not kept here, and its room on the disk is given back.
    retentionMs: 0,
    retentionBytes: 0,
    shrinks: true,
    reserveBytes,
    limitVariable: 'SPOOL_MAX_BYTES',
    ...(options.maxPendingRecords !== undefined && { maxPendingRecords: options.maxPendingRecords }),
  })
  const reader = openLocalLogReader({
    directory,
    pollIntervalMs,
    ...(options.onLoss !== undefined && { onLoss: options.onLoss }),
  })
  const attempts = createAttempts(primary, options.appendTimeoutMs)
  // Nobody waits for these, and each that is given up too soon is a repeat.
  const drainAttempts = createAttempts(primary, options.appendTimeoutMs * drainPatience)
  let isSpooling = false
  let isDrained = false
  let retryAt = 0
  let isClosing = false
  let spooled = 0
  let drained = 0
  /** The offset after the last record of the spool that the primary has. */
  let position = readStoredThrough(directory)

  function giveUp(cause: unknown): void {
    retryAt = Date.now() + retryAfterMs
    // A full queue refuses at once and says nothing about the log behind it.
    if (isSpooling || hasCode(cause, 'LOG_BUSY')) return
    isSpooling = true
    onChange({ state: 'spooling', cause })
  }

  function useAgain(): void {
    if (!isSpooling) return
    isSpooling = false
    onChange({ state: 'draining' })
  }

  function onDrainError(cause: unknown): void {
    if (!hasCode(cause, 'LOG_TOO_LARGE')) return giveUp(cause)
    useAgain()
    onChange({ state: 'stuck', cause })
  }

  async function appendToSpool(record: LogRecord): Promise<void> {
    await spool.append(record)
    isDrained = false
    spooled++
  }

  /** For a spool that takes nothing either: without records in it, only a new one can find out that the primary is back. */
  function isTimeToTry(): boolean {
    if (!isDrained || Date.now() < retryAt) return false
    retryAt = Date.now() + retryAfterMs
    return true
  }

  const drain: BatchHandler = {
    resumeFrom: () => Promise.resolve(position),
    async handle({ records }) {
      isDrained = false
      let rest = records
      const first = records[0]
      if (isSpooling && first !== undefined) {
        // One record finds out whether it takes them again; the others must not pay for that.
        await drainAttempts.append(first)
        position = first.offset + 1
        drained++
        useAgain()
        rest = records.slice(1)
      }
      const outcomes = await Promise.allSettled(rest.map((record) => drainAttempts.append(record)))
      const failed = outcomes.findIndex(({ status }) => status === 'rejected')
      // Only an unbroken run counts: the position says that nothing before it is missing.
      const done = rest.slice(0, failed === -1 ? rest.length : failed)
      position = (done.at(-1)?.offset ?? position - 1) + 1
      drained += done.length
      const outcome = outcomes[failed]
      if (outcome?.status === 'rejected') throw outcome.reason
    },
    caughtUp() {
      if (!isDrained && drained > 0) onChange({ state: 'drained' })
      isDrained = true
      return Promise.resolve()
    },
  }
  try {
    reader.start(drain, drainLimits, onDrainError)
  } catch (error) {
    await reader.close()
    await spool.close()
    throw error
  }

  return {
    async append(record) {
      if (isClosing) throw new LogUnavailableError('LOG_CLOSED', 'The event log is closed.', { retryAfterMs: 5_000 })
      if (isSpooling && !isTimeToTry()) return appendToSpool(record)
      try {
        await attempts.append(record)
        useAgain()
      } catch (error) {
        if (hasCode(error, 'LOG_TOO_LARGE')) throw error
        giveUp(error)
        await appendToSpool(record)
      }
    },
    health() {
      if (isClosing) return { ok: false, reason: 'The event log is closed.' }
      const disk = spool.health()
      if (!isSpooling) return disk.ok ? disk : { ok: true, note: `There is no spool to fall back on: ${disk.reason}` }
      return disk.ok ? { ok: true, note: 'spooling' } : disk
    },
    pending() {
      const [first, second] = [attempts.pending(), spool.pending()]
      return { records: first.records + second.records, bytes: first.bytes + second.bytes }
    },
    async stats() {
      const [lag] = await reader.lag()
      return {
        records: lag?.records ?? 0,
        // As of a second ago: not yet 0 where all has gone just now.
        bytes: lag?.records === 0 ? 0 : spool.stats().waitingBytes,
        oldestMs: lag?.oldestMs ?? 0,
        isSpooling,
        spooled,
        drained,
      }
    },
    async close() {
      if (isClosing) return
      isClosing = true
      await reader.close()
      await attempts.ended()
      await spool.close()
      attempts.close()
      drainAttempts.close()
    },
  }
}

function hasCode(error: unknown, code: LogUnavailableError['code']): boolean {
  return error instanceof LogUnavailableError && error.code === code
}
