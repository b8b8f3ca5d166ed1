/** Removes a person's names and emails from single texts. */
import { isDeepStrictEqual } from 'node:util'
import { blank } from '../consumer/erased-people.ts'

/** A shorter name would be found within other words: it is removed only where it is the whole text. */
export const minTextLength = 5

/** Returns a function that replaces each of `texts`, in every spelling. */
export function createCleaner(texts: readonly string[]): (text: string) => string {
  const spellings = [...new Set(texts.flatMap(toSpellings))]
  const whole = new Set(spellings)
  const long = spellings.filter((text) => text.length >= minTextLength).sort((a, b) => b.length - a.length)
  // Touching names are replaced as one.
  const pattern = new RegExp(`(?:${long.map(toLiteral).join('|')})+`, 'giu')
  return (text) => {
    if (whole.has(text.trim().toLowerCase())) return blank
    return long.length === 0 ? text : text.replaceAll(pattern, blank)
  }
}

/** Cleans the filters of an address too: "q=Ada+Moreno". */
export function toCleanFilters(clean: (text: string) => string): (text: string) => string {
  return (original) => {
    const text = clean(original)
    const filters = [...new URLSearchParams(text)]
    const cleanFilters = filters.map(([name, value]): [string, string] => [clean(name), clean(value)])
    return isDeepStrictEqual(filters, cleanFilters) ? text : new URLSearchParams(cleanFilters).toString()
  }
}

const toLiteral = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** How a name may be written: lower case, composed or decomposed accents, last word first. */
export function toSpellings(name: string): string[] {
  const text = name.trim().toLowerCase()
  if (text === '') return []
  const words = text.includes('@') ? [] : text.split(/\s+/)
  const last = words.pop()
  const first = words.join(' ')
  const orders =
    words.length === 0 ? [text] : [text, `${last} ${first}`, `${last}, ${first}`, `${first} ${last}`]
  return [...new Set(orders.flatMap((order) => [order, order.normalize('NFC'), order.normalize('NFD')]))]
}
