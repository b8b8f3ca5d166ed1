/**
 * JSON whose texts are well-formed. An escape can hold half of a surrogate pair, such as an emoji that was cut; no store takes
 * that. Each lone half becomes U+FFFD, in keys as well; in everything else these are `JSON.parse` and `JSON.stringify`.
 */

const surrogateEscape = /\\u[dD][89a-fA-F]/
/** Any escape, pairs as one, so that the backslash of one is never taken for the start of another. */
const escapes =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u([dD][89a-fA-F][0-9a-fA-F]{2})|[^])/g

/** From 2^53 on, which has 16 digits, a double does not hold every whole number. */
const longNumber = /\d{16}/
/** In a text the second quote would have a backslash before it, so this is a field. */
const longId = /("[\w-]*id"\s*:\s*)(-?[1-9]\d{15,})(?=\s*[,}])/gi

/** `text` is well-formed, like everything decoded from UTF-8. A number that is an id and that a double would round is its digits, as text. */
export function parseJson(text: string): unknown {
  const json = mendEscapes(text)
  return JSON.parse(longNumber.test(json) ? json.replace(longId, keepDigits) : json)
}

function keepDigits(field: string, begin: string, digits: string): string {
  return String(Number(digits)) === digits ? field : `${begin}"${digits}"`
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
