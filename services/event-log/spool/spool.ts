/**
 * The spool: what ingest acknowledges from while the event log (`primary`) does not accept records in time. It is the
 * local log under another name, with the same promises: synced before acknowledged, one sync for many, kept over kill -9
 * and restart. Its records go to the primary, oldest first, as soon as that accepts them again; new ones do not wait,
 * because nothing downstream depends on the order of arrival.
 * A record whose answer came too late may be in both, and is then delivered twice: the ledger shows a repeat.
 */
import type { Health } from '../../runtime/http/health.ts'
import { StartError } from '../../config/start-error.ts'
import {
  closed,
  LogUnavailableError,
  type BatchHandler,
  type LogFailure,
  type LogRecord,
  type LogWriter,
  type PositionedRecord,
} from '../event-log.ts'
import { readLogId } from '../local/log-use.ts'
import { readStoredThrough } from '../local/position.ts'
import { openLocalLogReader } from '../local/reader.ts'
import { openLocalLogWriter } from '../local/writer.ts'

export type SpoolOptions = {
  /** The final destination of records, whose appends end in a time of its own. The caller closes it, after this. */
  primary: LogWriter
  /** The spool's own directory; created if missing. Its records are sent after the next start. */
  directory: string
  /** Maximum bytes waiting in the spool; further appends fail with LOG_FULL. */
  maxBytes: number
  /** Called when the primary is given up, and when it is used again. */
  onChange?: (change: SpoolChange) => void
  /** Told where the spool itself cannot be read: only the operator can go on from there. */
  onFailure?: (error: StartError) => void
}

export type SpoolChange =
  | { state: 'spooling'; cause: unknown }
  /** New records go to the primary; those in the spool follow. */
  | { state: 'draining' }
  | { state: 'drained' }
  /** The log accepts records, but never this one with its present settings: it stays here with those behind it. */
  | { state: 'stuck'; cause: unknown }

export type SpooledLogWriter = Awaited<ReturnType<typeof openSpooledLogWriter>>
export type SpoolStats = Awaited<ReturnType<SpooledLogWriter['stats']>>

/** Twice the need of one commit, in the log and its write-ahead file. */
const reserveBytes = 16 * 1024 ** 2
const drainLimits = { maxBatchRecords: 1_000, maxBatchBytes: 4 * 1024 ** 2, minBatchIntervalMs: 0 }
/** How long the primary is left alone when the spool has no record to try it with. */
const retryAfterMs = 1_000

export async function openSpooledLogWriter(options: SpoolOptions) {
  const { primary, directory, onChange = () => {}, onFailure = () => {} } = options
  const spool = await openLocalLogWriter({
    directory,
    maxBytes: options.maxBytes,
    // Records in the primary are removed here; later ones use their room.
    retentionMs: 0,
    retentionBytes: 0,
    reserveBytes,
    limitVariable: 'SPOOL_MAX_BYTES',
  })
  const reader = openLocalLogReader({ directory })
  const appending = new Set<Promise<void>>()
  let isSpooling = false
  let isDrained = false
  let retryAt = -Infinity
  let isClosing = false
  let spooled = 0
  let drained = 0
  /** The offset after the last record that the primary has. */
  let position = readStoredThrough(directory)
  /** Offsets of one batch that the primary has although it refused a record before them: they are not sent again. */
  const ahead = new Set<number>()

  function giveUp(cause: unknown): void {
    retryAt = performance.now() + retryAfterMs
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
    if (cause instanceof StartError) return onFailure(cause)
    if (!hasCode(cause, 'LOG_TOO_LARGE')) return giveUp(cause)
    useAgain()
    onChange({ state: 'stuck', cause })
  }

  /** To the primary, or to the spool where that does not take it. */
  async function append(record: LogRecord): Promise<void> {
    if (isSpooling && !isTimeToTry()) return appendToSpool(record)
    try {
      await primary.append(record)
      useAgain()
    } catch (error) {
      if (hasCode(error, 'LOG_TOO_LARGE')) throw error
      giveUp(error)
      await appendToSpool(record)
    }
  }

  async function appendToSpool(record: LogRecord): Promise<void> {
    await spool.append(record)
    isDrained = false
    spooled++
  }

  /** For a spool that accepts nothing either: when it is empty, only a new record can notice that the primary is back. */
  function isTimeToTry(): boolean {
    if (!isDrained || performance.now() < retryAt) return false
    retryAt = performance.now() + retryAfterMs
    return true
  }

  async function handOn(record: PositionedRecord): Promise<void> {
    if (ahead.has(record.offset)) return
    await primary.append(record)
    ahead.add(record.offset)
  }

  const drain: BatchHandler = {
    resumeFrom: () => Promise.resolve(position),
    async handle({ records }) {
      isDrained = false
      const first = records[0]
      if (isSpooling && first !== undefined) {
        // One record tests the primary; the others must not pay for that.
        await handOn(first)
        useAgain()
      }
      const outcomes = await Promise.allSettled(records.map(handOn))
      const failed = outcomes.findIndex(({ status }) => status === 'rejected')
      // Only an unbroken run counts: the position says that nothing before it is missing.
      const done = records.slice(0, failed === -1 ? records.length : failed)
      position = (done.at(-1)?.offset ?? position - 1) + 1
      drained += done.length
      for (const { offset } of done) ahead.delete(offset)
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
    /** Of its directory: it stays when a container starts anew. */
    id: readLogId(directory),
    append(record) {
      if (isClosing) return Promise.reject(new LogUnavailableError(closed))
      const appended = append(record).finally(() => appending.delete(appended))
      appending.add(appended)
      return appended
    },
    /** Whether an append should work now; `note`: anything unusual. */
    health(): Health {
      if (isClosing) return { ok: false, reason: closed.message }
      const disk = spool.health()
      if (!isSpooling)
        return disk.ok ? disk : { ok: true, note: `There is no spool to fall back on: ${disk.reason}` }
      return disk.ok ? { ok: true, note: 'spooling' } : disk
    },
    async stats() {
      const [lag] = await reader.lag()
      return {
        /** Acknowledged from here and not yet in the primary. */
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
      await Promise.allSettled(appending)
      await spool.close()
    },
  } satisfies LogWriter & Record<string, unknown>
}

function hasCode(error: unknown, code: LogFailure['code']): boolean {
  return error instanceof LogUnavailableError && error.code === code
}
