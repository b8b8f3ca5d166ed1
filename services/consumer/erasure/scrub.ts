/**
 * Takes what identifies erased people out of a raw body, and leaves what numbers rest on: ids, whether they have left, teams
 * and managers. Bodies of families that are not known yet are treated alike, hence by what an object looks like.
 *
 * Every step is one pass without recursion: a body may nest half a million deep, or hold a hundred thousand names.
 */
import { maxTextLength, toEpochMs, wireId } from '../../../schemas/webhook/field.ts'
import { createCleaner, type Cleaner } from './clean-text.ts'
import { blank, type ErasedPeople } from './erased-people.ts'
import { eachContainer, hasRepeatedKeys, toPlainKey, type Container, type Json, type JsonObject } from './json-tree.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Under these names an object with an id is a person; elsewhere only if it has an e-mail: a team may have the same id. */
const personKey =
  /^(user|users|learners?|assignees?|managers?|directreports?|graders?|reviewers?|owners?|authors?|\w+by)$/
/** All that is kept of an erased person. */
const keptKey = /^(id|userid|isdeleted|ispermanentlydeleted|groups|teams|managers|directreports)$/
const namingKey = /name|email/
/** What an event is read by: never changed, whatever somebody is called. */
const fixedKey = /^(eventtype|status|id|userid|challengeid)$/
/** Names of fields look like this; a key that does not may be a name or an e-mail itself. */
const fieldName = /^\w*$/
/** The writer of JSON is recursive. What is nested deeper than this no number rests on; it goes when a body is rewritten. */
const maxDepth = 500

/** The very same bytes where nothing of theirs is in it. */
export function scrubBody(body: Uint8Array, erased: ErasedPeople): Uint8Array {
  let text: string
  let json: Json
  try {
    text = decoder.decode(body)
    json = JSON.parse(text) as Json
  } catch {
    return mentions(Buffer.from(body).toString(), erased) ? Buffer.from(blank) : body
  }
  // One tree, whatever the root is.
  const root: JsonObject = { root: json }
  const { isStripped, names, keys } = stripPeople(root, erased.ids)
  const isCleaned = cleanTexts(root, createCleaner([...erased.texts, ...names], erased))
  // Of a key that comes twice only the last can be looked at. The other may hold anything.
  if (!isStripped && !isCleaned && !hasRepeatedKeys(text, keys)) return body
  eachContainer(root, (container, _key, depth) => {
    if (depth < maxDepth) return
    if (Array.isArray(container)) container.length = 0
    else for (const own of Object.keys(container)) delete container[own]
  })
  return Buffer.from(JSON.stringify(root['root']))
}

/** Leaves of erased people what numbers rest on, and gives what they were called. */
function stripPeople(root: JsonObject, ids: ReadonlySet<string>) {
  const names = new Set<string>()
  let isStripped = false
  let keys = -1
  eachContainer(root, (container, key) => {
    if (Array.isArray(container)) return
    const fields = Object.keys(container)
    keys += fields.length
    const isPerson = personKey.test(key) || fields.some((own) => toPlainKey(own) === 'email')
    const id = isPerson ? toId(container) : undefined
    if (id === undefined || !ids.has(id)) return
    for (const own of fields) {
      const plain = toPlainKey(own)
      if (keptKey.test(plain)) continue
      const value = container[own]
      if (typeof value === 'string' && namingKey.test(plain) && value.length <= maxTextLength) names.add(value)
      delete container[own]
      isStripped = true
    }
  })
  return { isStripped, names, keys }
}

function cleanTexts(root: JsonObject, clean: Cleaner): boolean {
  let isChanged = false
  eachContainer(root, (container, key) => {
    for (const [own, value] of Object.entries(container as JsonObject)) {
      if (typeof value === 'string' && !fixedKey.test(Array.isArray(container) ? key : toPlainKey(own))) {
        const cleaned = clean(value)
        if (cleaned === value || (cleaned === undefined && toEpochMs(value) !== undefined)) continue
        replace(container, own, cleaned)
        isChanged = true
      }
    }
    if (Array.isArray(container)) return
    for (const own of Object.keys(container)) {
      const cleaned = fieldName.test(own) ? own : (clean(own) ?? blank)
      if (cleaned === own) continue
      const value = container[own] as Json
      delete container[own]
      container[cleaned] = value
      isChanged = true
    }
  })
  return isChanged
}

/** Absent says nothing; an item of a list keeps its place. */
function replace(container: Container, own: string, value: string | undefined): void {
  if (Array.isArray(container)) container[Number(own)] = value ?? null
  else if (value === undefined) delete container[own]
  else container[own] = value
}

function toId(object: JsonObject): string | undefined {
  for (const key of ['id', 'userId', 'user_id']) {
    const read = wireId.safeParse(object[key])
    if (read.success && read.data !== undefined) return read.data
  }
  return undefined
}

/** Of text that is not JSON nothing says where the person's data end, so one mention costs all of it. */
function mentions(text: string, erased: ErasedPeople): boolean {
  return createCleaner(erased.texts, erased)(text) !== text
}
