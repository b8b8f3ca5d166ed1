/** Where people sign in by passwords, somebody must give the first owner one: the start says so as long as nobody has. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Config } from '../config/config.ts'
import { toLogin } from '../config/values/roles.ts'
import { createAccessStore } from './access-store.ts'

export const missingOwner =
  'No owner has a password yet, so nobody can sign in. Run: npx rollcall user add <e-mail> --role owner'

export async function isOwnerMissing(
  { dashboardAuth, dashboardOwners }: Pick<Config, 'dashboardAuth' | 'dashboardOwners'>,
  client: ClickHouseClient,
): Promise<boolean> {
  if (dashboardAuth !== 'password') return false
  const owners = new Set((dashboardOwners ?? []).map(toLogin))
  const people = await createAccessStore({ reader: client, writer: client }).readPeople()
  return !people.some(({ login, role, password }) => password !== '' && (role === 'owner' || owners.has(login)))
}
