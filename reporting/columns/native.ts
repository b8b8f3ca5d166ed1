/** Reads ClickHouse's Native format: columns as they lie in memory, so that a thousand numbers are one copy. */
import { DataUnavailableError } from '../errors.ts'

export type Column = Float64Array | BigUint64Array | Uint32Array | Uint8Array | Int8Array | Texts | Lists
/** Texts as bytes: the nth begins at `starts[n]` and ends at `ends[n]`. */
export type Texts = { bytes: Uint8Array; starts: Uint32Array; ends: Uint32Array }
/** Lists of numbers, one after the other. */
export type Lists = { ends: Float64Array; items: Float64Array }
export type Block = { rows: number; columns: Column[] }

/** Pieces are joined until they hold a block as a rule. */
const joinedBytes = 1_048_576

/** `pieces`: an answer in FORMAT Native of the types that are read here, cut anywhere. */
export async function* readNative(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  let target = joinedBytes
  for await (const piece of pieces) {
    waiting.push(piece)
    bytes += piece.length
    if (bytes < target) continue
    const rest = yield* readWhole(Buffer.concat(waiting))
    waiting = [rest]
    bytes = rest.length
    target = Math.max(joinedBytes, 2 * bytes)
  }
  const rest = yield* readWhole(Buffer.concat(waiting))
  if (rest.length > 0)
    throw new DataUnavailableError('The answer of the store ends within a block', { retryAfterMs: 2_000 })
}

/** The blocks that are whole; returns the rest. */
function* readWhole(bytes: Uint8Array): Generator<Block, Uint8Array> {
  for (let at = 0; ;) {
    const next = at < bytes.length ? readBlock(bytes, at) : undefined
    if (next === undefined) return bytes.subarray(at)
    if (next.block.rows > 0) yield next.block
    at = next.end
  }
}

/** `undefined`: it is not whole. */
function readBlock(bytes: Uint8Array, from: number): { block: Block; end: number } | undefined {
  let at = from
  try {
    const [width, rows] = [integer(), integer()]
    const columns: Column[] = []
    for (let index = 0; index < width; index++) {
      skip(integer())
      const length = integer()
      const type = Buffer.from(bytes.buffer, bytes.byteOffset + skip(length), length).toString()
      columns.push(rows === 0 ? new Uint8Array() : readColumn(type, rows))
    }
    return { block: { rows, columns }, end: at }
  } catch (error) {
    if (error === cut) return undefined
    throw error
  }

  function integer(): number {
    let [value, scale] = [0, 1]
    for (;;) {
      const byte = bytes[skip(1)]!
      value += (byte & 127) * scale
      if (byte < 128) return value
      scale *= 128
    }
  }

  function skip(length: number): number {
    at += length
    if (at > bytes.length) throw cut
    return at - length
  }

  /** A copy, because typed arrays have to be aligned. */
  function take(length: number): ArrayBuffer {
    const start = bytes.byteOffset + skip(length)
    return bytes.buffer.slice(start, start + length) as ArrayBuffer
  }

  /** 64-bit integers as doubles: a bigint for each would be slow. */
  function integers(count: number): Float64Array {
    const [bits, values] = [take(8 * count), new Float64Array(count)]
    const [low, high] = [new Uint32Array(bits), new Int32Array(bits)]
    for (let index = 0; index < count; index++)
      values[index] = low[2 * index]! + high[2 * index + 1]! * 2 ** 32
    return values
  }

  function readColumn(type: string, rows: number): Column {
    switch (type) {
      case 'UInt8':
        return new Uint8Array(take(rows))
      case 'Int8':
        return new Int8Array(take(rows))
      case 'UInt32':
        return new Uint32Array(take(4 * rows))
      case 'UInt64':
        return new BigUint64Array(take(8 * rows))
      case 'Float64':
        return new Float64Array(take(8 * rows))
      case 'String': {
        const [starts, ends] = [new Uint32Array(rows), new Uint32Array(rows)]
        for (let row = 0; row < rows; row++) {
          const length = integer()
          starts[row] = skip(length)
          ends[row] = at
        }
        return { bytes, starts, ends }
      }
      case "DateTime64(3, 'UTC')":
        return integers(rows)
      case 'Array(Float64)': {
        const ends = integers(rows)
        return { ends, items: new Float64Array(take(8 * (ends[rows - 1] ?? 0))) }
      }
      default:
        throw new TypeError(`${type} is not read`)
    }
  }
}

const cut = new RangeError('The block is cut')

export function textOf({ bytes, starts, ends }: Texts, row: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + starts[row]!, ends[row]! - starts[row]!).toString()
}
