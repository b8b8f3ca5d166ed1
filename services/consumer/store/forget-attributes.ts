/** Takes attributes that are not allowed any more out of the stored rows of people, and folds these people again. */
import type { ClickHouseClient } from '@clickhouse/client'
import { execute, select } from '../statements.ts'
import type { People } from './store-people.ts'

export async function forgetAttributes(client: ClickHouseClient, people: People): Promise<void> {
  const allowed = { allowed: people.attributes }
  const users = await select<{ userId: string }>(client, 'people-with-other-attributes', allowed)
  if (users.length === 0) return
  await execute(client, 'forget-attributes-said', allowed)
  await execute(client, 'forget-attributes', allowed)
  await people.mend(users.map(({ userId }) => userId))
}
