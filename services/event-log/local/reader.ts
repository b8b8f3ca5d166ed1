/**
 * The local log's reader: one partition, read by polling the database that the writer fills, in this thread or another,
 * in this process or another. Reads only; the one thing it writes is how far the records are stored (`position.ts`).
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { mkdirSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { BatchHandler, LogReader, PositionedRecord, ReaderOptions } from '../event-log.ts'
import { openLocalLock } from './lock.ts'
import { readStoredThrough, writeOffsetFloor, writeStoredThrough } from './position.ts'
import { openLocalDatabase } from './table.ts'

export type LocalLogReaderOptions = {
  directory: string
  /** How often an empty log is looked at. Default 25 ms; one look costs some microseconds. */
  pollIntervalMs?: number
}

/** Records read without letting the loop turn: this thread serves pages, too. */
const readStep = 250
const caughtUpIntervalMs = 1_000
const firstRetryMs = 100
const maxRetryMs = 5_000

type Row = { offset: number; received_at: number; source: string; key: string; event_id: string; body: Uint8Array }

export function openLocalLogReader(options: LocalLogReaderOptions): LogReader {
  const { directory, pollIntervalMs = 25 } = options
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const table = openTable(directory)
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let lock: { close(): void } | undefined

  async function readBatch(
    from: number,
    limits: ReaderOptions,
  ): Promise<{ records: PositionedRecord[]; isFull: boolean }> {
    const records: PositionedRecord[] = []
    let bytes = 0
    let offset = from
    for (;;) {
      const rows = table.read(offset, Math.min(readStep, limits.maxBatchRecords - records.length))
      for (const row of rows) {
        if (records.length > 0 && bytes + row.body.byteLength > limits.maxBatchBytes) return { records, isFull: true }
        bytes += row.body.byteLength
        records.push(toRecord(row))
        offset = row.offset + 1
      }
      if (records.length >= limits.maxBatchRecords) return { records, isFull: true }
      if (rows.length < readStep) return { records, isFull: false }
      await nextTurn()
    }
  }

  async function deliver(handler: BatchHandler, limits: ReaderOptions, onHandled: () => void): Promise<void> {
    let position = await handler.resumeFrom(0)
    // A position past the end: this log is an older copy than the one that the store has read. Replay is harmless, a gap
    // is not, so deliver what there is, and have the writer go on where the store would not skip it.
    if (position > table.endOffset()) {
      writeOffsetFloor(directory, position)
      position = 0
    }
    writeStoredThrough(directory, position)
    let lastCaughtUp = 0
    while (!stopping.signal.aborted) {
      const startedAt = Date.now()
      const { records, isFull } = await readBatch(position, limits)
      const last = records.at(-1)
      if (last !== undefined) {
        position = last.offset + 1
        const endOffset = Math.max(position, table.endOffset())
        await handler.handle({
          partition: 0,
          records,
          endOffset,
          heartbeat: () => Promise.resolve(),
          isStale: () => false,
        })
        writeStoredThrough(directory, position)
        onHandled()
      }
      if (!isFull && startedAt - lastCaughtUp >= caughtUpIntervalMs) {
        lastCaughtUp = startedAt
        await handler.caughtUp(0, position, startedAt)
      }
      if (isFull) await nextTurn()
      else
        await sleep(
          last === undefined ? pollIntervalMs : Math.max(startedAt + limits.minBatchIntervalMs - Date.now(), 1),
        )
    }
  }

  /** A pause that a close cuts short. */
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
  const database: DatabaseSync = openLocalDatabase(directory)
  database.exec('PRAGMA query_only = ON')
  const read = database.prepare('SELECT * FROM records WHERE offset >= ? ORDER BY offset LIMIT ?')
  const next = database.prepare(`
    SELECT max((SELECT next_offset FROM trimmed), coalesce((SELECT max(offset) + 1 FROM records), 0)) AS offset`)
  const oldest = database.prepare('SELECT offset, received_at FROM records WHERE offset >= ? ORDER BY offset LIMIT 1')
  const endOffset = () => (next.get() as { offset: number }).offset
  return {
    read: (offset: number, limit: number) => read.all(offset, limit) as Row[],
    endOffset,
    waiting(position: number) {
      const row = oldest.get(position) as { offset: number; received_at: number } | undefined
      return { records: row === undefined ? 0 : endOffset() - row.offset, oldestReceivedAt: row?.received_at }
    },
    close: () => database.close(),
  }
}

function toRecord(row: Row): PositionedRecord {
  return {
    offset: row.offset,
    key: row.key,
    eventId: row.event_id,
    source: row.source,
    receivedAt: row.received_at,
    body: row.body,
  }
}
