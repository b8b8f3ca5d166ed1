/**
 * Replaces `{name:Type}` by its value as a literal. A server binds values itself; chDB does too, but expects lists in another form
 * than clients of a server send.
 */
import { escape, replaceParameters } from '../../clickhouse/connection/write-constants.ts'
import { StatementError } from './http-front.ts'

export function fillParameters(sql: string, params: Readonly<Record<string, string>>): string {
  return replaceParameters(sql, (name, type) => {
    if (!Object.hasOwn(params, name))
      throw new StatementError('UNKNOWN_QUERY_PARAMETER', `Substitution \`${name}\` is not set`)
    return toLiteral(params[name] ?? '', type)
  })
}

function toLiteral(value: string, type: string): string {
  if (type === 'Identifier') return `\`${escape(unescape(value)).replaceAll('`', '\\`')}\``
  if (value === '\\N') return `CAST(NULL AS ${type})`
  // Lists hold quoted text, with escapes of its own.
  const text = /^(Array|Tuple|Map|Nested)\b/.test(type) ? value : unescape(value)
  return `CAST('${escape(text)}' AS ${type})`
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', 0: '\0' }

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, character: string) => escapes[character] ?? character)
}
