/** Converts between the rows about people and the folds' types. */
import type { LinkVersion } from '../fold/fold-link.ts'
import type { UserObservation, UserVersion } from '../fold/fold-user.ts'
import { toColumns } from '../../clickhouse/insert-rows.ts'
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
  hasAttributes: boolean
  attributes: Record<string, string>
}

/** A row of `open-user-versions`. */
export type OpenVersion = Omit<UserVersion, 'validToMs' | 'attributes'> & {
  userId: string
  attributes: Record<string, string>
}

/** A row of `open-links`. `sinceMs`: the latest change or first statement of a pair with this person. */
export type OpenLinks = { userId: string; managers: string[]; reports: string[]; sinceMs: number }

export type Pair = { managerId: string; reportId: string }

/** A row of `links-named-by-users.sql`. `said`: how many observations a statement about the pair reads. */
export type NamedPair = Pair & { said: number }

/** A row of `link-statements.sql`. */
export type StatementsRow = Pair & { changes: [statedAtMs: number, isThere: number][] }

export function toUserObservation(row: ObservationRow): UserObservation {
  const { observedAtMs, kind, observationId } = row
  return {
    observedAtMs,
    kind,
    observationId,
    isDeleted: row.isDeleted ?? undefined,
    isPermanentlyDeleted: row.isPermanentlyDeleted ?? undefined,
    teams: row.hasTeams ? row.teams : undefined,
    name: row.name ?? undefined,
    email: row.email ?? undefined,
    attributes: row.hasAttributes ? JSON.stringify(row.attributes) : undefined,
  }
}

export function toUserRow(userId: string, { validFromMs, validToMs, ...facts }: UserVersion): ImageRow {
  const active = !facts.isDeleted && !facts.isPermanentlyDeleted
  const attributes = JSON.parse(facts.attributes)
  return toImage(toColumns({ userId, validFromMs, validToMs, active, ...facts, attributes }))
}

export function toLinkRow({ managerId, reportId }: Pair, version: LinkVersion): ImageRow {
  const { validFromMs, validToMs, isThere, statedAtMs } = version
  return toImage(toColumns({ managerId, reportId, validFromMs, validToMs, isThere, statedAtMs }))
}
