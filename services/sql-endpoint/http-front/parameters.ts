/**
 * Replaces `{name:Type}` by its value as a literal. A server binds values itself; chDB does too, but blocks other bound
 * statements meanwhile, and expects lists in another form than clients of a server send.
 */
import { StatementError } from './http-front.ts'

/**
 * Quoted text, quoted names and comments, in which nothing is a parameter; or a parameter. Unclosed ones reach to the
 * end:
 * a pattern that gave up there would restart at every quote, and a long statement of them would take hours.
 */
const pieces =
  /'(?:[^'\\]|\\(?:.|$)|'')*(?:'|$)|`(?:[^`\\]|\\(?:.|$)|``)*(?:`|$)|"(?:[^"\\]|\\(?:.|$)|"")*(?:"|$)|--[^\n]*|\/\*(?:.*?\*\/|.*$)|\{\s*(?<name>\w+)\s*:(?<type>[^{}]*)\}/gs

export function fillParameters(sql: string, params: Readonly<Record<string, string>>): string {
  return sql.replaceAll(pieces, (piece, ...groups) => {
    const { name, type } = groups.at(-1) as { name?: string; type?: string }
    if (name === undefined || type === undefined) return piece
    if (!Object.hasOwn(params, name)) {
      throw new StatementError('UNKNOWN_QUERY_PARAMETER', `Substitution \`${name}\` is not set`)
    }
    return toLiteral(params[name] ?? '', type.trim())
  })
}

function toLiteral(value: string, type: string): string {
  if (type === 'Identifier') return `\`${escape(unescape(value)).replaceAll('`', '\\`')}\``
  if (value === '\\N') return `CAST(NULL AS ${type})`
  // Lists hold quoted text, with escapes of its own.
  const text = /^(Array|Tuple|Map|Nested)\b/.test(type) ? value : unescape(value)
  return `CAST('${escape(text)}' AS ${type})`
}

/** Text as it is between quotes. */
export function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', 0: '\0' }

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, character: string) => escapes[character] ?? character)
}
