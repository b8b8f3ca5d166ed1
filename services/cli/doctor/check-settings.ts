import { findUnusedSettings, isEmbedded, type Config } from '../../config/config.ts'
import { findRemovedRules, roles } from '../../config/values/roles.ts'
import { present } from '../../runtime/control/command.ts'
import { isLoopback } from '../../runtime/http/known-hosts.ts'
import type { Finding } from '../command-deps.ts'

export type SettingFacts = {
  config: Config
  /** The environment of this process: which settings are set, and which are defaults. */
  env: Readonly<Record<string, string | undefined>>
  liveTokens: number
  /** There a port must be open on all addresses, and is public only if it is published. */
  isContainer: boolean
}

const hourMs = 3_600_000
const shortestRetentionMs = 24 * hourMs

export function checkSettings({ config, env, liveTokens, isContainer }: SettingFacts): Finding[] {
  const { publicIngestUrl, host } = config
  const url = publicIngestUrl === undefined ? undefined : new URL(publicIngestUrl)
  const isOpen = !isLoopback(host)
  const isPublished = isOpen && !isContainer
  const retentionMs = config.logRetentionMs
  const removedRules = findRemovedRules(config.dashboardRoles)
  return present([
    liveTokens === 0 && {
      code: 'no_token',
      severity: 'problem',
      what: 'No token is configured.',
      why: 'Every delivery is answered with 404, and the platform documents no retry.',
      todo: 'rollcall tokens new <name>, then rollcall register.',
    },
    ...findUnusedSettings(env).map((what): Finding => ({
      code: 'unknown_setting',
      severity: 'warning',
      what,
      why: 'It does nothing.',
      todo: 'Correct or remove it in .env or in the environment, and start Rollcall again.',
    })),
    url?.protocol === 'http:' &&
      !isLoopback(url.hostname) && {
        code: 'plain_http',
        severity: 'problem',
        what: `PUBLIC_INGEST_URL is http: ${publicIngestUrl}`,
        why: 'The token in the address, and names and e-mails in events, travel unencrypted.',
        todo: 'Put a reverse proxy with TLS in front of the ingest port, and set PUBLIC_INGEST_URL to its https address.',
      },
    isOpen &&
      isEmbedded(config) &&
      publicIngestUrl === undefined && {
        code: 'public_url_unset',
        severity: 'warning',
        what: `HOST is ${host}, and PUBLIC_INGEST_URL is not set.`,
        why: 'The shown address is not the one that the platform uses, and has no TLS.',
        todo: 'Set PUBLIC_INGEST_URL to the https address of the reverse proxy.',
      },
    isPublished &&
      isEmbedded(config) &&
      config.dashboardAuth === 'none' && {
        code: 'dashboards_public',
        severity: 'problem',
        what: `HOST is ${host}: others can reach the dashboards on port ${config.dashboardPort}.`,
        why: 'DASHBOARD_AUTH is none: nobody signs in, and results show names.',
        todo: 'Set DASHBOARD_AUTH to password or oidc, or keep HOST at 127.0.0.1 behind a proxy with your single sign-on.',
      },
    isPublished && {
      code: 'admin_public',
      severity: 'problem',
      what: `HOST is ${host}: others can reach the admin port ${config.adminPort}.`,
      why: 'It shows the state of the installation to everybody.',
      todo: 'Restrict it to Prometheus and health checks.',
    },
    // Ingest has no use for it.
    !env['TIME_ZONE'] &&
      (isEmbedded(config) || config.clickhouseUrl !== undefined) && {
        code: 'zone_unset',
        severity: 'warning',
        what: 'TIME_ZONE is not set: days, weeks and due dates use UTC.',
        why: 'Work done in the evening counts for another day, and may count as late.',
        todo: 'Set TIME_ZONE to the zone where people work, such as Europe/Berlin; set DUE_ZONE if due days end in another zone.',
      },
    removedRules.length > 0 && {
      code: 'removed_role_rule',
      severity: 'warning',
      what: `DASHBOARD_ROLES has ${removedRules.join(', ')}: this role was removed.`,
      why: 'People whom such a rule fits have no access, whatever later rules say.',
      todo: `Give the group another role (${roles.join(', ')}), or remove the rule: then the next one that fits decides.`,
    },
    retentionMs < shortestRetentionMs && {
      code: 'log_retention_short',
      severity: 'warning',
      what: `The event log keeps what is stored for ${retentionMs / hourMs} hours.`,
      why: 'A lost or restored store can be rebuilt only from what the log still holds.',
      todo: 'Keep it longer than the time between backups: LOG_RETENTION_HOURS.',
    },
  ])
}
