/** Before the first event: erases in this store whoever is erased, and is not in it, or not wholly. */
import type { ClickHouseClient } from '@clickhouse/client'
import { erasePerson } from './erase-person.ts'
import { keepErased, type Erased } from './erased-file.ts'
import { select } from './statements.ts'

/**
 * An older backup does not know everybody who was erased after it, a new store knows nobody, and a process may have ended in an
 * erasure. Runs while nothing else writes. On a large store a person takes seconds.
 */
export async function finishErasures(
  client: ClickHouseClient,
  dataDir: string,
  onPerson: () => void = () => {},
): Promise<void> {
  type Row = Omit<Erased, 'titles'> & { titles: [string, string][]; isFinished: number }
  const rows = await select<Row>(client, 'erasures')
  const stored = rows.map(({ userId, emailHashes, titles }) => ({
    userId,
    emailHashes,
    titles: Object.fromEntries(titles),
  }))
  const finished = new Set(rows.filter(({ isFinished }) => isFinished === 1).map(({ userId }) => userId))
  for (const person of keepErased(dataDir, stored)) {
    if (finished.has(person.userId)) continue
    onPerson()
    await erasePerson({ client, userId: person.userId, earlier: person, settle: () => Promise.resolve() })
  }
}
