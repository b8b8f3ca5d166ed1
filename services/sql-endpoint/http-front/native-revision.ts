/**
 * Native blocks as newer clients expect them. A client that names a protocol version expects block information before
 * each block, and the layout after each type; chDB writes neither, because it cannot be told the version.
 */
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs'
import { StatementError } from './http-front.ts'

const withCustomSerialization = 54_454

/** Not an overflow block (field 1), of no bucket (field 2), end. */
const blockInfo = Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0])

/** Copies a file of Native blocks. Blocks may be large, so it holds a part of the file at a time. */
export function copyAsNativeRevision(from: string, to: string, protocolVersion: number): void {
  const files = [openSync(from, 'r'), openSync(to, 'wx', 0o600)] as const
  try {
    const copier = createCopier(...files)
    while (!copier.isAtEnd()) {
      copier.insert(blockInfo)
      const columns = copier.count()
      const rows = copier.count()
      for (let column = 0; column < columns; column++) {
        copier.text()
        const type = copier.text()
        if (protocolVersion >= withCustomSerialization) copier.insert(Buffer.from([0]))
        if (rows === 0) continue
        copyPrefixes(copier, type)
        copyColumn(copier, type, rows)
      }
    }
    copier.insert(Buffer.alloc(0))
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** Copies everything that it reads. */
type Copier = {
  isAtEnd(): boolean
  insert(bytes: Uint8Array): void
  /** A variable-length number. */
  count(): number
  text(): string
  copy(bytes: number): void
  uint64(): number
}

const windowBytes = 1024 ** 2

function createCopier(input: number, output: number): Copier {
  let window = Buffer.alloc(0)
  let position = 0

  /** Writes what was read, and makes sure that `count` bytes follow, unless the file ends before. */
  function fill(count: number): void {
    if (window.length - position >= count) return
    writeFileSync(output, window.subarray(0, position))
    const next = Buffer.alloc(Math.max(windowBytes, count))
    const kept = window.copy(next, 0, position)
    const read = readSync(input, next, kept, next.length - kept, null)
    window = next.subarray(0, kept + read)
    position = 0
  }
  function byte(): number {
    fill(1)
    return window.readUInt8(position++)
  }
  function count(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const next = byte()
      value += (next & 127) * factor
      if (next < 128) return value
    }
  }
  return {
    isAtEnd() {
      fill(1)
      return position === window.length
    },
    insert(bytes) {
      writeFileSync(output, window.subarray(0, position))
      writeFileSync(output, bytes)
      window = window.subarray(position)
      position = 0
    },
    count,
    text() {
      const length = count()
      fill(length)
      return window.toString('utf8', position, (position += length))
    },
    copy(bytes) {
      for (let left = bytes; left > 0;) {
        fill(1)
        const taken = Math.min(left, window.length - position)
        if (taken === 0) throw new RangeError('The answer ends within a column')
        position += taken
        left -= taken
      }
    },
    uint64() {
      fill(8)
      position += 8
      return Number(window.readBigUInt64LE(position - 8))
    },
  }
}

/** The version of each dictionary in a column comes before its data. */
function copyPrefixes(copier: Copier, type: string): void {
  copier.copy(8 * (type.match(/\bLowCardinality\(/g) ?? []).length)
}

function copyColumn(copier: Copier, type: string, rows: number): void {
  const [, name = type, inner = ''] = /^(\w+)\((.*)\)$/s.exec(type) ?? []
  const width = toWidth(name, inner)
  if (width !== undefined) return copier.copy(width * rows)
  switch (name) {
    case 'String':
      for (let row = 0; row < rows; row++) copier.copy(copier.count())
      return
    case 'LowCardinality':
      return copyDictionaryColumn(copier, inner, rows)
    case 'Nullable':
      copier.copy(rows)
      return copyColumn(copier, inner, rows)
    case 'Array':
      return copyColumn(copier, inner, copyOffsets(copier, rows))
    case 'Map':
      return copyColumn(copier, `Tuple(${inner})`, copyOffsets(copier, rows))
    case 'Tuple':
      for (const element of splitTypes(inner)) copyColumn(copier, element, rows)
      return
    default:
      throw new StatementError(
        'NOT_IMPLEMENTED',
        `Columns of type ${type} cannot be given in this version of Native; cast them`,
      )
  }
}

/** The distinct values, then for each row the number of its value; the lowest bits give the width. */
function copyDictionaryColumn(copier: Copier, type: string, rows: number): void {
  if (rows === 0) return
  const indexBytes = 2 ** (copier.uint64() % 4)
  const [, nullable] = /^Nullable\((.*)\)$/s.exec(type) ?? []
  copyColumn(copier, nullable ?? type, copier.uint64())
  copier.copy(indexBytes * copier.uint64())
}

/** The ends of the lists; the last one is the number of items. */
function copyOffsets(copier: Copier, rows: number): number {
  if (rows === 0) return 0
  copier.copy(8 * (rows - 1))
  return copier.uint64()
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
