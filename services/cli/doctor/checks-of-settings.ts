import { findUnusedSettings, isEmbedded, type Config } from '../../config/config.ts'
import { isLoopback } from '../../runtime/http/known-hosts.ts'
import { checksOf, when } from './check.ts'

export type SettingFacts = {
  config: Config
  /** The environment of this process: which settings are set, and which are defaults. */
  env: Readonly<Record<string, string | undefined>>
  /** `undefined` if this process does not know the tokens. */
  liveTokens: number | undefined
  /** Its ports must be open on all addresses, and are public only if they are published. */
  isContainer: boolean
}

const hourMs = 3_600_000
const shortestRetentionMs = 24 * hourMs
const { problem, warning } = checksOf<SettingFacts>()

const isOpen = ({ config }: SettingFacts) => !isLoopback(config.host)
const isPublished = (facts: SettingFacts) => isOpen(facts) && !facts.isContainer

export const settingChecks = [
  problem('no_token', {
    test: ({ liveTokens }) => when(liveTokens === 0),
    what: 'No token is configured.',
    why: 'Rollcall answers every webhook with 404, and the platform documents no retry.',
    todo: 'rollcall tokens new <name>, then rollcall register.',
  }),
  warning('unknown_setting', {
    test: ({ env }) => findUnusedSettings(env),
    what: (problem) => problem,
    why: 'It does nothing.',
    todo: 'Correct or remove it in .env or in the environment, and start Rollcall again.',
  }),
  problem('plain_http', {
    test: ({ config: { publicIngestUrl } }) =>
      when(publicIngestUrl !== undefined && toUnsafe(publicIngestUrl)),
    what: (url) => `PUBLIC_INGEST_URL is http: ${url}`,
    why: 'The token in the address, and names and emails in events, travel unencrypted.',
    todo: 'Put a reverse proxy with TLS in front of the ingest port, and set PUBLIC_INGEST_URL to its https address.',
  }),
  warning('public_url_unset', {
    test: (facts) =>
      when(
        isOpen(facts) &&
          isEmbedded(facts.config) &&
          facts.config.publicIngestUrl === undefined &&
          facts.config.host,
      ),
    what: (host) => `HOST is ${host}, and PUBLIC_INGEST_URL is not set.`,
    why: 'The shown address is not the one that the platform uses, and has no TLS.',
    todo: 'Set PUBLIC_INGEST_URL to the https address of the reverse proxy.',
  }),
  problem('dashboards_public', {
    test: (facts) =>
      when(
        isPublished(facts) &&
          isEmbedded(facts.config) &&
          facts.config.dashboardAuth === 'none' &&
          facts.config,
      ),
    what: ({ host, dashboardPort }) =>
      `HOST is ${host}: others can reach the dashboards on port ${dashboardPort}.`,
    why: 'DASHBOARD_AUTH is none: users do not sign in, and results show names.',
    todo: 'Set DASHBOARD_AUTH to password or oidc, or keep HOST at 127.0.0.1 behind a proxy with your single sign-on.',
  }),
  problem('admin_public', {
    test: (facts) => when(isPublished(facts) && facts.config),
    what: ({ host, adminPort }) => `HOST is ${host}: others can reach the admin port ${adminPort}.`,
    why: 'It shows the state of the installation to everyone.',
    todo: 'Restrict it to Prometheus and health checks.',
  }),
  warning('zone_unset', {
    // Ingest does not use it.
    test: ({ env, config }) =>
      when(!env['TIME_ZONE'] && (isEmbedded(config) || config.clickhouseUrl !== undefined)),
    what: 'TIME_ZONE is not set: days, weeks and due dates use UTC.',
    why: 'Work done in the evening counts for another day, and may count as late.',
    todo: 'Set TIME_ZONE to the zone where people work, such as Europe/Berlin. Set DUE_ZONE if due days end in another zone.',
  }),
  warning('log_retention_short', {
    test: ({ config: { logRetentionMs } }) =>
      when(logRetentionMs < shortestRetentionMs && logRetentionMs / hourMs),
    what: (hours) => `The event log keeps stored webhooks for ${hours} hours.`,
    why: 'A lost or restored store can be rebuilt only from the webhooks that the log still holds.',
    todo: 'Keep them longer than the time between backups: LOG_RETENTION_HOURS.',
  }),
]

/** An address with plain HTTP that is not of this machine: a local proxy may use HTTP. */
function toUnsafe(address: string): string | false {
  const url = new URL(address)
  return url.protocol === 'http:' && !isLoopback(url.hostname) && address
}
