/** The work of the pull of users, in one go. */
import { createPeople } from '../../../services/consumer/store/store-people.ts'
import { storePulledPeople } from '../../../services/consumer/store/store-pulled-people.ts'
import type { PlatformClient } from '../../../services/platform/platform-client.ts'
import type { TestStore } from '../../support/store/store.ts'

export async function pullUsers(store: TestStore, client: PlatformClient): Promise<void> {
  for (let page = 0; ; page++) {
    const { items, hasMore, answeredAtMs } = await client.users({ page })
    const observedAtMs = Math.floor(answeredAtMs)
    await storePulledPeople(
      store.writer,
      createPeople(store.writer),
      items.map((user) => ({
        userId: user.id,
        observedAtMs,
        isDeleted: user.isDeleted ?? undefined,
        isPermanentlyDeleted: user.isPermanentlyDeleted ?? undefined,
        teams: undefined,
        managers: undefined,
        directReports: undefined,
        name: user.name ?? undefined,
        email: user.email ?? undefined,
      })),
    )
    if (!hasMore) return
  }
}
