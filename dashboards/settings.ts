import type { DueEnd } from '../schemas/metrics/answer.ts'

/** The settings that pages need. */
export type DashboardSettings = {
  /** Reporting zone, a name of the tz database. */
  timeZone: string
  dueZone: string
  dueEnd: DueEnd
  /** The age of the data from which a page warns. Defaults: 15 and 60 minutes. */
  freshness: { amberAfterMs: number; redAfterMs: number }
  /** Host names that requests may use, besides addresses and localhost. Left out: any. */
  hosts?: readonly string[] | undefined
  /** Whether anybody may read raw bodies here. Default: withheld, they are masked. */
  bodies?: 'granted' | 'withheld'
  /** Version of Rollcall, shown in the footer. */
  version: string
}
