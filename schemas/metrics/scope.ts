/** The scope of a number: METRICS.md, "In scope at T", "Zones" and the ranges of the trend. */
import type { AgingBucket, DueEnd, EffectiveStatus, Metrics, Period } from './answer.ts'
import type { ScopeFact } from './facts.ts'

/** The values of `without=`. */
export const scopeGaps = ['team'] as const
type ScopeGap = (typeof scopeGaps)[number]

/** Instants are epoch ms; dates are `YYYY-MM-DD`, both ends inclusive; an empty list = not given. */
export type Scope = {
  asOf: number
  now: number
  timeZone: string
  dueZone: string
  dueEnd: DueEnd
  period: Period
  dueSoonDays: number
  trendFrom?: string
  trendTo?: string
  includeLeavers: boolean
  challenge: string[]
  team: string[]
  /** User ids of managers: everybody who reports to one of them, within `managerDepth` links. */
  manager: string[]
  managerDepth?: number
  user: string[]
  /** Values of an attribute of people, by its name: any of them, of every name. */
  attribute: [name: string, values: string[]][]
  /** Only what no team has: of people who are in none, and of nobody. Left out: of everybody. */
  without?: ScopeGap[]
  status: EffectiveStatus[]
  fact: ScopeFact[]
  aging: AgingBucket[]
  assignedFrom?: string
  assignedTo?: string
  completedFrom?: string
  completedTo?: string
  dueFrom?: string
  dueTo?: string
  /** Only the assignments that one part of a metric counts, by its name in `/api/metrics/explain`. Of rows only. */
  part?: { metric: keyof Metrics; name: string }
}

/** Used where a request does not say otherwise. */
export type ScopeSettings = {
  timeZone: string
  dueZone: string
  dueEnd: DueEnd
  /** Names of the attributes of people that scopes may be filtered and grouped by. Default: none. */
  userAttributes?: readonly string[]
}
