/**
 * Native blocks as newer clients expect them. A client that names a protocol version expects block information before
 * each block, and the layout after each type; chDB writes neither, because it cannot be told the version.
 */
import { splitTypes } from '../../clickhouse/connection/write-constants.ts'
import { StatementError } from './http-front.ts'

const withCustomSerialization = 54_454

/** Not an overflow block (field 1), of no bucket (field 2), end. */
const blockInfo = Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0])

export function toNativeRevision(plain: Uint8Array, protocolVersion: number): Uint8Array {
  if (protocolVersion === 0) return plain
  const bytes = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength)
  const pieces: Uint8Array[] = []
  const reader = createReader(bytes)
  while (reader.position < bytes.length) {
    const start = reader.position
    const columns = reader.count()
    const rows = reader.count()
    pieces.push(blockInfo, bytes.subarray(start, reader.position))
    for (let column = 0; column < columns; column++) {
      const named = reader.position
      reader.text()
      const type = reader.text()
      pieces.push(bytes.subarray(named, reader.position))
      if (protocolVersion >= withCustomSerialization) pieces.push(Buffer.from([0]))
      const data = reader.position
      if (rows > 0) {
        skipPrefixes(reader, type)
        skipColumn(reader, type, rows)
      }
      pieces.push(bytes.subarray(data, reader.position))
    }
  }
  return Buffer.concat(pieces)
}

type Reader = {
  position: number
  /** A variable-length number. */
  count(): number
  text(): string
  skip(bytes: number): void
  uint64(): number
}

function createReader(bytes: Buffer): Reader {
  return {
    position: 0,
    count() {
      let value = 0
      for (let factor = 1; ; factor *= 128) {
        const byte = bytes.readUInt8(this.position++)
        value += (byte & 127) * factor
        if (byte < 128) return value
      }
    },
    text() {
      const length = this.count()
      return bytes.toString('utf8', this.position, (this.position += length))
    },
    skip(count) {
      this.position += count
    },
    uint64() {
      const value = Number(bytes.readBigUInt64LE(this.position))
      this.position += 8
      return value
    },
  }
}

/** The version of each dictionary in a column comes before its data. */
function skipPrefixes(reader: Reader, type: string): void {
  reader.skip(8 * (type.match(/\bLowCardinality\(/g) ?? []).length)
}

function skipColumn(reader: Reader, type: string, rows: number): void {
  const [, name = type, inner = ''] = /^(\w+)\((.*)\)$/s.exec(type) ?? []
  const width = toWidth(name, inner)
  if (width !== undefined) return reader.skip(width * rows)
  switch (name) {
    case 'String':
      for (let row = 0; row < rows; row++) reader.skip(reader.count())
      return
    case 'LowCardinality':
      return skipDictionaryColumn(reader, inner, rows)
    case 'Nullable':
      reader.skip(rows)
      return skipColumn(reader, inner, rows)
    case 'Array':
      return skipColumn(reader, inner, skipOffsets(reader, rows))
    case 'Map':
      return skipColumn(reader, `Tuple(${inner})`, skipOffsets(reader, rows))
    case 'Tuple':
      for (const element of splitTypes(inner)) skipColumn(reader, element, rows)
      return
    default:
      throw new StatementError(
        'NOT_IMPLEMENTED',
        `Columns of type ${type} cannot be given in this version of Native; cast them`,
      )
  }
}

/** The distinct values, then for each row the number of its value; the lowest bits give the width. */
function skipDictionaryColumn(reader: Reader, type: string, rows: number): void {
  if (rows === 0) return
  const indexBytes = 2 ** (reader.uint64() % 4)
  const [, nullable] = /^Nullable\((.*)\)$/s.exec(type) ?? []
  skipColumn(reader, nullable ?? type, reader.uint64())
  reader.skip(indexBytes * reader.uint64())
}

/** The ends of the lists; the last one is the number of items. */
function skipOffsets(reader: Reader, rows: number): number {
  if (rows === 0) return 0
  reader.skip(8 * (rows - 1))
  return reader.uint64()
}

const widths = new Map(
  Object.entries({
    1: 'Bool Int8 UInt8 Enum8 Nothing',
    2: 'Int16 UInt16 Enum16 Date BFloat16',
    4: 'Int32 UInt32 Float32 Date32 DateTime IPv4 Time',
    8: 'Int64 UInt64 Float64 DateTime64 Time64',
    16: 'Int128 UInt128 UUID IPv6',
    32: 'Int256 UInt256',
  }).flatMap(([width, names]) => names.split(' ').map((name) => [name, Number(width)] as const)),
)

function toWidth(name: string, inner: string): number | undefined {
  if (name.startsWith('Interval')) return 8
  if (name === 'FixedString') return Number(inner)
  if (name === 'Decimal') {
    const precision = Number(inner.split(',')[0])
    return precision <= 9 ? 4 : precision <= 18 ? 8 : precision <= 38 ? 16 : 32
  }
  return widths.get(name)
}
