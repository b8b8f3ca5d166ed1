/**
 * Erased people: their ids, and hashes of their emails and of titles that held their name. Read before every batch, so an
 * erasure applies to everything that is stored after it.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { hash } from 'node:crypto'
import { parseJson } from '../../schemas/json.ts'
import { toId } from '../../schemas/webhook/field.ts'
import { select } from './statements.ts'

export type ErasedPeople = {
  ids: ReadonlySet<string>
  emailHashes: ReadonlySet<string>
  /** Titles and team names that held a name: by the hash of each, its text without the name. */
  titles: ReadonlyMap<string, string>
}

export const blank = '[erased]'
/** Replaces the body of a failed event that named an erased person. The body of an event is not stored at all. */
export const erasedBody: Uint8Array = Buffer.from(blank)
/** The problem of such a failed event: the original one may quote the body. */
export const erasedProblem = 'The body named an erased person and was deleted.'

/** `undefined` if no one is erased: the usual case, which costs nothing. */
export async function readErasedPeople(client: ClickHouseClient): Promise<ErasedPeople | undefined> {
  const rows = await select<{ userId: string; emailHashes: string[]; titles: [string, string][] }>(
    client,
    'erased-people',
  )
  if (rows.length === 0) return undefined
  return {
    ids: new Set(rows.map(({ userId }) => userId)),
    emailHashes: new Set(rows.flatMap(({ emailHashes }) => emailHashes)),
    titles: new Map(rows.flatMap(({ titles }) => titles)),
  }
}

/** Case and surrounding space make no difference. */
export function hashText(text: string): string {
  return hash('sha256', text.trim().toLowerCase(), 'hex')
}

/** A title without the names of erased people. A title that named two people was cleaned twice. */
export function toCleanTitle(title: string, titles: ErasedPeople['titles']): string {
  for (let text = title; ;) {
    const cleaned = titles.size === 0 ? undefined : titles.get(hashText(text))
    if (cleaned === undefined || cleaned === text) return text
    text = cleaned
  }
}

type Personal = { name?: unknown; email?: string | undefined; attributes?: unknown }

/** An observation as it may be stored: without what identifies an erased person. Ids, teams and managers stay. */
export function withoutErased<Observation extends Personal & { userId: string }>(
  observation: Observation,
  erased: ErasedPeople | undefined,
): Observation {
  if (erased === undefined) return observation
  const { userId, email } = observation
  if (erased.ids.has(userId))
    return { ...observation, name: undefined, email: undefined, attributes: undefined }
  const isTheirEmail = email !== undefined && erased.emailHashes.has(hashText(email))
  return isTheirEmail ? { ...observation, email: undefined } : observation
}

const decoder = new TextDecoder()
const escape = /\\(?:u([0-9a-f]{4})|(.))/gi
const separators = /[\s"<>(),;:]+/
/** Characters that a sentence may add to an email. */
const around = /^['.!?*_\-[\]{}]+|['.!?*_\-[\]{}]+$/g
/** RFC 5321 (64 and 255), and what a sentence adds. */
const maxEmailLength = 340
/** In text that is not JSON, such as a body that was cut off. */
const idInText = /"(?:id|user_?id)"\s*:\s*"?([^",}\s]+)/gi

/** Whether a body names an erased person: by id where the specification has a person, or by email anywhere. */
export function namesErased(body: Uint8Array, { ids, emailHashes }: ErasedPeople): boolean {
  const text = decoder.decode(body)
  if (emailHashes.size > 0 && [...findEmails(text)].some((found) => emailHashes.has(hashText(found))))
    return true
  let json: unknown
  try {
    json = parseJson(text)
  } catch {
    return [...text.matchAll(idInText)].some(([, id = '']) => ids.has(id))
  }
  return toPeople(json).some((id) => ids.has(id))
}

function findEmails(text: string): Set<string> {
  const plain = text.replaceAll(escape, (_, code?: string, letter = '') =>
    code !== undefined ? String.fromCharCode(parseInt(code, 16)) : 'nrtbf'.includes(letter) ? ' ' : letter,
  )
  const words = plain.split(separators).filter((word) => word.includes('@') && word.length <= maxEmailLength)
  return new Set(words.flatMap((word) => [word, word.replaceAll(around, '')]))
}

type WirePerson = { id?: unknown; managers?: unknown; directReports?: unknown }

/** The ids of the person of an event, and of that person's managers and direct reports. */
function toPeople(json: unknown): string[] {
  const user = (json as { user?: WirePerson | null } | null)?.user
  if (typeof user !== 'object' || user === null) return []
  const lists = [user.managers, user.directReports].filter(Array.isArray) as (WirePerson | null)[][]
  return [user, ...lists.flat()].flatMap((person) => toId(person?.id) || [])
}
