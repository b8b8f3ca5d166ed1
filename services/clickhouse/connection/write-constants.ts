/**
 * Writes the parameters of a statement into its text: `{name:Type}` becomes a constant of that type. chDB runs statements
 * that have parameters one at a time in the whole process, so a page and the consumer's look-ups would wait for one another.
 *
 * A value becomes the text that the engine reads for its type (`CAST('...' AS Type)`), quoted once. Nothing else of a value
 * gets into the statement, and a value that the type cannot hold is refused here: the engine would wrap it around in silence.
 */

/** A value that its type cannot hold, or a parameter without a value: an error of the caller. */
export class ConstantError extends Error {
  override readonly name = 'ConstantError'
  readonly code = 'BAD_CONSTANT'
}

/** Everything but code: strings, quoted names, comments, here-documents. Any other match is a placeholder. */
const lexeme =
  /'(?:[^'\\]|\\[^]|'')*'|"(?:[^"\\]|\\[^]|"")*"|`(?:[^`\\]|\\[^]|``)*`|--[^\n]*|\/\*[^]*?\*\/|\$(\w*)\$[^]*?\$\1\$|\{\s*(\w+)\s*:\s*([^{}]+)\}/g

/** The same statement without parameters. A value that the statement does not name is left out. */
export function writeConstants(sql: string, params: Readonly<Record<string, unknown>>): string {
  return sql.replace(lexeme, (match: string, _tag, name: string | undefined, type: string | undefined) => {
    if (name === undefined || type === undefined) return match
    if (!Object.hasOwn(params, name)) throw new ConstantError(`The parameter ${name} has no value`)
    try {
      return toConstant(type.trim(), params[name])
    } catch (cause) {
      // Not the value itself: it may be about people.
      throw new ConstantError(
        `The value of parameter ${name} is not a ${type}: ${(cause as Error).message}`,
        { cause },
      )
    }
  })
}

/** An expression of exactly this type. `Identifier`: a name, quoted. */
export function toConstant(type: string, value: unknown): string {
  if (type === 'Identifier') return toIdentifier(value)
  if (type === 'String') return quote(toText(value))
  if (value === null) return `CAST(NULL AS ${toNullable(type)})`
  return `CAST(${quote(toReadable(type, value, false))} AS ${type})`
}

/** Text as the engine reads it for a type; in arrays and tuples (`nested`) everything but a number is quoted. */
function toReadable(type: string, value: unknown, nested: boolean): string {
  const { name, args } = parseType(type)
  const [first = '', second = ''] = args
  const quoted = (text: string) => (nested ? quote(text) : text)
  switch (name) {
    case 'Nullable':
      return value === null ? 'NULL' : toReadable(first, value, nested)
    case 'LowCardinality':
      return toReadable(first, value, nested)
    case 'Array':
      return `[${toList(value)
        .map((item) => toReadable(first, item, true))
        .join(',')}]`
    case 'Tuple': {
      const items = toList(value)
      if (items.length !== args.length || args.length === 0)
        throw new TypeError(`has not ${args.length} items`)
      // A tuple of one ends with a comma.
      const texts = items.map((item, index) => toReadable(args[index] ?? '', item, true)).join(',')
      return items.length === 1 ? `(${texts},)` : `(${texts})`
    }
    case 'String':
      return quoted(toText(value))
    case 'FixedString': {
      const text = toText(value)
      if (Buffer.byteLength(text) > Number(first)) throw new RangeError('is too long')
      return quoted(text)
    }
    case 'Bool':
      if (typeof value !== 'boolean') throw new TypeError('is neither true nor false')
      return String(value)
    case 'UUID':
      return quoted(toUuid(value))
    case 'Date':
      return quoted(toDate(value))
    case 'DateTime':
      return quoted(toDateTime(value, 0, first || 'none', dateTimeRange))
    case 'DateTime64':
      return quoted(toDateTime(value, Number(first), second || 'none', dateTime64Range))
    case 'Float32':
    case 'Float64':
      return toFloat(value)
    default:
      // Over HTTP the client quotes a text within a list, and the server reads no number from that: the same here, or only servers fail.
      if (nested && typeof value === 'string') throw new TypeError('is a text in a list of numbers')
      return toInteger(name, value)
  }
}

