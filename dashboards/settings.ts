import type { ScopeSettings } from '../schemas/metrics/scope.ts'
import type { Config } from '../services/config/config.ts'
import { toPlatformLinks, type PlatformLinks } from '../services/config/values/platform-links.ts'
import { toKnownHosts } from '../services/runtime/http/known-hosts.ts'
import { version } from '../services/runtime/version.ts'

/** The settings that pages need. */
export type DashboardSettings = ScopeSettings & {
  /** The age of the data from which a page warns. Defaults: 15 and 60 minutes. */
  freshness: { amberAfterMs: number; redAfterMs: number }
  /** Host names that requests may use, besides addresses and localhost. Left out: any. */
  hosts?: readonly string[] | undefined
  /** Whether anybody may read raw bodies here. Default: withheld, they are masked. */
  bodies?: 'granted' | 'withheld'
  /** The most versions of assignments and people that are held in memory; 0 = none. Default: by the memory of the machine. */
  mostVersions?: number | undefined
  /** Where rows lead at the platform. Left out: nowhere. */
  platformLinks?: PlatformLinks
  /** Whether managers see the company's figures beside those of their people. Default: no. */
  companyFigures?: boolean
  /** Version of Rollcall, shown in the footer. */
  version: string
}

/** The part of the configuration that pages need. */
export function toDashboardSettings(config: Config): DashboardSettings {
  const { timeZone, dueZone, dueEnd, userAttributes, host, dashboardHosts } = config
  const freshness = {
    amberAfterMs: config.freshnessAmberMinutes * 60_000,
    redAfterMs: config.freshnessRedMinutes * 60_000,
  }
  return {
    timeZone,
    dueZone,
    dueEnd,
    userAttributes,
    freshness,
    version,
    mostVersions: config.memoryMaxVersions,
    platformLinks: toPlatformLinks(config),
    bodies: config.sqlPeople,
    companyFigures: config.dashboardManagerSeesCompany === 'figures',
    hosts: toKnownHosts(host, dashboardHosts),
  }
}
