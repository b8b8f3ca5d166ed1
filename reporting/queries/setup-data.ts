/** The data of the set-up page. The process that knows the ingest side fills it in. */

/** One delivery as the set-up page lists it: newest first. */
export type SetupDelivery = {
  /** Instant of receipt, ISO 8601. */
  received_at: string
  /** Name of the ingest token; `null` where the token was not known. */
  source: string | null
  event_type: string | null
  /** Id of a delivery that was kept; `null`: it was not. */
  event_id: string | null
  /** When it happened, ISO 8601; `null`: unknown. */
  event_time: string | null
  /** Name of the person, or the id where the reader sees no names; `null`: none. */
  person: string | null
  /** Title of the challenge, or its id; `null`: none. */
  challenge: string | null
  /** stored: counted (or kept as unrecognised). pending: acknowledged, on its way. failed: kept with `reason`. refused: not kept. */
  outcome: 'stored' | 'pending' | 'failed' | 'refused'
  /** Why it failed or was refused, in words; `null` for the others. */
  reason: string | null
}

/** One scheduled job: a pull from the platform, or reconciliation. */
export type SetupPull = {
  job: string
  /** `running` also after a crash, until it continues. */
  state: 'running' | 'succeeded' | 'failed'
  /** ISO 8601; `null`: never. */
  last_success_at: string | null
  /** Items of the latest run. */
  items: number
  skipped: number
  /** Why its last attempt failed, in words. */
  error: string | null
  /** A note about a successful run. */
  note: string | null
}

export type SetupData = {
  /** The full URL with its token, or `null` where this process does not know it. */
  ingest_url: string | null
  /** Newest first, at most 20. */
  deliveries: SetupDelivery[]
  /** All deliveries ever stored and ever kept as failed. */
  totals: { stored: number; failed: number }
  /** Whether such an event ever came; a test event is not a challenge event. */
  has: { challenge_events: boolean; test_events: boolean }
  /** By name; empty where nothing ever ran. */
  pulls: SetupPull[]
  /** As in `Freshness`: sample data, not of real people. */
  sample: boolean
}
