/** Text of another program without its data: only words from a list stay, everything else becomes `…`. */

const maxWords = 60
const units = new Set('b kib mib gib tib mb gb bytes ms s sec seconds rows threads parts'.split(' '))
const places = new Set('row line position col column code maximum limit than version'.split(' '))

/**
 * A list of allowed words, because quotes do not reliably mark data: `Value Ann Berg cannot be parsed` has none. `known`
 * is in lower case. Numbers stay where they are a size or a place.
 */
export function keepKnownWords(text: string, vocabulary: ReadonlySet<string>): string {
  const tokens = text.slice(0, 4_000).match(/\p{L}[\p{L}\p{M}\p{N}]*|\d[\d.]*\d|\d|\S/gu) ?? []
  const words: string[] = []
  for (const [at, token] of tokens.entries()) {
    if (words.length >= maxWords) break
    const before = tokens[at - 1]
    const after = tokens[at + 1]
    const last = words.at(-1)
    if (isKnown(token, before, after, vocabulary)) words.push(token)
    else if (/^[.,:;]$/.test(token) && last !== undefined && /[^….,:;]$/.test(last))
      words[words.length - 1] = last + token
    else if (/^[^.,:;()]/.test(token) && last !== '…') words.push('…')
  }
  return words.join(' ').replace(/[,:;.]$/, '')
}

function isKnown(token: string, before = '', after = '', vocabulary: ReadonlySet<string>): boolean {
  if (/^\d/.test(token)) return units.has(after.toLowerCase()) || places.has(before.toLowerCase())
  // Not a piece of an address, a path or a name with underscores.
  return vocabulary.has(token.toLowerCase()) && !/^[@_\\/\-`]$/.test(before) && !/^[@_\\/\-`]$/.test(after)
}
