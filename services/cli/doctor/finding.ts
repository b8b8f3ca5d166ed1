/** A finding for the owner. `problem`: data can be lost or exposed; `warning`: numbers mislead, or soon will. */
export type Finding = {
  code: FindingCode
  severity: 'problem' | 'warning'
  what: string
  why: string
  /** What to do. */
  todo: string
}

export type FindingCode =
  | 'no_token'
  | 'plain_http'
  | 'public_url_unset'
  | 'dashboards_public'
  | 'admin_public'
  | 'zone_unset'
  | 'unknown_setting'
  | 'channel_refuses'
  | 'log_retention_short'
  | 'retention_late'
  | 'data_readable'
  | 'secret_readable'
  | 'not_persistent'
  | 'disk_low'
  | 'log_nearly_full'
  | 'log_damaged'
  | 'spool_in_use'
  | 'spool_silent'
  | 'stalled'
  | 'store_refuses'
  | 'waiting'
  | 'node_version'
  | 'platform_unset'
  | 'platform_token'
  | 'platform_unreachable'
  | 'clock_skew'
  | 'registration'
  | 'pull_stale'
  | 'failed_events'
  | 'ledger_difference'
  | 'behind'
  | 'silent'
  | 'topic_unsafe'
  | 'lag_near_retention'
  | 'replicas'
  | 'not_synced'
  | 'store_damaged'
  | 'unbalanced_rows'
