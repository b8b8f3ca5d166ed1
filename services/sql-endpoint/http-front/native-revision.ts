/**
 * Native blocks as newer clients expect them. A client that names a protocol version expects block information before
 * each block, and the layout after each type; chDB writes neither, because it cannot be told the version.
 */
import { StatementError } from './http-front.ts'

const withCustomSerialization = 54_454

/** Not an overflow block (field 1), of no bucket (field 2), end. */
const blockInfo = Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0])
/** Of a column: the default one. */
const layout = Buffer.from([0])

/** The pieces of the same answer, one after another. */
export function toNativeRevision(plain: Buffer, protocolVersion: number): Buffer[] {
  const pieces: Buffer[] = []
  const at: Position = { bytes: plain, offset: 0 }
  let written = 0
  const insert = (bytes: Buffer) => {
    pieces.push(plain.subarray(written, at.offset), bytes)
    written = at.offset
  }
  while (at.offset < plain.length) {
    insert(blockInfo)
    const columns = readCount(at)
    const rows = readCount(at)
    for (let column = 0; column < columns; column++) {
      skip(at, readCount(at))
      const length = readCount(at)
      const type = plain.toString('utf8', at.offset, at.offset + length)
      skip(at, length)
      if (protocolVersion >= withCustomSerialization) insert(layout)
      if (rows === 0) continue
      // The version of each dictionary in a column comes before its data.
      skip(at, 8 * (type.match(/\bLowCardinality\(/g) ?? []).length)
      skipColumn(at, type, rows)
    }
  }
  pieces.push(plain.subarray(written))
  return pieces
}

type Position = { readonly bytes: Buffer; offset: number }

function skip(at: Position, bytes: number): void {
  at.offset += bytes
  if (at.offset > at.bytes.length) throw new RangeError('The answer ends within a column')
}

/** A variable-length number. */
function readCount(at: Position): number {
  let value = 0
  for (let factor = 1; ; factor *= 128) {
    const next = at.bytes.readUInt8(at.offset++)
    value += (next & 127) * factor
    if (next < 128) return value
  }
}

function readUint64(at: Position): number {
  skip(at, 8)
  return Number(at.bytes.readBigUInt64LE(at.offset - 8))
}

function skipColumn(at: Position, type: string, rows: number): void {
  const [, name = type, inner = ''] = /^(\w+)\((.*)\)$/s.exec(type) ?? []
  const width = toWidth(name, inner)
  if (width !== undefined) return skip(at, width * rows)
  switch (name) {
    case 'String':
      for (let row = 0; row < rows; row++) skip(at, readCount(at))
      return
    case 'LowCardinality':
      return skipDictionaryColumn(at, inner, rows)
    case 'Nullable':
      skip(at, rows)
      return skipColumn(at, inner, rows)
    case 'Array':
      return skipColumn(at, inner, readItemCount(at, rows))
    case 'Map':
      return skipColumn(at, `Tuple(${inner})`, readItemCount(at, rows))
    case 'Tuple':
      for (const element of splitTypes(inner)) skipColumn(at, element, rows)
      return
    default: {
      const message = `Columns of type ${type} cannot be given in this version of Native; cast them`
      throw new StatementError('NOT_IMPLEMENTED', message)
    }
  }
}

/** The distinct values, then for each row the number of its value; the lowest bits give the width. */
function skipDictionaryColumn(at: Position, type: string, rows: number): void {
  if (rows === 0) return
  const indexBytes = 2 ** (readUint64(at) % 4)
  const [, nullable] = /^Nullable\((.*)\)$/s.exec(type) ?? []
  skipColumn(at, nullable ?? type, readUint64(at))
  skip(at, indexBytes * readUint64(at))
}

/** The ends of the lists; the last one is the number of items. */
function readItemCount(at: Position, rows: number): number {
  if (rows === 0) return 0
  skip(at, 8 * (rows - 1))
  return readUint64(at)
}

const widths: [bytes: number, types: RegExp][] = [
  [1, /^(Bool|U?Int8|Enum8|Nothing)$/],
  [2, /^(U?Int16|Enum16|Date|BFloat16)$/],
  [4, /^(U?Int32|Float32|Date32|DateTime|IPv4|Time)$/],
  [8, /^(U?Int64|Float64|DateTime64|Time64|Interval\w+)$/],
  [16, /^(U?Int128|UUID|IPv6)$/],
  [32, /^U?Int256$/],
]

function toWidth(name: string, inner: string): number | undefined {
  if (name === 'FixedString') return Number(inner)
  if (name === 'Decimal') {
    const precision = Number(inner.split(',')[0])
    return precision <= 9 ? 4 : precision <= 18 ? 8 : precision <= 38 ? 16 : 32
  }
  return widths.find(([, types]) => types.test(name))?.[0]
}

/** The texts between the commas of a type, without the names of a tuple's elements. */
function splitTypes(text: string): string[] {
  const types: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: token, index } of text.matchAll(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[(),]/g)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token !== ',' || depth > 0) continue
    types.push(text.slice(start, index))
    start = index + 1
  }
  types.push(text.slice(start))
  return types.map((type) => type.trim().replace(/^(?:`(?:[^`\\]|\\.)*`|\w+) (?=\w)/, ''))
}
