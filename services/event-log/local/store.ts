/**
 * The writing side of the local log's database, synchronous: appends a batch in one transaction (one sync), and removes
 * what retention no longer keeps. Runs where a sync may block.
 */
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LogUnavailableError, type LogFailure, type LogRecord } from '../event-log.ts'
import { isDamage, toLogError } from './errors.ts'
import { createForgetting } from './forgetting.ts'
import { readStoredThrough } from './position.ts'
import { inTransaction, prepareInsert, sizeOf } from './row.ts'
import { openLocalDatabase } from './table.ts'

export type LocalLimits = {
  directory: string
  /** Maximum bytes that wait to be stored downstream; further appends fail with LOG_FULL. Default 10 GiB. */
  maxBytes: number
  /** How long a stored record is kept after its receipt. Default 7 days. */
  retentionMs: number
  /** Maximum bytes of stored records: the oldest are removed first, whatever their age. Default 0.8 of `maxBytes`. */
  retentionBytes: number
  /** Disk space reserved for emptying a full disk. Default 0. */
  reserveBytes: number
  /** The setting behind `maxBytes`, for messages. Default LOG_MAX_BYTES. */
  limitVariable: string
}

export type LocalStats = ReturnType<OpenStore['stats']>

/** Records and bytes removed per transaction: few, so that an append never waits more than some milliseconds. */
const trimStep = 500
const trimStepBytes = 4 * 1024 ** 2

export function openLocalStore(limits: LocalLimits) {
  let open: OpenStore | undefined
  attempt(() => undefined)
  const reserve = createReserve(limits.directory, limits.reserveBytes)
  reserve.keep()

  /** After an error, above all a failed sync, the file's content is unknown: only reading it again can tell. */
  function attempt<T>(step: (store: OpenStore) => T): T {
    try {
      open ??= openTables(limits)
      return step(open)
    } catch (error) {
      if (error instanceof LogUnavailableError) throw error
      open?.close()
      open = undefined
      throw isDamage(error) ? toLogError(limits.directory, error) : error
    }
  }

  return {
    /** All of them synced, or none and an error. */
    append: (records: readonly LogRecord[]) => attempt((store) => store.append(records)),
    /** Removes one step of expired records; `true` if there may be more. */
    trim(now: number): boolean {
      let hasMore: boolean
      try {
        hasMore = attempt((store) => store.trim(now))
      } catch (error) {
        if (!isDiskFull(error) || !reserve.giveUp()) throw error
        hasMore = attempt((store) => store.trim(now))
      }
      if (!hasMore) reserve.keep()
      return hasMore
    },
    /** A small synced write: whether the disk accepts anything. */
    probe: () => attempt((store) => store.probe()),
    stats: () => attempt((store) => store.stats()),
    close: () => open?.close(),
  }
}

export function toLimitFailure({ maxBytes, limitVariable }: LocalLimits, waitingBytes: number): LogFailure {
  const message =
    `The event log holds ${waitingBytes} bytes that are not stored downstream yet; its limit is ${maxBytes}. ` +
    `See why they are not stored, or raise ${limitVariable}.`
  return { code: 'LOG_FULL', message }
}

/** SQLITE_FULL: the disk, or a quota on it. */
export function isDiskFull(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 13
}

type OpenStore = ReturnType<typeof openTables>

