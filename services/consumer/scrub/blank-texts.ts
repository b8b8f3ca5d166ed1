/** Finds any number of names in a text in one pass (Aho-Corasick). */
import { blank } from './erased-people.ts'

type Node = { next: Map<string, Node>; fallback: Node | undefined; longest: number }

/** Returns a function that replaces every one of `texts`, in any case, wherever it is part of a text. */
export function createBlanker(texts: Iterable<string>): (text: string) => string {
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
