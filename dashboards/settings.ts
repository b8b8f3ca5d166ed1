import type { DueEnd } from '../schemas/metrics/answer.ts'

/** What the owner decided, as far as pages need it. */
export type DashboardSettings = {
  /** Reporting zone, a name of the tz database. */
  timeZone: string
  dueZone: string
  dueEnd: DueEnd
  /** From which age of the data a page warns. Defaults of the product: 15 and 60 minutes. */
  freshness: { amberAfterMs: number; redAfterMs: number }
  /** Names by which requests may come, besides addresses and localhost; left out: any. */
  hosts?: readonly string[] | undefined
  /** Version of Rollcall, shown in the footer. */
  version: string
}
