/** Whose personal data must not be stored. Asked before every batch, so that an erasure holds for all that comes after it. */
import type { ClickHouseClient } from '@clickhouse/client'
import { hash } from 'node:crypto'
import { selectRows } from '../store/sql.ts'

export type ErasedPeople = {
  ids: ReadonlySet<string>
  /** Of their e-mails, as `hashText` makes them. */
  emailHashes: ReadonlySet<string>
  /** Titles and names of teams that held a name, by their hash, and what is left of them: they are sent again and again. */
  titles: ReadonlyMap<string, string>
  /** Names and e-mails themselves: known only while they are being erased. */
  texts: readonly string[]
}

/** What stands in the place of what was taken out. */
export const blank = '[erased]'

/** `undefined`: nobody, which is the usual case and costs nothing further. */
export async function readErasedPeople(client: ClickHouseClient): Promise<ErasedPeople | undefined> {
  const rows = await selectRows<{ userId: string; emailHashes: string[]; titles: [string, string][] }>(
    client,
    '../../erasure/sql/erased-people',
    {},
  )
  if (rows.length === 0) return undefined
  return {
    ids: new Set(rows.map(({ userId }) => userId)),
    emailHashes: new Set(rows.flatMap(({ emailHashes }) => emailHashes)),
    titles: new Map(rows.flatMap(({ titles }) => titles)),
    texts: [],
  }
}

/** Case and surrounding space do not make another e-mail, or another title. */
export function hashText(text: string): string {
  return hash('sha256', text.trim().toLowerCase(), 'hex')
}

/** How a name may be written: in lower case, accents as letters of their own or not, and the last word first. */
export function toSpellings(name: string): string[] {
  const text = name.trim().toLowerCase()
  if (text === '') return []
  const words = text.includes('@') ? [] : text.split(/\s+/)
  const last = words.pop()
  const first = words.join(' ')
  const orders = words.length === 0 ? [text] : [text, `${last} ${first}`, `${last}, ${first}`, `${first} ${last}`]
  return [...new Set(orders.flatMap((order) => [order, order.normalize('NFC'), order.normalize('NFD')]))]
}
