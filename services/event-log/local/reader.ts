/**
 * The local log's reader: one partition, read by polling the database that the writer fills, in this thread or another,
 * in this process or another. Reads only; what it writes is how far the records are stored (`position.ts`), and what cannot
 * be read (`damage/losses.ts`): it passes over that, so that an old page that is damaged keeps nothing new from being stored.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { BatchHandler, LogReader, PositionedRecord, ReaderOptions } from '../event-log.ts'
import { createGapFinder, type Gap, type GapFinder } from './damage/gaps.ts'
import { addLosses, countLost, readLosses } from './damage/losses.ts'
import { openLocalLock } from './lock.ts'
import { readAgainBelow, toBegin } from './meet-store.ts'
import { readKeptOffsets, readStoredThrough, writeStoredThrough } from './position.ts'
import { ignoreDamage } from './damage/error.ts'
import { openRows } from './rows.ts'
import { makeLogDirectory, openLocalDatabase } from './table.ts'

export type LocalLogReaderOptions = {
  directory: string
  /** Polling interval of an empty log. Default 25 ms; one look costs some microseconds. */
  pollIntervalMs?: number
  /** Told when records were found that cannot be read. */
  onLoss?: (loss: { records: number; firstOffset: number; lastOffset: number }) => void
}

/** Records read before the event loop gets a turn: this thread also serves pages. */
const readStep = 250
const caughtUpIntervalMs = 1_000
const firstRetryMs = 100
const maxRetryMs = 5_000

export function openLocalLogReader(options: LocalLogReaderOptions): LogReader {
  const { directory, pollIntervalMs = 25, onLoss = () => {} } = options
  makeLogDirectory(directory)
  const table = openTable(directory)
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let lock: { close(): void } | undefined
  let losses = readLosses(directory)

  async function readBatch(
    from: number,
    limits: ReaderOptions,
    gaps: GapFinder,
  ): Promise<{ records: PositionedRecord[]; next: number; isFull: boolean }> {
    const records: PositionedRecord[] = []
    let bytes = 0
    let offset = from
    for (;;) {
      // Asked before the rows: a record committed between the two is not missing.
      const end = ignoreDamage(table.endOffset)
      const slice = table.read(offset, Math.min(readStep, limits.maxBatchRecords - records.length))
      noteLoss([
        ...gaps.find(slice, offset, end),
        ...slice.unreadable.map((unreadable) => ({ from: unreadable, through: unreadable })),
      ])
      for (const record of slice.records) {
        if (records.length > 0 && bytes + record.body.byteLength > limits.maxBatchBytes) {
          return { records, next: record.offset, isFull: true }
        }
        bytes += record.body.byteLength
        records.push(record)
      }
      offset = slice.isEnd ? Math.max(slice.next, end ?? 0) : slice.next
      if (records.length >= limits.maxBatchRecords) return { records, next: offset, isFull: true }
      if (slice.isEnd) return { records, next: offset, isFull: false }
      await nextTurn()
    }
  }

  function noteLoss(gaps: readonly Gap[]): void {
    if (gaps.length === 0) return
    const foundAt = new Date().toISOString()
    const before = countLost(losses)
    losses = addLosses(
      directory,
      gaps.map((gap) => ({ ...gap, foundAt })),
    )
    const records = countLost(losses) - before
    if (records === 0) return
    const firstOffset = Math.min(...gaps.map(({ from }) => from))
    onLoss({ records, firstOffset, lastOffset: Math.max(...gaps.map(({ through }) => through)) })
  }

  async function deliver(handler: BatchHandler, limits: ReaderOptions, onHandled: () => void): Promise<void> {
    const stored = await handler.resumeFrom(0)
    // A position past the end: this log is an older copy than the store has read. Replay is harmless, a gap is not, so
    // deliver everything, and let the writer continue where the store would not skip.
    const offsets = readKeptOffsets(directory)
    const begin = Math.max(stored, readStoredThrough(directory), offsets?.first ?? 0)
    const end = ignoreDamage(table.endOffset) ?? stored
    if (stored > Math.max(end, offsets?.next ?? 0)) readAgainBelow(directory, stored)
    let position = toBegin(directory, stored)
    const gaps = createGapFinder(directory, begin > 0 || offsets !== undefined ? begin : undefined)
    writeStoredThrough(directory, position)
    let lastCaughtUp = -Infinity
    /** Past the records that cannot be read. The position follows with the next record, whose batch names those lost before it. */
    let readFrom = position
    while (!stopping.signal.aborted) {
      const asOf = Date.now()
      const startedAt = performance.now()
      const { records, next, isFull } = await readBatch(readFrom, limits, gaps)
      const last = records.at(-1)
      readFrom = next
      if (last !== undefined) {
        const lost = countLost(losses, position, last.offset)
        position = last.offset + 1
        const endOffset = Math.max(position, ignoreDamage(table.endOffset) ?? position)
        await handler.handle({
          partition: 0,
          records,
          endOffset,
          ...(lost > 0 && { lost }),
          ...(!isFull && { caughtUp: { asOf, tick: startedAt } }),
          heartbeat: () => Promise.resolve(),
          isStale: () => false,
        })
        writeStoredThrough(directory, position)
        onHandled()
      }
      if (!isFull && startedAt - lastCaughtUp >= caughtUpIntervalMs) {
        lastCaughtUp = startedAt
        await handler.caughtUp(0, position, asOf, startedAt)
      }
      if (isFull) await nextTurn()
      else
        await sleep(
          last === undefined ? pollIntervalMs : Math.max(startedAt + limits.minBatchIntervalMs - performance.now(), 1),
        )
    }
  }

  async function sleep(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  }

  return {
    start(handler, limits, onError) {
      lock = openLocalLock(directory, 'reader')
      running = (async () => {
        let retryMs = firstRetryMs
        while (!stopping.signal.aborted) {
          try {
            await deliver(handler, limits, () => (retryMs = firstRetryMs))
          } catch (error) {
            onError(error)
            await sleep(retryMs)
            retryMs = Math.min(retryMs * 2, maxRetryMs)
          }
        }
      })()
    },
    async lag() {
      const position = readStoredThrough(directory)
      const { records, oldestReceivedAt } = table.waiting(position)
      return [
        {
          partition: 0,
          records,
          oldestMs: oldestReceivedAt === undefined ? 0 : Math.max(0, Date.now() - oldestReceivedAt),
        },
      ]
    },
    assigned: () => (running === undefined || stopping.signal.aborted ? [] : [0]),
    async close() {
      stopping.abort()
      await running
      table.close()
      lock?.close()
    },
  }
}

function openTable(directory: string) {
  const database = openLocalDatabase(directory)
  database.exec('PRAGMA query_only = ON')
  const { read, endOffset } = openRows(database, directory)
  const oldest = database.prepare('SELECT offset, received_at FROM records WHERE offset >= ? ORDER BY offset LIMIT 1')
  return {
    read,
    endOffset,
    waiting(position: number) {
      const row = ignoreDamage(() => oldest.get(position)) as { offset: number; received_at: number } | undefined
      return {
        records: row === undefined ? 0 : (ignoreDamage(endOffset) ?? row.offset) - row.offset,
        oldestReceivedAt: row?.received_at,
      }
    },
    close: () => database.close(),
  }
}
