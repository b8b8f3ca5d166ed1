/** Folds every assignment and every person again from the stored rows: for tables of versions that are empty. */
import type { ClickHouseClient } from '@clickhouse/client'
import { execute, select } from '../statements.ts'
import { storeAssignments } from './store-assignments.ts'
import type { People } from './store-people.ts'

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

/** Takes attributes that are not allowed any more out of the stored rows of people, and folds these people again. */
export async function forgetAttributes(client: ClickHouseClient, people: People): Promise<void> {
  const allowed = { allowed: people.attributes }
  const users = await select<{ userId: string }>(client, 'people-with-other-attributes', allowed)
  if (users.length === 0) return
  await execute(client, 'forget-attributes-said', allowed)
  await execute(client, 'forget-attributes', allowed)
  await people.mend(users.map(({ userId }) => userId))
}
