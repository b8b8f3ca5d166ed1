/** What the local log's writer and its thread say to each other. */
import type { LogRecord, LogUnavailableError } from '../event-log.ts'
import type { LocalStats } from './store.ts'

/**
 * A batch as it crosses to the thread, in as few pieces as it takes, because each piece costs at the crossing: all texts in
 * one, key, event id and source of each record in turn; all bodies in one block of memory, which is handed over, not copied.
 */
export type PackedRecords = {
  text: string
  /** Lengths of texts and bodies, and when it was received: five per record. */
  numbers: Float64Array
  bodies: Uint8Array<ArrayBuffer>
}

export type LogFailure = { code: LogUnavailableError['code']; message: string }

export type ToThread = { type: 'append'; records: PackedRecords } | { type: 'close' }

export type FromThread =
  | { type: 'opened'; stats: LocalStats }
  | { type: 'appended'; failure?: LogFailure }
  /** Once a second, and after every change of it: whether an append would work, and how full the log is. */
  | { type: 'state'; failure?: LogFailure; stats?: LocalStats }

const numbersPerRecord = 5

export type Pack = {
  add(record: LogRecord): void
  /** All that was added. The pack is done with then. */
  seal(): PackedRecords
}

/** Takes records over as they come, so that nothing of theirs has to live, and be collected later, while they wait. */
export function createPack(): Pack {
  let count = 0
  let text = ''
  let numbers = new Float64Array(64 * numbersPerRecord)
  let bodies = new Uint8Array(65_536)
  let size = 0
  return {
    add({ key, eventId, source, receivedAt, body }) {
      let next = count++ * numbersPerRecord
      if (next === numbers.length) numbers = enlarge(new Float64Array(2 * next), numbers)
      if (size + body.byteLength > bodies.length) {
        bodies = enlarge(new Uint8Array(2 * bodies.length + body.byteLength), bodies.subarray(0, size))
      }
      text += key + eventId + source
      numbers[next++] = key.length
      numbers[next++] = eventId.length
      numbers[next++] = source.length
      numbers[next++] = receivedAt
      numbers[next++] = body.byteLength
      bodies.set(body, size)
      size += body.byteLength
    },
    seal: () => ({ text, numbers: numbers.subarray(0, count * numbersPerRecord), bodies }),
  }
}

function enlarge<T extends Uint8Array | Float64Array>(larger: T, filled: T): T {
  larger.set(filled)
  return larger
}

export function unpackRecords({ text, numbers, bodies }: PackedRecords): LogRecord[] {
  const records: LogRecord[] = []
  let textEnd = 0
  let bodyEnd = 0
  let next = 0
  const nextNumber = () => numbers[next++] as number
  const nextText = () => {
    const start = textEnd
    textEnd += nextNumber()
    return text.slice(start, textEnd)
  }
  while (next < numbers.length) {
    const [key, eventId, source, receivedAt] = [nextText(), nextText(), nextText(), nextNumber()]
    const start = bodyEnd
    bodyEnd += nextNumber()
    records.push({ key, eventId, source, receivedAt, body: bodies.subarray(start, bodyEnd) })
  }
  return records
}
