/**
 * Finds rows of the log in the pages of its files, without SQLite: whatever is wrong with the header or with the pages that
 * lead to others, a page of rows says by itself what is in it. The format: https://www.sqlite.org/fileformat2.html.
 * Nothing is trusted; a row counts only if its own checksum says so.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { pageBytes, type Row } from '../row.ts'

/** A page as it was at some time: in the file, or in the write-ahead file, where later ones are newer. */
type Image = { file: number; position: number }

/** Where in an image a row begins. */
export type Cell = { image: Image; at: number }

const frameHeaderBytes = 24
const walHeaderBytes = 32
/** The head of a page with rows: type, free block, number of cells, where they begin, fragments. */
const pageHeaderBytes = 8
const pageOfRows = 0x0d
/** A delivery is at most 64 MiB; what claims more is not a row. */
const maxPayloadBytes = 100 * 1024 ** 2
const columns = ['bytes_through', 'received_at', 'source', 'key', 'event_id', 'body', 'crc'] as const

export function openPages(directory: string) {
  const main = openIfThere(join(directory, 'log.sqlite'))
  const wal = openIfThere(join(directory, 'log.sqlite-wal'))
  const frames = listFrames(wal)
  const pagesInMain = countPages(main, 0, pageBytes)
  const byNumber = { old: toNumbered(frames.old), current: toNumbered(frames.current) }

  /** Worked out, not looked up: of a log of gigabytes a list of all pages would hold up every look into it. */
  function findInMain(number: number): Image | undefined {
    if (main === undefined || number < 1 || number > pagesInMain) return undefined
    return { file: main, position: (number - 1) * pageBytes }
  }

  /** Older images first: frames of before the last checkpoint are older than the file. */
  function* list(inMain: boolean): Generator<Image> {
    yield* frames.old
    for (let number = 1; inMain && number <= pagesInMain; number++) {
      const image = findInMain(number)
      if (image !== undefined) yield image
    }
    yield* frames.current
  }

  function read({ image, at }: Cell, page = readImage(image)): Row | undefined {
    const length = readVarint(page, at)
    const offset = length && readVarint(page, length.end)
    if (!length || !offset || length.value > maxPayloadBytes) return undefined
    const payload = readPayload(page, offset.end, length.value)
    return payload && toRow(payload, offset.value)
  }

  /** The part that is on the page, then the rest, page by page. */
  function readPayload(page: Buffer, start: number, length: number): Buffer | undefined {
    const local = toLocalBytes(length)
    if (start + local > page.length) return undefined
    const parts = [page.subarray(start, start + local)]
    if (local === length) return parts[0]
    if (start + local + 4 > page.length) return undefined
    let missing = length - local
    let next = page.readUInt32BE(start + local)
    while (missing > 0) {
      // The newest one: of a row that is still in the table it is the right one.
      const image = byNumber.current.get(next) ?? findInMain(next) ?? byNumber.old.get(next)
      if (image === undefined) return undefined
      const overflow = readImage(image)
      next = overflow.readUInt32BE(0)
      parts.push(overflow.subarray(4, 4 + Math.min(missing, pageBytes - 4)))
      missing -= Math.min(missing, pageBytes - 4)
    }
    return Buffer.concat(parts)
  }

  return {
    read,
    /** Everything that has the form of a row, older images first; `inMain` false: only of the write-ahead file. */
    *rows({ inMain } = { inMain: true }): Generator<{ cell: Cell; row: Row }> {
      for (const image of list(inMain)) {
        const page = readImage(image)
        // Nothing else: a page that continues a body holds bytes that a stranger has written.
        if (page[0] !== pageOfRows) continue
        const cells = Math.min(page.readUInt16BE(3), Math.floor((pageBytes - pageHeaderBytes) / 2))
        for (let index = 0; index < cells; index++) {
          const cell = { image, at: page.readUInt16BE(pageHeaderBytes + 2 * index) }
          const row = read(cell, page)
          if (row !== undefined) yield { cell, row }
        }
      }
    },
    close(): void {
      for (const file of [main, wal]) if (file !== undefined) closeSync(file)
    },
  }
}

