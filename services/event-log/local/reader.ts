/**
 * The local log's reader: one partition, read by polling the database that the writer fills, in this thread or another,
 * in this process or another. Reads only; it writes how far the records are stored (`position.ts`).
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { createBackoff } from '../../runtime/backoff.ts'
import type { BatchHandler, LogReader, PositionedRecord, ReaderOptions } from '../event-log.ts'
import { openLocalLock } from './lock.ts'
import { readStoredThrough, writeStoredThrough } from './position.ts'
import { openRows } from './row.ts'
import { makeLogDirectory, openLocalDatabase } from './table.ts'

/** How often an empty log is looked at: one look costs some microseconds. */
const pollIntervalMs = 25
const recordsPerTurn = 250
const caughtUpIntervalMs = 1_000
const firstRetryMs = 100
const maxRetryMs = 5_000

export function openLocalLogReader({ directory }: { directory: string }): LogReader {
  makeLogDirectory(directory)
  const table = openTable(directory)
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let lock: { close(): void } | undefined

  /** Some records at a time: this thread also serves pages. */
  async function readBatch(from: number, { maxBatchRecords, maxBatchBytes }: ReaderOptions) {
    const records: PositionedRecord[] = []
    let bytes = 0
    let next = from
    let inTurn: number
    do {
      inTurn = 0
      for (const record of table.read(next)) {
        bytes += record.body.byteLength
        const isFull = records.length === maxBatchRecords || (records.length > 0 && bytes > maxBatchBytes)
        if (isFull) return { records, isFull }
        records.push(record)
        next = record.offset + 1
        if (++inTurn === recordsPerTurn) break
      }
      await nextTurn()
    } while (inTurn === recordsPerTurn)
    return { records, isFull: false }
  }

  async function deliver(handler: BatchHandler, limits: ReaderOptions, onHandled: () => void): Promise<void> {
    let position = await handler.resumeFrom(0, table.logId)
    writeStoredThrough(directory, position)
    let lastCaughtUp = -Infinity
    while (!stopping.signal.aborted) {
      const asOf = Date.now()
      const startedAt = performance.now()
      const { records, isFull } = await readBatch(position, limits)
      const last = records.at(-1)
      if (last !== undefined) {
        position = last.offset + 1
        await handler.handle({
          partition: 0,
          records,
          // The log has no offsets without a record: what is missing before the first one is lost.
          from: records[0]?.offset ?? position,
          next: position,
          ...(!isFull && { caughtUp: asOf }),
          heartbeat: () => Promise.resolve(),
          isStale: () => false,
        })
        writeStoredThrough(directory, position)
        onHandled()
      }
      if (!isFull && startedAt - lastCaughtUp >= caughtUpIntervalMs) {
        lastCaughtUp = startedAt
        await handler.caughtUp(0, position, asOf)
      }
      if (isFull) await nextTurn()
      else
        await sleep(
          last === undefined
            ? pollIntervalMs
            : Math.max(startedAt + limits.minBatchIntervalMs - performance.now(), 1),
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
        const backoff = createBackoff(firstRetryMs, maxRetryMs, stopping.signal)
        while (!stopping.signal.aborted) {
          try {
            await deliver(handler, limits, backoff.reset)
          } catch (error) {
            onError(error)
            await backoff.wait()
          }
        }
      })()
    },
    lag: async () => [table.lag(readStoredThrough(directory))],
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
  const rows = openRows(database, directory)
  const oldest = database.prepare(
    'SELECT offset, received_at FROM records WHERE offset >= ? ORDER BY offset LIMIT 1',
  )
  const { log_id: logId } = database.prepare('SELECT log_id FROM trimmed').get() as { log_id: string }
  return {
    read: rows.read,
    logId,
    lag(position: number) {
      const row = oldest.get(position) as { offset: number; received_at: number } | undefined
      if (row === undefined) return { partition: 0, records: 0, oldestMs: 0 }
      const oldestMs = Math.max(0, Date.now() - row.received_at)
      return { partition: 0, records: rows.endOffset() - row.offset, oldestMs }
    },
    close: () => database.close(),
  }
}
