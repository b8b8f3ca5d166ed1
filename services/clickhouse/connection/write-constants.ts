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
function toConstant(type: string, value: unknown): string {
  if (type === 'Identifier') return toIdentifier(value)
  if (type === 'String') return quote(toText(value))
  const [, itemType] = /^Array\((\w+)\)$/.exec(type) ?? []
  if (itemType === undefined) return `CAST(${quote(toReadable(type, value))} AS ${type})`
  if (!Array.isArray(value)) throw new TypeError('is not a list')
  const items = value.map((item: unknown) => {
    // Over HTTP the client quotes a text within a list, and the server reads no number from that: the same here, or only servers fail.
    if (/Int/.test(itemType) && typeof item === 'string')
      throw new TypeError('is a text in a list of numbers')
    const text = toReadable(itemType, item)
    return /Int/.test(itemType) ? text : quote(text)
  })
  return `CAST(${quote(`[${items.join(',')}]`)} AS ${type})`
}

/** Text as the engine reads it for a type. */
function toReadable(type: string, value: unknown): string {
  if (type === 'String') return toText(value)
  if (type === 'UUID') return toUuid(value)
  if (type === "DateTime64(3, 'UTC')") return toDateTime(value)
  return toInteger(type, value)
}

function toText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('is not a text')
  // Half of a surrogate pair has no bytes in UTF-8.
  return value.toWellFormed()
}

function toInteger(type: string, value: unknown): string {
  const bits = /^U?Int(8|16|32|64)$/.exec(type)?.[1]
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
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value)
  throw new TypeError('is not a whole number')
}

function toUuid(value: unknown): string {
  const text = toText(value)
  if (!/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text))
    throw new TypeError('is not a UUID')
  return text.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Epoch ms; the end is exclusive. */
const instants = { from: Date.UTC(1900, 0, 1), to: Date.UTC(2300, 0, 1) }

function toDateTime(value: unknown): string {
  const text = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : toText(value)
  const [, date, time = ''] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)Z?$/.exec(text) ?? []
  const ms = Date.parse(`${date}T${time}Z`)
  // 30 February is not a date, though `Date` takes it for 2 March.
  if (date === undefined || Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date)
    throw new TypeError('is not a date and time')
  if (ms < instants.from || ms >= instants.to) throw new RangeError('is out of range')
  return `${date} ${time}`
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