function openIfThere(path: string): number | undefined {
  return existsSync(path) ? openSync(path, 'r') : undefined
}

/** Also the last one, of which a part may be missing. */
function countPages(file: number | undefined, start: number, step: number): number {
  return file === undefined ? 0 : Math.max(0, Math.ceil((fstatSync(file).size - start) / step))
}

/** Missing bytes of the page read as zeros. */
function readImage({ file, position }: Image): Buffer {
  const page = Buffer.alloc(pageBytes)
  readSync(file, page, 0, pageBytes, position)
  return page
}

function listFrames(wal: number | undefined): { old: Image[]; current: Image[] } {
  const frameBytes = frameHeaderBytes + pageBytes
  const count = countPages(wal, walHeaderBytes, frameBytes)
  if (wal === undefined || count === 0) return { old: [], current: [] }
  const frames = Array.from({ length: count }, (_, index) => {
    return { file: wal, position: walHeaderBytes + index * frameBytes + frameHeaderBytes }
  })
  const header = Buffer.alloc(walHeaderBytes)
  readSync(wal, header, 0, walHeaderBytes, 0)
  // Two numbers that change whenever the file starts over.
  const isCurrent = (image: Image) => readFrameHeader(image).subarray(8, 16).equals(header.subarray(16, 24))
  return { old: frames.filter((image) => !isCurrent(image)), current: frames.filter(isCurrent) }
}

function toNumbered(frames: readonly Image[]): Map<number, Image> {
  return new Map(frames.map((image) => [readFrameHeader(image).readUInt32BE(0), image]))
}

function readFrameHeader({ file, position }: Image): Buffer {
  const header = Buffer.alloc(frameHeaderBytes)
  readSync(file, header, 0, frameHeaderBytes, position - frameHeaderBytes)
  return header
}

/** How much of a payload is on the page of its row. */
function toLocalBytes(length: number): number {
  const most = pageBytes - 35
  if (length <= most) return length
  const least = Math.floor(((pageBytes - 12) * 32) / 255) - 23
  const fitting = least + ((length - least) % (pageBytes - 4))
  return fitting <= most ? fitting : least
}

/** Seven bits a byte, highest first; at most nine bytes, of which the last one has eight. */
function readVarint(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0n
  for (let index = 0; index < 9; index++) {
    const byte = bytes[start + index]
    if (byte === undefined) return undefined
    if (index === 8) value = (value << 8n) | BigInt(byte)
    else value = (value << 7n) | BigInt(byte & 0x7f)
    if (byte < 0x80 || index === 8) {
      const number = Number(value)
      return Number.isSafeInteger(number) ? { value: number, end: start + index + 1 } : undefined
    }
  }
  return undefined
}

/** The row's number is the offset; its own column of the record is empty. */
function toRow(payload: Buffer, offset: number): Row | undefined {
  const header = readVarint(payload, 0)
  if (header === undefined || header.value > 64) return undefined
  const types: number[] = []
  for (let at = header.end; at < header.value;) {
    const type = readVarint(payload, at)
    if (type === undefined) return undefined
    types.push(type.value)
    at = type.end
  }
  if (types[0] !== 0 || types.length !== 8) return undefined
  const values: Record<string, unknown> = { offset }
  let at = header.value
  for (const [index, name] of columns.entries()) {
    const type = types[index + 1]
    if (type === undefined) continue
    const length = toValueBytes(type)
    if (length === undefined || at + length > payload.length) return undefined
    values[name] = toValue(type, payload.subarray(at, at + length))
    at += length
  }
  return values as Row
}

const integerBytes = [0, 1, 2, 3, 4, 6, 8]

function toValueBytes(type: number): number | undefined {
  if (type >= 12) return Math.floor((type - 12) / 2)
  if (type === 8 || type === 9) return 0
  return integerBytes[type]
}

function toValue(type: number, bytes: Buffer): unknown {
  if (type >= 12) return type % 2 === 0 ? new Uint8Array(bytes) : bytes.toString('utf8')
  if (type === 0) return null
  if (type === 8 || type === 9) return type - 8
  return bytes.length === 8 ? Number(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length)
}