function openTables(limits: LocalLimits) {
  const database = openLocalDatabase(limits.directory)
  const insert = prepareInsert(database)
  const byteAt = database.prepare(
    'SELECT bytes_through AS bytes FROM records WHERE offset < ? ORDER BY offset DESC LIMIT 1',
  )
  const first = database.prepare('SELECT offset FROM records ORDER BY offset LIMIT 1')
  const last = database.prepare(
    'SELECT offset, bytes_through AS bytes FROM records ORDER BY offset DESC LIMIT 1',
  )
  const oldest = database.prepare(
    'SELECT offset, bytes_through AS bytes, received_at FROM records ORDER BY offset LIMIT ?',
  )
  const remove = database.prepare('DELETE FROM records WHERE offset <= ?')
  // In their places: SQLite may leave copies of rows that it moves when it removes neighbours.
  const overwrite = database.prepare(
    `UPDATE records SET body = zeroblob(length(body)), key = printf('%.*c', length(CAST(key AS BLOB)), '-') WHERE offset <= ?`,
  )
  const remember = database.prepare('UPDATE trimmed SET next_offset = ?, bytes_through = ?')
  const forgetting = createForgetting(database)
  const trimmed = database.prepare('SELECT next_offset, bytes_through AS bytes FROM trimmed')

  const base = trimmed.get() as { next_offset: number; bytes: number }
  const newest = last.get() as { offset: number; bytes: number } | undefined
  let trimmedBytes = base.bytes
  // Never an offset that the store has passed: it would skip the record. A log that was replaced may end before that.
  let nextOffset = Math.max(
    base.next_offset,
    newest === undefined ? 0 : newest.offset + 1,
    readStoredThrough(limits.directory),
  )
  let bytesThrough = newest?.bytes ?? base.bytes
  let storedThrough = -1
  let storedBytes = 0

  function followReader(): void {
    storedThrough = readStoredThrough(limits.directory)
    storedBytes = (byteAt.get(storedThrough) as { bytes: number } | undefined)?.bytes ?? trimmedBytes
  }
  followReader()

  function append(records: readonly LogRecord[]): void {
    if (bytesThrough - storedBytes >= limits.maxBytes) followReader()
    const waitingBytes = bytesThrough - storedBytes
    if (waitingBytes >= limits.maxBytes) throw new LogUnavailableError(toLimitFailure(limits, waitingBytes))
    let bytes = bytesThrough
    inTransaction(database, () => {
      for (const [index, record] of records.entries()) {
        bytes += sizeOf(record)
        insert(record, nextOffset + index, bytes)
      }
    })
    nextOffset += records.length
    bytesThrough = bytes
  }

  function trim(now: number): boolean {
    followReader()
    const rows = oldest.all(trimStep) as { offset: number; bytes: number; received_at: number }[]
    let end: { offset: number; bytes: number } | undefined
    for (const row of rows) {
      const keptBytes = bytesThrough - (end?.bytes ?? trimmedBytes)
      const isPastKeeping = row.received_at < now - limits.retentionMs || keptBytes > limits.retentionBytes
      // One is always removed, however large it is.
      const isTooMuch = end !== undefined && row.bytes - trimmedBytes > trimStepBytes
      if (row.offset >= storedThrough || !isPastKeeping || isTooMuch) break
      end = row
    }
    if (end === undefined) {
      forgetting.settled()
      return false
    }
    const { offset, bytes } = end
    inTransaction(database, () => {
      remember.run(Math.max(nextOffset, offset + 1), bytes)
      overwrite.run(offset)
      remove.run(offset)
    })
    forgetting.removed()
    trimmedBytes = bytes
    storedBytes = Math.max(storedBytes, bytes)
    return true
  }

  function stats() {
    followReader()
    return {
      firstOffset: (first.get() as { offset: number } | undefined)?.offset ?? nextOffset,
      nextOffset,
      /** Bytes not yet stored downstream, and bytes in all. */
      waitingBytes: bytesThrough - storedBytes,
      keptBytes: bytesThrough - trimmedBytes,
    }
  }

  function probe(): void {
    inTransaction(database, () => remember.run(nextOffset, trimmedBytes))
  }

  return { append, trim, stats, probe, close: () => database.close() }
}

/**
 * Disk space reserved for removing: a log on a full disk needs some to free more. Without it a full log could be read to
 * its end and would still be full.
 */
function createReserve(directory: string, bytes: number) {
  const path = join(directory, 'reserve')
  let isKept = statSync(path, { throwIfNoEntry: false })?.size === bytes

  return {
    keep(): void {
      if (isKept || bytes === 0) return
      try {
        // Written, not only extended: a hole in a file reserves nothing.
        writeFileSync(path, Buffer.alloc(bytes))
        isKept = true
      } catch {
        rmSync(path, { force: true })
      }
    },
    /** `false`: there is none to release. */
    giveUp(): boolean {
      if (!isKept) return false
      rmSync(path, { force: true })
      isKept = false
      return true
    },
  }
}
