/** Walks parsed JSON of any depth. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }
export type Container = Json[] | JsonObject

/**
 * Every object and list, outer ones first, without empty items of lists. `key` is its name in lower case without separators; items
 * of a list use the list's name. `fields` are the names of an object's, listed once: an object of ninety thousand takes the engine
 * milliseconds each time. A body may hold a third of a million containers, so none costs an allocation beside that.
 */
export function eachContainer(
  root: Container,
  use: (container: Container, key: string, depth: number, fields: readonly string[]) => void,
): void {
  const containers: Container[] = [root]
  const keys = ['']
  const depths = [0]
  for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
    const key = keys.pop() as string
    const depth = depths.pop() as number
    const fields = Array.isArray(container) ? none : Object.keys(container)
    use(container, key, depth, fields)
    if (Array.isArray(container)) {
      for (const inner of container) if (isContainer(inner) && !isEmpty(inner)) open(inner, key, depth + 1)
      continue
    }
    for (const field of fields) {
      const inner = container[field] as Json
      if (isContainer(inner)) open(inner, toPlainKey(field), depth + 1)
    }
  }

  function open(container: Container, key: string, depth: number): void {
    containers.push(container)
    keys.push(key)
    depths.push(depth)
  }
}

const none: readonly string[] = []

/** isDeleted and is_deleted are the same. */
export function toPlainKey(key: string): string {
  return plainKey.test(key) ? key : key.replaceAll(/[_-]/g, '').toLowerCase()
}

const plainKey = /^[a-z]*$/

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

function isEmpty(container: Container): boolean {
  if (Array.isArray(container)) return container.length === 0
  for (const field in container) return field === undefined
  return true
}
