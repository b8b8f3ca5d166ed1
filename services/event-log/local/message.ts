/** The messages between the local log's writer and its thread. */
import { readDelivery, type DeliverySummary, type Problem } from '../../../schemas/webhook/parse-delivery.ts'
import type { LogFailure, LogRecord, RawDelivery } from '../event-log.ts'
import type { LocalStats } from './store.ts'

/**
 * A batch as it crosses to the thread, in as few pieces as it takes, because each piece costs at the crossing: all texts in
 * one, key, event id, source and odd request of each record in turn; all bodies in one block of memory, which is handed over, not copied.
 * A raw delivery has no key and no event id yet: the thread reads its body, so that the loop that answers requests need not.
 */
export type PackedRecords = {
  text: string
  /** Lengths of texts and bodies, and when it was received: six per record. The key of a raw delivery has the length -1. */
  numbers: Float64Array
  bodies: Uint8Array<ArrayBuffer>
}

/** The thread's summaries of raw deliveries, in their order: all event ids in one text, and unusual summaries apart. */
export type Summaries = { eventIds: string; unusual: { index: number; problems: readonly Problem[] }[] }

const eventIdLength = 32
const rawKeyLength = -1
const none: readonly never[] = []

export type ToThread = { type: 'append'; records: PackedRecords } | { type: 'close' }

export type FromThread =
  | { type: 'opened'; stats: LocalStats }
  | { type: 'appended'; summaries: Summaries }
  | { type: 'failed'; failure: LogFailure }
  /** Once a second and after every change: whether an append would work, and how full the log is. */
  | { type: 'state'; failure?: LogFailure; stats?: LocalStats }

const numbersPerRecord = 6

export type Pack = ReturnType<typeof createPack>

/** Packs records as they arrive, so that no objects stay alive, and need collecting, while they wait. */
export function createPack() {
  let count = 0
  let text = ''
  let numbers = new Float64Array(64 * numbersPerRecord)
  let bodies = new Uint8Array(65_536)
  let size = 0

  function addRest(
    keyLength: number,
    idLength: number,
    { source, oddRequest = '', receivedAt, body }: RawDelivery,
  ): void {
    text += source + oddRequest
    let next = count++ * numbersPerRecord
    if (next === numbers.length) numbers = enlarge(new Float64Array(2 * next), numbers)
    if (size + body.byteLength > bodies.length) {
      bodies = enlarge(new Uint8Array(2 * bodies.length + body.byteLength), bodies.subarray(0, size))
    }
    numbers[next++] = keyLength
    numbers[next++] = idLength
    numbers[next++] = source.length
    numbers[next++] = oddRequest.length
    numbers[next++] = receivedAt
    numbers[next++] = body.byteLength
    bodies.set(body, size)
    size += body.byteLength
  }

  return {
    add(record: LogRecord): void {
      text += record.key + record.eventId
      addRest(record.key.length, record.eventId.length, record)
    },
    addRaw(delivery: RawDelivery): void {
      addRest(rawKeyLength, 0, delivery)
    },
    /** Everything added so far. The pack is finished after this. */
    seal: (): PackedRecords => ({ text, numbers: numbers.subarray(0, count * numbersPerRecord), bodies }),
  }
}

function enlarge<T extends Uint8Array | Float64Array>(larger: T, filled: T): T {
  larger.set(filled)
  return larger
}

/** The records, and what there is to say about those that were raw. */
export function unpackRecords({ text, numbers, bodies }: PackedRecords): {
  records: LogRecord[]
  summaries: Summaries
} {
  const records: LogRecord[] = []
  const summaries: Summaries = { eventIds: '', unusual: [] }
  let textEnd = 0
  let bodyEnd = 0
  let next = 0
  const nextNumber = () => numbers[next++] as number
  const nextText = (length: number) => text.slice(textEnd, (textEnd += length))
  const nextRequest = (sourceLength: number, oddLength: number) => {
    const source = nextText(sourceLength)
    return oddLength === 0 ? { source } : { source, oddRequest: nextText(oddLength) }
  }
  while (next < numbers.length) {
    const [keyLength, idLength, sourceLength] = [nextNumber(), nextNumber(), nextNumber()]
    const [oddLength, receivedAt] = [nextNumber(), nextNumber()]
    const start = bodyEnd
    bodyEnd += nextNumber()
    const body = bodies.subarray(start, bodyEnd)
    if (keyLength === rawKeyLength) {
      const { key, eventId, problems } = readDelivery(body)
      if (problems.length > 0)
        summaries.unusual.push({ index: summaries.eventIds.length / eventIdLength, problems })
      summaries.eventIds += eventId
      records.push({ key, eventId, ...nextRequest(sourceLength, oddLength), receivedAt, body })
    } else {
      const [key, eventId] = [nextText(keyLength), nextText(idLength)]
      records.push({ key, eventId, ...nextRequest(sourceLength, oddLength), receivedAt, body })
    }
  }
  return { records, summaries }
}

/** One for each raw delivery, in their order. */
export function unpackSummaries({ eventIds, unusual }: Summaries): DeliverySummary[] {
  const summaries: DeliverySummary[] = []
  for (let start = 0; start < eventIds.length; start += eventIdLength) {
    summaries.push({ eventId: eventIds.slice(start, start + eventIdLength), problems: none })
  }
  for (const { index, problems } of unusual) (summaries[index] as DeliverySummary).problems = problems
  return summaries
}
