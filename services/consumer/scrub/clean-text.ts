/** Takes the names and e-mails of erased people out of single texts. */
import { maxTextLength } from '../../../schemas/webhook/field.ts'
import { createBlanker } from './blank-texts.ts'
import { blank, hashText, toSpellings, type ErasedPeople } from './erased-people.ts'

const emailLetters = /[^\s"'<>(),;:]+/g
/** Characters that a sentence may add to an e-mail. */
const punctuation = '.!?*_-[]{}'
/** A shorter name would be found within other words: it goes only where it is the whole text. */
const minTextLength = 5
/** Longer than any e-mail may be (RFC 5321: 64 and 255). */
const maxEmailLength = 320

/** No honest body comes near these: they bound what one costs. Beyond them every text goes that may name anybody. */
const maxHashes = 10_000
const maxNameLetters = 65_536

/** Cleans a text; `undefined`: it must go as a whole. */
export type Cleaner = (text: string) => string | undefined

/** The rest of a title that held a name when a person was erased. */
export function toCleanTitle(title: string, titles: ErasedPeople['titles']): string {
  let text = title
  for (;;) {
    const cleaned = titles.get(hashText(text))
    // One that named two people was cleaned twice.
    if (cleaned === undefined || cleaned === text) return text
    text = cleaned
  }
}

export function createCleaner(names: readonly string[], { emailHashes, titles }: ErasedPeople): Cleaner {
  const spellings = [...new Set(names.flatMap(toSpellings))]
  const whole = new Set(spellings)
  const long = spellings.filter((name) => name.length >= minTextLength)
  let hashesLeft = long.reduce((letters, name) => letters + name.length, 0) > maxNameLetters ? 0 : maxHashes
  const blankNames = createBlanker(hashesLeft > 0 ? long : [])

  return (sent) => {
    let text = sent
    if (titles.size > 0 && text.length <= maxTextLength && hashesLeft-- > 0) text = toCleanTitle(text, titles)
    if (text.length <= maxTextLength) {
      if (whole.has(text.trim().toLowerCase())) return blank
    }
    let clean = ''
    let cleanThrough = 0
    if (emailHashes.size > 0) {
      for (const { start, end } of findEmails(text)) {
        if (hashesLeft-- <= 0) break
        if (start < cleanThrough) continue
        if (!emailHashes.has(hashText(text.slice(start, end)))) continue
        clean += text.slice(cleanThrough, start) + blank
        cleanThrough = end
      }
    }
    if (hashesLeft <= 0) return undefined
    return blankNames(clean + text.slice(cleanThrough))
  }
}

function* findEmails(text: string): Generator<{ start: number; end: number }> {
  if (!text.includes('@')) return
  for (const { 0: letters, index } of text.matchAll(emailLetters)) {
    let at = letters.indexOf('@')
    let start = 0
    while (at !== -1) {
      const next = letters.indexOf('@', at + 1)
      let end = next === -1 ? letters.length : next
      while (end > at && punctuation.includes(letters[end - 1] as string)) end--
      while (start < at && punctuation.includes(letters[start] as string)) start++
      if (start < at && end > at + 1 && end - start <= maxEmailLength) yield { start: index + start, end: index + end }
      start = at + 1
      at = next
    }
  }
}
