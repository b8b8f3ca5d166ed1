import type { AgingBucket, DueEnd, EffectiveStatus, Period } from '../../schemas/metrics/answer.ts'

/** One delivery as the wire brought it. `receivedAt` is carried for completeness: no number depends on it. */
export type Delivery = { body: Uint8Array | string; receivedAt: number }

/** One user of the platform's own list, as parsed JSON, at the moment the answer arrived. */
export type PulledUser = { observedAt: number; user: unknown }

export const factNames = [
  'completed',
  'failed',
  'submitted',
  'graded',
  'awaiting_grading',
  'open',
  'overdue',
  'reviewer_overdue',
  'due_soon',
  'completed_on_time',
  'deadline_moved',
  'reported_mismatch',
] as const
export type FactName = (typeof factNames)[number]

/** Instants are epoch milliseconds, dates are `YYYY-MM-DD`; an empty list is a filter not given. */
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
  manager: string[]
  managerDepth?: number
  user: string[]
  /** Values of an attribute, by its name: any of them, of every name. */
  attribute: [name: string, values: string[]][]
  without?: 'team'[]
  status: EffectiveStatus[]
  fact: FactName[]
  aging: AgingBucket[]
  assignedFrom?: string
  assignedTo?: string
  completedFrom?: string
  completedTo?: string
  dueFrom?: string
  dueTo?: string
}

/** The scope of a request with no parameters, at `asOf`. */
export function createScope(asOf: number, changes: Partial<Scope> = {}): Scope {
  return {
    asOf,
    now: asOf,
    timeZone: 'UTC',
    dueZone: 'UTC',
    dueEnd: 'end_of_day',
    period: 'week',
    dueSoonDays: 7,
    includeLeavers: false,
    challenge: [],
    team: [],
    manager: [],
    user: [],
    attribute: [],
    status: [],
    fact: [],
    aging: [],
    ...changes,
  }
}
