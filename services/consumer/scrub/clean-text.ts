/** Takes the names and e-mails of erased people out of single texts. */
import { maxTextLength } from '../../../schemas/webhook/field.ts'
import { blank, type ErasedPeople, hashText, toSpellings } from './erased-people.ts'

const emailLetters = /[^\s"'<>(),;:]+/g
/** Characters that a sentence may add to an e-mail. */
const punctuation = '.!?*_-[]{}'
/** A shorter name would be found within other words: it goes only where it is the whole text. */
export const minTextLength = 5
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

// Finds any number of names in a text in one pass (Aho-Corasick).

type Node = { next: Map<string, Node>; fallback: Node | undefined; longest: number }

/** Returns a function that replaces every one of `texts`, in any case, wherever it is part of a text. */
function createBlanker(texts: Iterable<string>): (text: string) => string {
  const root = toAutomaton(texts)
  if (root.next.size === 0) return (text) => text
  return (text) => {
    const folded = foldCase(text)
    let node = root
    let clean = ''
    let cleanThrough = 0
    let match: { start: number; end: number } | undefined
    for (let index = 0; index < folded.length; index++) {
      node = step(root, node, folded[index] as string)
      if (node.longest === 0) continue
      const start = index + 1 - node.longest
      if (match !== undefined && start > match.end) {
        clean += text.slice(cleanThrough, match.start) + blank
        cleanThrough = match.end
        match = undefined
      }
      // Overlapping or touching names are replaced as one.
      match = { start: Math.max(cleanThrough, Math.min(start, match?.start ?? start)), end: index + 1 }
    }
    if (match === undefined && cleanThrough === 0) return text
    if (match !== undefined) {
      clean += text.slice(cleanThrough, match.start) + blank
      cleanThrough = match.end
    }
    return clean + text.slice(cleanThrough)
  }
}

function toAutomaton(texts: Iterable<string>): Node {
  const root: Node = { next: new Map(), fallback: undefined, longest: 0 }
  for (const text of texts) {
    let node = root
    for (const unit of foldCase(text).split('')) {
      let next = node.next.get(unit)
      if (next === undefined) node.next.set(unit, (next = { next: new Map(), fallback: root, longest: 0 }))
      node = next
    }
    node.longest = text.length
  }
  const queue = [...root.next.values()]
  for (const node of queue) {
    for (const [unit, next] of node.next) {
      next.fallback = step(root, node.fallback ?? root, unit)
      next.longest ||= next.fallback.longest
      queue.push(next)
    }
  }
  return root
}

function step(root: Node, from: Node, unit: string): Node {
  for (let node: Node | undefined = from; node !== undefined; node = node.fallback) {
    const next = node.next.get(unit)
    if (next !== undefined) return next
  }
  return root
}

/** In lower case, letter by letter where a lower-case letter is longer, so that positions match the text. */
function foldCase(text: string): string {
  const folded = text.toLowerCase()
  if (folded.length === text.length) return folded
  return text
    .split('')
    .map((unit) => (unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit))
    .join('')
}
