/** Pulled users as observations. Absent says nothing, null clears; as in `toObservation` of events. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { PlatformUser } from '../../../schemas/platform.ts'
import { toSaid } from '../../consumer/rows.ts'
import { storeWhatCanBe } from '../../consumer/set-aside/store-in-parts.ts'
import type { People } from '../../consumer/store/store-people.ts'
import { type PulledPerson, storePulledPeople } from '../../consumer/store/store-pulled-people.ts'
import type { ListedUser } from '../../platform/platform-client.ts'

/** Stores one page of users. Returns how many the store refuses. */
export function storeUsers(
  client: ClickHouseClient,
  people: People,
  users: readonly ListedUser[],
  observedAtMs: number,
): Promise<number> {
  // A user twice on a page: the later one says the same or more.
  const pulled = new Map(users.map((user) => [user.id, toPulledPerson(user, observedAtMs)]))
  return storeWhatCanBe([...pulled.values()], (some) => storePulledPeople(client, people, some))
}

function toPulledPerson(user: ListedUser, observedAtMs: number): PulledPerson {
  return {
    userId: user.id,
    isNumericId: user.isNumericId,
    observedAtMs,
    isDeleted: toSaid(user.isDeleted, false),
    isPermanentlyDeleted: toSaid(user.isPermanentlyDeleted, false),
    teams: toReferences(user.groups)?.map(({ id, name }) => ({ id, name })),
    managers: toReferences(user.managers)?.map(({ id }) => id),
    directReports: toReferences(user.directReports)?.map(({ id }) => id),
    name: toSaid(user.name, ''),
    email: toSaid(user.email, ''),
    attributes: toSaid(user.customAttributes, []),
  }
}

function toReferences(
  references: PlatformUser['groups'],
): { id: string; name: string | undefined }[] | undefined {
  if (references === undefined) return undefined
  return (references ?? []).flatMap((one) => (one?.id ? [{ id: one.id, name: one.name ?? undefined }] : []))
}
