import { hostname } from 'node:os'
import type { ScopeSettings } from '../schemas/metrics/scope.ts'
import { asksToSignIn, type Config } from '../services/config/config.ts'
import { toPlatformLinks, type PlatformLinks } from '../services/config/values/platform-links.ts'
import { isLoopback } from '../services/runtime/http/known-hosts.ts'

export type DashboardSettings = ScopeSettings & {
  /** Host names that requests may use, besides addresses and localhost. Left out: any. */
  hosts?: readonly string[] | undefined
  /** Whether anybody may read raw bodies here. Default: withheld, they are masked. */
  bodies?: 'granted' | 'withheld'
  /** The most versions of assignments and people that are held in memory; 0 = none. Default: by the memory of the machine. */
  mostVersions?: number | undefined
  /** Where rows lead at the platform. Left out: nowhere. */
  platformLinks?: PlatformLinks
}

export function toDashboardSettings(config: Config): DashboardSettings {
  const { timeZone, dueZone, dueEnd, userAttributes } = config
  return {
    timeZone,
    dueZone,
    dueEnd,
    userAttributes,
    mostVersions: config.memoryMaxVersions,
    platformLinks: toPlatformLinks(config),
    bodies: config.sqlPeople,
    hosts: toHosts(config),
  }
}

/** Where no one signs in, a website under an unknown name must not read these pages, whatever address is bound. */
function toHosts({
  host,
  dashboardAuth,
  dashboardHosts,
  dashboardUrl,
}: Config): readonly string[] | undefined {
  if (dashboardHosts.length === 0 && asksToSignIn(dashboardAuth) && !isLoopback(host)) return undefined
  const site = dashboardUrl === undefined ? [] : [new URL(dashboardUrl).hostname]
  return [...dashboardHosts, ...site, hostname().toLowerCase()]
}
