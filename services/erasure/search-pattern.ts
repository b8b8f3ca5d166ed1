/** Finds the bodies that the scrubber may have to clean, by everything that it knows of a person. It decides; this may find more. */
import { minTextLength } from '../consumer/scrub/clean-text.ts'
import { toSpellings } from '../consumer/scrub/erased-people.ts'

/** So many letters of a name are searched for: the engine refuses a pattern of millions. */
const mostLetters = 100
/** A longer pattern, of somebody with thousands of names, would be refused: every body is looked at instead. */
const longestPattern = 1_000_000

/** A regular expression of the engine (RE2) for raw bodies. `texts`: names and e-mails. */
export function toSearchPattern(userId: string, texts: readonly string[]): string {
  const spellings = [
    ...new Set(texts.flatMap(toSpellings).map((text) => Array.from(text).slice(0, mostLetters).join(''))),
  ]
  const mentions = spellings.map((text) =>
    text.length < minTextLength ? `"\\s*${toPattern(text)}\\s*"` : toPattern(text),
  )
  const id = `"(?:id|user_?id)"\\s*:\\s*"?${toPattern(userId)}(?:\\.0*)?"?\\s*[,}]`
  const pattern = `(?i)${[id, ...mentions].join('|')}`
  return pattern.length > longestPattern ? '' : pattern
}

function toPattern(text: string): string {
  return Array.from(text, toLetterPattern).join('')
}

/** As it is, and as JSON may write it: `"` as \" or \u0022, `/` as \/, "ä" as \u00e4 or, at the begin of a name, \u00c4. */
function toLetterPattern(letter: string): string {
  if (plainLetter.test(letter)) return letter
  const forms = [letter, JSON.stringify(letter).slice(1, -1), `\\${letter}`]
  const escapes = [letter.toLowerCase(), letter.toUpperCase()].map(toEscapes)
  return `(?:${[...new Set([...forms, ...escapes])].map(toLiteral).join('|')})`
}

const plainLetter = /^[a-z0-9 ]$/i

function toEscapes(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

function toLiteral(text: string): string {
  return Array.from(text, (letter) => `\\x{${letter.codePointAt(0)?.toString(16)}}`).join('')
}
