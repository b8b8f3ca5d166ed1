/** Folds every assignment and every person again from the stored rows: for tables of versions that are empty. */
import type { ClickHouseClient } from '@clickhouse/client'
import { storeAssignments } from './store-assignments.ts'
import type { People } from './store-people.ts'
import { select } from '../statements.ts'

export async function refoldAll(
  client: ClickHouseClient,
  people: People,
  onShare: (done: number, total: number) => void,
): Promise<void> {
  // No statement, and no list, holds all keys of a large store.
  const [{ shares } = { shares: 1 }] = await select<{ shares: number }>(client, 'count-shares')
  for (let share = 0; share < shares; share++) {
    onShare(share, shares)
    const keys = await select<{ akey: string }>(client, 'all-assignments', { shares, share })
    await storeAssignments(client, new Map(keys.map(({ akey }) => [akey, 0])), () => Promise.resolve())
    const users = await select<{ userId: string }>(client, 'all-people', { shares, share })
    await people.mend(users.map(({ userId }) => userId))
  }
}
