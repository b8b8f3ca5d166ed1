/** Walks parsed JSON of any depth. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }
export type Container = Json[] | JsonObject

/**
 * Every object and list, outer ones first. `key` is its name in lower case without separators; items of a list use the
 * list's name.
 */
export function eachContainer(root: Container, use: (container: Container, key: string, depth: number) => void): void {
  const open = [{ container: root, key: '', depth: 0 }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { container, key, depth } = place
    use(container, key, depth)
    if (Array.isArray(container)) {
      for (const inner of container) if (isContainer(inner)) open.push({ container: inner, key, depth: depth + 1 })
      continue
    }
    // Not by Object.entries: a body may hold a third of a million objects, and each would cost a list.
    for (const own in container) {
      const inner = container[own] as Json
      if (isContainer(inner)) open.push({ container: inner, key: toPlainKey(own), depth: depth + 1 })
    }
  }
}

/** isDeleted and is_deleted are the same. */
export function toPlainKey(key: string): string {
  return key.replaceAll(/[_-]/g, '').toLowerCase()
}

/** Whether the text has more keys than its parsed objects. */
export function hasRepeatedKeys(text: string, keys: number): boolean {
  let colons = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const letter = text.charCodeAt(index)
    if (isInString && letter === 0x5c) index++
    else if (letter === 0x22) isInString = !isInString
    else if (!isInString && letter === 0x3a) colons++
  }
  return colons > keys
}

function isContainer(value: Json): value is Container {
  return typeof value === 'object' && value !== null
}
