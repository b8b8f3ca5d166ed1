/**
 * Takes what identifies erased people out of a raw body, and leaves what numbers rest on: ids, whether they have left, teams
 * and managers. Bodies of families that are not known yet are treated alike, hence by what an object looks like.
 */
import { wireId } from '../../../schemas/webhook/field.ts'
import { hashEmail, type ErasedPeople } from './erased-people.ts'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

const blank = '[erased]'
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Under these names an object with an id is a person; elsewhere only if it has an e-mail: a team may have the same id. */
const personKey =
  /^(user|users|learners?|assignees?|managers?|directreports?|graders?|reviewers?|owners?|authors?|\w+by)$/
/** All that is kept of an erased person. */
const keptKey = /^(id|userid|isdeleted|ispermanentlydeleted|groups|teams|managers|directreports)$/
const namingKey = /name|email/
/** What an event is read by: never changed, whatever somebody is called. */
const fixedKey = /^(eventtype|status|id|\w+id)$/
const email = /[^\s"'<>(),;:@]+@[^\s"'<>(),;:@]+/g
/** A shorter name would be found within other words. */
const minTextLength = 5

/** The very same bytes where nothing of theirs is in it. */
export function scrubBody(body: Uint8Array, erased: ErasedPeople): Uint8Array {
  let json: Json
  try {
    json = JSON.parse(decoder.decode(body)) as Json
  } catch {
    return mentions(Buffer.from(body).toString(), erased) ? Buffer.from(blank) : body
  }
  const texts = new Set(erased.texts.filter((text) => text.length >= minTextLength))
  let isChanged = false

  function strip(person: JsonObject): void {
    for (const [key, value] of Object.entries(person)) {
      const plain = toPlain(key)
      if (keptKey.test(plain)) continue
      if (typeof value === 'string' && namingKey.test(plain) && value.length >= minTextLength)
        texts.add(value.toLowerCase())
      delete person[key]
      isChanged = true
    }
  }

  function stripPeople(value: Json, key: string): void {
    if (Array.isArray(value)) for (const item of value) stripPeople(item, key)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const isPerson = personKey.test(key) || Object.keys(value).some((own) => toPlain(own) === 'email')
    const id = isPerson ? toId(value) : undefined
    if (id !== undefined && erased.ids.has(id)) strip(value)
    for (const [own, inner] of Object.entries(value)) stripPeople(inner, toPlain(own))
  }

  function cleanTexts(value: Json, key: string): Json {
    if (typeof value === 'string') {
      const clean = fixedKey.test(key) ? value : cleanText(value, texts, erased)
      isChanged ||= clean !== value
      return clean
    }
    if (Array.isArray(value)) return value.map((item) => cleanTexts(item, key))
    if (typeof value !== 'object' || value === null) return value
    for (const [own, inner] of Object.entries(value)) value[own] = cleanTexts(inner, toPlain(own))
    return value
  }

  stripPeople(json, '')
  json = cleanTexts(json, '')
  return isChanged ? Buffer.from(JSON.stringify(json)) : body
}

/** isDeleted and is_deleted are one. */
function toPlain(key: string): string {
  return key.replaceAll(/[_-]/g, '').toLowerCase()
}

function toId(object: JsonObject): string | undefined {
  for (const key of ['id', 'userId', 'user_id']) {
    const read = wireId.safeParse(object[key])
    if (read.success && read.data !== undefined) return read.data
  }
  return undefined
}

function cleanText(text: string, texts: ReadonlySet<string>, { emailHashes }: ErasedPeople): string {
  let clean = text.includes('@')
    ? text.replaceAll(email, (found) => (emailHashes.has(hashEmail(found)) ? blank : found))
    : text
  for (const known of texts) {
    clean = clean.replaceAll(new RegExp(known.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`), 'giu'), blank)
  }
  return clean
}

/** Of text that is not JSON nothing says where the person's data end, so one mention costs all of it. */
function mentions(text: string, { emailHashes, texts }: ErasedPeople): boolean {
  const lower = text.toLowerCase()
  if (texts.some((known) => known.length >= minTextLength && lower.includes(known))) return true
  return [...text.matchAll(email)].some(([found]) => emailHashes.has(hashEmail(found)))
}
