/**
 * Removes what identifies erased people from a raw body, and keeps what numbers need: ids, the leaver flags, teams and
 * managers. Unknown event families are treated alike, so the form of an object decides.
 * Every step is one pass without recursion: a body may nest half a million levels, or hold a hundred thousand names.
 */
import { parseJson } from '../../../schemas/json.ts'
import { maxTextLength, toEpochMs, toId } from '../../../schemas/webhook/field.ts'
import { createCleaner, type Cleaner } from './clean-text.ts'
import { blank, type ErasedPeople } from './erased-people.ts'
import { eachContainer, hasRepeatedKeys, toPlainKey, type Container, type Json, type JsonObject } from './json-tree.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Under these names an object with an id is a person; elsewhere only with an e-mail, since a team may have the same id.
 */
const personKey =
  /^(user|users|learners?|assignees?|managers?|directreports?|graders?|reviewers?|owners?|authors?|\w+by)$/
/** All that is kept of an erased person. */
const keptKey = /^(id|userid|isdeleted|ispermanentlydeleted|groups|teams|managers|directreports)$/
const namingKey = /name|email/
const emailKey = /^[_-]*e[_-]*m[_-]*a[_-]*i[_-]*l[_-]*$/i
/** The fields that identify an event: never changed, whatever a person is called. */
const fixedKey = /^(eventtype|status|id|userid|challengeid)$/
/** The form of field names; a key of another form may be a name or an e-mail itself. */
const fieldName = /^\w*$/
/**
 * JSON.stringify is recursive. No number needs anything nested deeper than this; it is dropped when a body is rewritten.
 */
const maxDepth = 500

/** The same bytes where nothing of theirs is in it. */
export function scrubBody(body: Uint8Array, erased: ErasedPeople): Uint8Array {
  return scrub(body, erased).body
}

/** `json`: the parsed body, where it is still the same, so that nobody has to parse it again. */
export function scrub(body: Uint8Array, erased: ErasedPeople): { body: Uint8Array; json?: unknown } {
  let text: string
  let json: Json
  try {
    text = decoder.decode(body)
    json = parseJson(text) as Json
  } catch {
    return { body: mentions(Buffer.from(body).toString(), erased) ? Buffer.from(blank) : body }
  }
  // One tree, whatever the root is.
  const root: JsonObject = { root: json }
  const { isStripped, names, keys, texts } = stripPeople(root, erased.ids)
  const isCleaned = cleanTexts(texts, createCleaner([...erased.texts, ...names], erased))
  // Only the last value of a repeated key can be checked. The other may hold anything.
  if (!isStripped && !isCleaned && !hasRepeatedKeys(text, keys)) return { body, json }
  eachContainer(root, (container, _key, depth) => {
    if (depth < maxDepth) return
    if (Array.isArray(container)) container.length = 0
    else for (const field of Object.keys(container)) delete container[field]
  })
  return { body: Buffer.from(JSON.stringify(root['root'])) }
}

/** A container with text in it, in a value or as a key. */
type WithTexts = { container: Container; key: string; fields: readonly string[] }

/** Keeps of erased people what numbers need, and returns their names, and where else there is text. */
function stripPeople(root: JsonObject, ids: ReadonlySet<string>) {
  const names = new Set<string>()
  const texts: WithTexts[] = []
  let isStripped = false
  let keys = -1
  eachContainer(root, (container, key, _depth, fields) => {
    if (Array.isArray(container)) {
      if (container.some((item) => typeof item === 'string')) texts.push({ container, key, fields })
      return
    }
    keys += fields.length
    let isPerson = personKey.test(key)
    let hasTexts = false
    for (const field of fields) {
      isPerson ||= field.length < 10 && emailKey.test(field)
      hasTexts ||= typeof container[field] === 'string' || !fieldName.test(field)
    }
    if (hasTexts) texts.push({ container, key, fields })
    const id = isPerson ? findId(container) : undefined
    if (id === undefined || !ids.has(id)) return
    for (const field of fields) {
      const plain = toPlainKey(field)
      if (keptKey.test(plain)) continue
      const value = container[field]
      if (typeof value === 'string' && namingKey.test(plain) && value.length <= maxTextLength) names.add(value)
      delete container[field]
      isStripped = true
    }
  })
  return { isStripped, names, keys, texts }
}

function cleanTexts(texts: readonly WithTexts[], clean: Cleaner): boolean {
  let isChanged = false

  /** `undefined`: it must go as a whole. */
  function cleanValue(value: string, key: string): string | undefined {
    if (fixedKey.test(key)) return value
    const cleaned = clean(value)
    if (cleaned === value || (cleaned === undefined && toEpochMs(value) !== undefined)) return value
    isChanged = true
    return cleaned
  }

  function cleanKeys(object: JsonObject, odd: readonly string[]): void {
    for (const field of odd) {
      if (!Object.hasOwn(object, field)) continue
      const cleaned = clean(field) ?? blank
      if (cleaned === field) continue
      const value = object[field] as Json
      delete object[field]
      object[cleaned] = value
      isChanged = true
    }
  }

  for (const { container, key, fields } of texts) {
    if (Array.isArray(container)) {
      container.forEach((value, index) => {
        // An item keeps its place.
        if (typeof value === 'string') container[index] = cleanValue(value, key) ?? null
      })
      continue
    }
    const odd: string[] = []
    for (const field of fields) {
      const value = container[field]
      if (!fieldName.test(field)) odd.push(field)
      if (typeof value !== 'string') continue
      const cleaned = cleanValue(value, toPlainKey(field))
      if (cleaned === undefined) delete container[field]
      else if (cleaned !== value) container[field] = cleaned
    }
    if (odd.length > 0) cleanKeys(container, odd)
  }
  return isChanged
}

function findId({ id, userId, user_id }: JsonObject): string | undefined {
  return toId(id) || toId(userId) || toId(user_id)
}

/** In text that is not JSON nothing marks where personal data ends, so one mention removes all of it. */
function mentions(text: string, erased: ErasedPeople): boolean {
  return createCleaner(erased.texts, erased)(text) !== text
}
