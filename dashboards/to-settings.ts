import type { Config } from '../services/config/config.ts'
import { toKnownHosts } from '../services/runtime/http/known-hosts.ts'
import { version } from '../services/runtime/version.ts'
import type { DashboardSettings } from './settings.ts'

/** The part of the configuration that pages need. */
export function toDashboardSettings(config: Config): DashboardSettings {
  const { timeZone, dueZone, dueEnd, host, dashboardHosts } = config
  const freshness = {
    amberAfterMs: config.freshnessAmberMinutes * 60_000,
    redAfterMs: config.freshnessRedMinutes * 60_000,
  }
  return {
    timeZone,
    dueZone,
    dueEnd,
    freshness,
    version,
    bodies: config.sqlPeople,
    hosts: toKnownHosts(host, dashboardHosts),
  }
}
