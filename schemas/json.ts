/**
 * JSON whose texts are well-formed. An escape can hold half of a surrogate pair, such as an emoji that was cut; no store takes
 * that. Each lone half becomes U+FFFD, in keys as well; in everything else these are `JSON.parse` and `JSON.stringify`.
 */

const surrogateEscape = /\\u[dD][89a-fA-F]/
/** Any escape, pairs as one, so that the backslash of one is never taken for the start of another. */
const escapes = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u([dD][89a-fA-F][0-9a-fA-F]{2})|[^])/g

/** From 2^53 on, which has 16 digits, a double does not hold every whole number. */
const longNumber = /\d{16}/

/** `text` is well-formed, like everything decoded from UTF-8. A number that is an id and that a double would round is its digits, as text. */
export function parseJson(text: string): unknown {
  const json = mendEscapes(text)
  if (!longNumber.test(json)) return JSON.parse(json)
  try {
    return JSON.parse(json, keepLongId)
  } catch (error) {
    // It nests too deeply to be gone through.
    if (!(error instanceof RangeError)) throw error
    return JSON.parse(json)
  }
}

function keepLongId(key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  const isRounded = typeof value === 'number' && /^-?\d{16,}$/.test(source) && String(value) !== source
  return isRounded && /id$/i.test(key) ? source : value
}

/** `JSON.stringify` writes lone halves as escapes. */
export function stringifyJson(value: unknown): string {
  return mendEscapes(JSON.stringify(value))
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mendEscapes(json: string): string {
  return surrogateEscape.test(json) ? json.replace(escapes, mendEscape) : json
}

function mendEscape(escape: string, lone: string | undefined): string {
  return lone === undefined ? escape : '\\ufffd'
}
