/**
 * Titles of challenges and guides, names of teams and tokens, and words of orders that hold a person's name: it goes, the rest stays.
 * A title is noted by its hash, so that it stays clean when the platform sends it again.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { hash } from 'node:crypto'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { blank, hashText } from '../consumer/erased-people.ts'
import { createCleaner, toCleanFilters } from './clean-text.ts'
import { execute, select } from './statements.ts'

/** The rest of each title, by the title as it is. */
export type TitlesLeft = ReadonlyMap<string, string>

/** `texts`: names and emails of the person. */
export async function findTitles(client: ClickHouseClient, texts: readonly string[]): Promise<TitlesLeft> {
  // An order keeps the filters of its list as in an address.
  const clean = toCleanFilters(createCleaner(texts))
  const rows = await select<{ text: string }>(client, 'known-titles')
  return new Map(rows.map(({ text }) => [text, clean(text)] as const).filter(([text, left]) => text !== left))
}

/** How they are kept in `erasures`. */
export function toNoted(titles: TitlesLeft): Record<string, string> {
  return Object.fromEntries([...titles].map(([title, cleanTitle]) => [hashText(title), cleanTitle]))
}

export async function forgetTitles(client: ClickHouseClient, titles: TitlesLeft): Promise<void> {
  const hashes = [...titles.keys()].map((title) => hash('sha256', title, 'hex').toUpperCase())
  type NameRow = { kind: string; id: string; name: string; counts_from: number; last_seen: number }
  const named = await select<NameRow>(client, 'names-by-hash', { hashes })
  // The name is in the key: the clean one is another row.
  await insertRows(
    client,
    'names',
    named.map((row) => ({ ...row, name: titles.get(row.name) ?? blank })),
  )
  const params = { hashes, left: [...titles.values()] }
  await execute(client, 'forget-titles', { hashes })
  await execute(client, 'forget-guide-titles', params)
}
