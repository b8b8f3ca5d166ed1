/** Converts between the rows about people and the folds' types. */
import type { LinkVersion } from '../fold/fold-link.ts'
import type { UserObservation, UserVersion } from '../fold/fold-user.ts'
import { toImage, type ImageRow } from './signed-rows.ts'

/** A row of `observations-of-users.sql`. */
export type ObservationRow = {
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

export type Pair = { managerId: string; reportId: string }

/** A row of `links-named-by-users.sql`. `said`: how many observations a statement about the pair reads. */
export type NamedPair = Pair & { said: number }

/** A row of `link-statements.sql`. */
export type StatementsRow = Pair & { changes: [statedAtMs: number, isThere: number][] }

export function toUserObservation(row: ObservationRow): UserObservation {
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

export function toUserRow(userId: string, version: UserVersion): ImageRow {
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

export function toLinkRow({ managerId, reportId }: Pair, version: LinkVersion): ImageRow {
  return toImage({
    manager_id: managerId,
    report_id: reportId,
    valid_from: version.validFromMs,
    valid_to: version.validToMs,
    is_there: version.isThere,
    stated_at: version.statedAtMs,
  })
}