/** `Array(Tuple(a UInt8, String))` -> its name and its arguments as text; names of a tuple's items are left out. */
function parseType(type: string): { name: string; args: string[] } {
  const match = /^(\w+)(?:\(([^]*)\))?$/.exec(type.trim())
  if (match === null) throw new TypeError('this type cannot be read')
  const [, name = '', inner] = match
  return { name, args: inner === undefined ? [] : splitTypes(inner) }
}

/** The texts between the commas of a type, without the names of a tuple's elements. */
export function splitTypes(text: string): string[] {
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

function toNullable(type: string): string {
  if (parseType(type).name !== 'Nullable') throw new TypeError('may not be null')
  return type
}

function toList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError('is not a list')
  return value
}

function toText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('is not a text')
  // Half of a surrogate pair has no bytes in UTF-8.
  return value.toWellFormed()
}

function toInteger(type: string, value: unknown): string {
  const bits = /^U?Int(8|16|32|64|128|256)$/.exec(type)?.[1]
  if (bits === undefined) throw new TypeError('no value of this type can be written')
  const number = toBigInt(value)
  const size = 1n << BigInt(bits)
  const [least, beyond] = type.startsWith('U') ? [0n, size] : [-size / 2n, size / 2n]
  if (number < least || number >= beyond) throw new RangeError('is out of range')
  return number.toString()
}

function toBigInt(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^-?\d{1,78}$/.test(value)) return BigInt(value)
  throw new TypeError('is not a whole number')
}

function toFloat(value: unknown): string {
  if (typeof value !== 'number') throw new TypeError('is not a number')
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  return Object.is(value, -0) ? '-0' : String(value)
}

function toUuid(value: unknown): string {
  const text = toText(value)
  if (!/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text))
    throw new TypeError('is not a UUID')
  const digits = text.replaceAll('-', '')
  return [0, 8, 12, 16, 20].map((from, index, all) => digits.slice(from, all[index + 1])).join('-')
}

/** Epoch ms; ends exclusive. */
const dateRange = { from: 0, to: Date.UTC(2149, 5, 7) }
const dateTimeRange = { from: 0, to: Date.UTC(2106, 1, 7, 6, 28, 16) }
const dateTime64Range = { from: Date.UTC(1900, 0, 1), to: Date.UTC(2300, 0, 1) }

function toDate(value: unknown): string {
  const text = toText(value)
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw new TypeError('is not a date')
  checkInstant(Date.parse(`${text}T00:00:00Z`), text, dateRange)
  return text
}

/** A text is in the zone of the type, as the engine reads it; a `Date` needs a type in UTC. */
function toDateTime(
  value: unknown,
  digits: number,
  zone: string,
  range: { from: number; to: number },
): string {
  if (value instanceof Date && zone !== `'UTC'`)
    throw new TypeError('is an instant, but the type is not in UTC')
  const text = value instanceof Date ? toIsoText(value) : toText(value)
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?$/.exec(text)
  if (match === null) throw new TypeError('is not a date and time')
  const [, date = '', time = '', fraction = ''] = match
  // Digits beyond the type's would be cut, unless they are zeros.
  if (/[1-9]/.test(fraction.slice(digits))) throw new RangeError('is finer than the type')
  checkInstant(Date.parse(`${date}T${time}Z`), date, range)
  const shown = fraction.slice(0, digits)
  return shown === '' ? `${date} ${time}` : `${date} ${time}.${shown}`
}

function toIsoText(value: Date): string {
  if (Number.isNaN(value.getTime())) throw new TypeError('is not a date and time')
  return value.toISOString().slice(0, -1).replace('T', ' ')
}

/** 30 February is not a date, though `Date` takes it for 2 March. */
function checkInstant(instantMs: number, date: string, { from, to }: { from: number; to: number }): void {
  if (Number.isNaN(instantMs) || new Date(instantMs).toISOString().slice(0, 10) !== date) {
    throw new TypeError('does not exist')
  }
  if (instantMs < from || instantMs >= to) throw new RangeError('is out of range')
}

function toIdentifier(value: unknown): string {
  const text = toText(value)
  if (text === '' || text.includes('\0')) throw new TypeError('is not a name')
  return `\`${escape(text).replaceAll('`', '\\`')}\``
}

function quote(text: string): string {
  return `'${escape(text)}'`
}

const escapes: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** Only the backslash and the quote could end a string; the rest is so that statements can be read. */
function escape(text: string): string {
  return text.replace(/[\\'\0\b\f\n\r\t]/g, (char) => escapes[char] ?? char)
}
