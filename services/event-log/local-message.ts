/** What the local log's writer and its thread say to each other. */
import type { LogRecord, LogUnavailableError } from './event-log.ts'
import type { LocalStats } from './local-store.ts'

/**
 * A batch as it crosses to the thread, in as few pieces as it takes, because each piece costs at the crossing: all texts in
 * one, key, event id and source of each record in turn; all bodies in one block of memory, which is handed over, not copied.
 */
export type PackedRecords = {
  text: string
  /** Three per record. */
  textEnds: Uint32Array
  receivedAt: Float64Array
  bodies: Uint8Array<ArrayBuffer>
  bodyEnds: Uint32Array
}

export type LogFailure = { code: LogUnavailableError['code']; message: string }

export type ToThread = { type: 'append'; records: PackedRecords } | { type: 'close' }

export type FromThread =
  | { type: 'opened'; stats: LocalStats }
  | { type: 'appended'; failure?: LogFailure }
  /** Once a second, and after every change of it: whether an append would work, and how full the log is. */
  | { type: 'state'; failure?: LogFailure; stats?: LocalStats }

export function packRecords(records: readonly LogRecord[]): PackedRecords {
  const count = records.length
  const textEnds = new Uint32Array(3 * count)
  const receivedAt = new Float64Array(count)
  const bodyEnds = new Uint32Array(count)
  let text = ''
  let size = 0
  for (const [index, record] of records.entries()) {
    text += record.key
    textEnds[3 * index] = text.length
    text += record.eventId
    textEnds[3 * index + 1] = text.length
    text += record.source
    textEnds[3 * index + 2] = text.length
    receivedAt[index] = record.receivedAt
    size += record.body.byteLength
    bodyEnds[index] = size
  }
  const bodies = new Uint8Array(size)
  for (const [index, { body }] of records.entries()) bodies.set(body, (bodyEnds[index] as number) - body.byteLength)
  return { text, textEnds, receivedAt, bodies, bodyEnds }
}

export function unpackRecords(packed: PackedRecords): LogRecord[] {
  const records: LogRecord[] = []
  let textStart = 0
  let bodyStart = 0
  const nextText = (position: number) => {
    const end = packed.textEnds[position] as number
    const part = packed.text.slice(textStart, end)
    textStart = end
    return part
  }
  for (let index = 0; index < packed.receivedAt.length; index++) {
    const bodyEnd = packed.bodyEnds[index] as number
    records.push({
      key: nextText(3 * index),
      eventId: nextText(3 * index + 1),
      source: nextText(3 * index + 2),
      receivedAt: packed.receivedAt[index] as number,
      body: packed.bodies.subarray(bodyStart, bodyEnd),
    })
    bodyStart = bodyEnd
  }
  return records
}
