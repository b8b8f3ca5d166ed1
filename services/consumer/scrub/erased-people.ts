/**
 * People whose personal data must not be stored. Read before every batch, so an erasure applies to everything after it.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { hash } from 'node:crypto'
import { select } from '../statements.ts'

export type ErasedPeople = {
  ids: ReadonlySet<string>
  emailHashes: ReadonlySet<string>
  /** Titles and names of teams that held a name, by their hash, and the rest of each: they are sent again and again. */
  titles: ReadonlyMap<string, string>
  /** Plain names and e-mails: known only during the erasure. */
  texts: readonly string[]
}

export const blank = '[erased]'

/** `undefined`: nobody is erased; the usual case, which costs nothing. */
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
    texts: [],
  }
}

/** Case and surrounding space make no difference. */
export function hashText(text: string): string {
  return hash('sha256', text.trim().toLowerCase(), 'hex')
}

/** The ways a name may be written: lower case, composed or decomposed accents, last word first. */
export function toSpellings(name: string): string[] {
  const text = name.trim().toLowerCase()
  if (text === '') return []
  const words = text.includes('@') ? [] : text.split(/\s+/)
  const last = words.pop()
  const first = words.join(' ')
  const orders = words.length === 0 ? [text] : [text, `${last} ${first}`, `${last}, ${first}`, `${first} ${last}`]
  return [...new Set(orders.flatMap((order) => [order, order.normalize('NFC'), order.normalize('NFD')]))]
}
