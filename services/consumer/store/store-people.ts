/** The third step of a batch: what its events say about people. Most say nothing new, and are settled from memory. */
import type { ClickHouseClient } from '@clickhouse/client'
import { foldUser, isNews, type UserObservation, type UserVersion } from '../fold/fold-user.ts'
import { together } from '../together.ts'
import { insertRows } from './insert-rows.ts'
import { toDifference, toImage, type HeldRow, type ImageRow } from './signed-rows.ts'
import { selectRows } from './sql.ts'

export type People = {
  /** Moves the versions of those about whom the observations say something new. They must be in the table already. */
  store(observations: readonly (UserObservation & { userId: string })[]): Promise<void>
  /** Drops what is remembered: call it when someone else may have written, as after an error or a rebalance. */
  forget(): void
}

type ObservationRow = {
  userId: string
  observedAtMs: number
  kind: 'event' | 'pull'
  observationId: string
  isDeleted: boolean | null
  isPermanentlyDeleted: boolean | null
  hasTeams: boolean
  teams: string[]
  name: string | null
  email: string | null
}

/** How many people are remembered; beyond it the ones not seen for longest are looked up again. */
const rememberedPeople = 50_000

/** How many people one statement asks for. */
const peoplePerStep = 2_000

export function createPeople(client: ClickHouseClient): People {
  const remembered = new Map<string, UserVersion[]>()

  return {
    async store(observations) {
      const byUser = Map.groupBy(observations, (observation) => observation.userId)
      const changed = [...byUser].filter(([userId, own]) => {
        const versions = remembered.get(userId)
        if (versions === undefined) return true
        remember(userId, versions)
        return own.some((observation) => isNews(versions, observation))
      })
      for (let start = 0; start < changed.length; start += peoplePerStep) {
        await moveVersions(changed.slice(start, start + peoplePerStep).map(([userId]) => userId))
      }
    },
    forget() {
      remembered.clear()
    },
  }

  async function moveVersions(users: string[]): Promise<void> {
    const [rows, held] = await together(
      selectRows<ObservationRow>(client, 'observations-of-users', { users }),
      selectRows<HeldRow>(client, 'held-user-versions', { users }),
    )
    const target: ImageRow[] = []
    for (const [userId, own] of Map.groupBy(rows, (row) => row.userId)) {
      const versions = foldUser(own.map(toObservation))
      target.push(...versions.map((version) => toUserRow(userId, version)))
      remember(userId, versions)
    }
    await insertRows(client, 'user_versions', toDifference(target, held))
  }

  function remember(userId: string, versions: UserVersion[]): void {
    remembered.delete(userId)
    remembered.set(userId, versions)
    if (remembered.size <= rememberedPeople) return
    const [oldest] = remembered.keys()
    if (oldest !== undefined) remembered.delete(oldest)
  }
}

function toObservation(row: ObservationRow): UserObservation {
  return {
    observedAtMs: row.observedAtMs,
    kind: row.kind,
    observationId: row.observationId,
    isDeleted: row.isDeleted ?? undefined,
    isPermanentlyDeleted: row.isPermanentlyDeleted ?? undefined,
    teams: row.hasTeams ? row.teams : undefined,
    name: row.name ?? undefined,
    email: row.email ?? undefined,
  }
}

function toUserRow(userId: string, version: UserVersion): ImageRow {
  return toImage({
    user_id: userId,
    valid_from: version.validFromMs,
    valid_to: version.validToMs,
    active: !version.isDeleted && !version.isPermanentlyDeleted,
    is_deleted: version.isDeleted,
    is_permanently_deleted: version.isPermanentlyDeleted,
    teams: version.teams,
    teams_seen_at: version.teamsSeenAtMs,
    name: version.name,
    email: version.email,
  })
}
