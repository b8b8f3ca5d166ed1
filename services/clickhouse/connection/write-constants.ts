/**
 * Writes the parameters of a statement into its text: `{name:Type}` becomes a constant of that type. chDB runs statements
 * that have parameters one at a time in the whole process, so a page and the consumer's look-ups would wait for one another.
 *
 * A value becomes the text that the engine reads for its type (`CAST('...' AS Type)`), quoted once. Nothing else of a value
 * gets into the statement. An integer that the type cannot hold is refused here: the engine would wrap it around in silence.
 */

/** A value that its type cannot hold, or a parameter without a value: an error of the caller. */
export class ConstantError extends Error {
  override readonly name = 'ConstantError'
  readonly code = 'BAD_CONSTANT'
}

/**
 * Strings, quoted names, comments and here-documents, in which nothing is a parameter; or a parameter. Unclosed ones reach to the
 * end: a pattern that gave up there would restart at every quote, and a long statement of them would take hours.
 */
const lexemes =
  /'(?:[^'\\]|\\(?:.|$)|'')*(?:'|$)|`(?:[^`\\]|\\(?:.|$)|``)*(?:`|$)|"(?:[^"\\]|\\(?:.|$)|"")*(?:"|$)|--[^\n]*|\/\*(?:.*?\*\/|.*$)|\$(\w*)\$.*?(?:\$\1\$|$)|\{\s*(?<name>\w+)\s*:(?<type>[^{}]*)\}/gs

/** The statement with this text in place of each `{name:Type}`. */
export function replaceParameters(sql: string, toText: (name: string, type: string) => string): string {
  return sql.replaceAll(lexemes, (lexeme: string, ...groups) => {
    const { name, type } = groups.at(-1) as { name?: string; type?: string }
    return name === undefined || type === undefined ? lexeme : toText(name, type.trim())
  })
}

/** The same statement without parameters. A value that the statement does not name is left out. */
export function writeConstants(sql: string, params: Readonly<Record<string, unknown>>): string {
  return replaceParameters(sql, (name, type) => {
    if (!Object.hasOwn(params, name)) throw new ConstantError(`The parameter ${name} has no value`)
    try {
      return toConstant(type, params[name])
    } catch (cause) {
      // Not the value itself: it may be about people.
      const message = `The value of parameter ${name} is not a ${type}: ${(cause as Error).message}`
      throw new ConstantError(message, { cause })
    }
  })
}

/** An expression of exactly this type. `Identifier`: a name, quoted. */
function toConstant(type: string, value: unknown): string {
  if (type === 'Identifier') return toIdentifier(toText(value))
  if (type === 'String') return quote(toText(value))
  const [, itemType] = /^Array\((\w+)\)$/.exec(type) ?? []
  if (itemType === undefined) return `CAST(${quote(toReadable(type, value))} AS ${type})`
  if (!Array.isArray(value)) throw new TypeError('is not a list')
  const items = value.map((item: unknown) => {
    if (!/Int/.test(itemType)) return quote(toReadable(itemType, item))
    // Over HTTP the client quotes a text within a list, and the server reads no number from that: the same here, or only servers fail.
    if (typeof item === 'string') throw new TypeError('is a text in a list of numbers')
    return toReadable(itemType, item)
  })
  return `CAST(${quote(`[${items.join(',')}]`)} AS ${type})`
}

/** Text as the engine reads it for a type. */
function toReadable(type: string, value: unknown): string {
  const [, unsigned, bits] = /^(U?)Int(8|16|32|64)$/.exec(type) ?? []
  if (bits !== undefined) return toInteger(value, BigInt(bits), unsigned === 'U')
  return toText(value instanceof Date ? value.toISOString().slice(0, -1).replace('T', ' ') : value)
}

function toText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('is not a text')
  // Half of a surrogate pair has no bytes in UTF-8.
  return value.toWellFormed()
}

function toInteger(value: unknown, bits: bigint, isUnsigned: boolean): string {
  const isWhole =
    typeof value === 'bigint' || Number.isSafeInteger(value) || /^-?\d{1,20}$/.test(toText(value))
  if (!isWhole) throw new TypeError('is not a whole number')
  const number = BigInt(value as bigint | number | string)
  if ((isUnsigned ? BigInt.asUintN : BigInt.asIntN)(Number(bits), number) !== number)
    throw new RangeError('is out of range')
  return number.toString()
}

function toIdentifier(text: string): string {
  if (text === '' || text.includes('\0')) throw new TypeError('is not a name')
  return `\`${escape(text).replaceAll('`', '\\`')}\``
}

const quote = (text: string): string => `'${escape(text)}'`

/** Text as it is between quotes. */
export function escape(text: string): string {
  return text.replace(/[\\'\0]/g, (char) => (char === '\0' ? '\\0' : `\\${char}`))
}
