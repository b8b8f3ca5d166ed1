/** What the set-up page is drawn from. The process that knows the ingest side fills it in; components consume it. */

/** One delivery as the set-up page lists it: newest first. */
export type SetupDelivery = {
  /** Instant of receipt, ISO 8601. */
  received_at: string
  /** Name of the ingest token by which it came; `null` where it came by none that is known. */
  source: string | null
  event_type: string | null
  /** stored: counted (or kept as unrecognised). pending: acknowledged, on its way. failed: kept with `reason`. refused: not kept. */
  outcome: 'stored' | 'pending' | 'failed' | 'refused'
  /** Why it failed or was refused, in words; `null` for the others. */
  reason: string | null
}

/** One scheduled job: a pull from the platform, or the comparison with it. */
export type SetupPull = {
  job: string
  /** `running` also after a crash, until it is gone on with. */
  state: 'running' | 'succeeded' | 'failed'
  /** ISO 8601; `null`: never. */
  last_success_at: string | null
  /** Of the latest run. */
  items: number
  skipped: number
  /** Why its last attempt failed, in words. */
  error: string | null
  /** What there is to know although it went well. */
  note: string | null
}

export type SetupData = {
  /** The whole URL with its token, or `null` where this process was not told it. */
  ingest_url: string | null
  /** Newest first, at most 20. */
  deliveries: SetupDelivery[]
  /** Deliveries ever stored and ever kept as failed. */
  totals: { stored: number; failed: number }
  /** By name; empty where nothing ever ran. */
  pulls: SetupPull[]
  /** As in `Freshness`: the data comes from the stand-in platform. */
  sample: boolean
}
