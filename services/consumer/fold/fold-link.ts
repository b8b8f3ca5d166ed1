/**
 * Turns statements about one manager and one report into intervals of reporting (METRICS.md, "People as of T"): the last
 * statement at or before T counts; if there is none, the earliest later one.
 */
import { endOfTimeMs } from '../../../schemas/metrics/state-bits.ts'

/** The result of one instant's statements: a pull beats an event, then the higher event id. */
export type LinkStatement = { statedAtMs: number; isThere: boolean }

export type LinkVersion = {
  isThere: boolean
  validFromMs: number
  validToMs: number
  /** Time of the earliest statement, epoch ms; it also applies before. */
  statedAtMs: number
}

/**
 * The versions of one pair, oldest first; the first reaches back for ever, the last is open-ended. One statement per
 * instant.
 */
export function foldLink(statements: readonly LinkStatement[]): LinkVersion[] {
  const ordered = [...statements].sort((a, b) => a.statedAtMs - b.statedAtMs)
  const [first] = ordered
  if (first === undefined) return []
  const { statedAtMs } = first
  const versions: LinkVersion[] = [
    { isThere: first.isThere, validFromMs: 0, validToMs: endOfTimeMs, statedAtMs },
  ]
  for (const statement of ordered) {
    const current = versions.at(-1) as LinkVersion
    if (current.isThere === statement.isThere) continue
    current.validToMs = statement.statedAtMs
    versions.push({
      ...current,
      isThere: statement.isThere,
      validFromMs: statement.statedAtMs,
      validToMs: endOfTimeMs,
    })
  }
  return versions
}
