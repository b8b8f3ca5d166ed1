/** Checks the settings alone. */
import type { Config } from '../../config/config.ts'
import type { Finding } from './finding.ts'

export type SettingFacts = {
  config: Config
  /** Of the asked process: which settings were given, and which are defaults. */
  env: Readonly<Record<string, string | undefined>>
  /** How many tokens ingest accepts. */
  liveTokens: number
  /** In a container, a port is public only if it is published. */
  isContainer: boolean
}

const hourMs = 3_600_000
const shortestRetentionMs = 24 * hourMs

export function checkSettings({ config, env, liveTokens, isContainer }: SettingFacts): Finding[] {
  const findings: Finding[] = []
  const { publicIngestUrl, host } = config
  if (liveTokens === 0) {
    findings.push({
      code: 'no_token',
      severity: 'problem',
      what: 'No token is taken.',
      why: 'Every delivery of the platform is answered with 404, and the platform documents no second try.',
      todo: 'rollcall tokens new <name>, then rollcall register.',
    })
  }
  const url = publicIngestUrl === undefined ? undefined : new URL(publicIngestUrl)
  if (url?.protocol === 'http:' && !isLocal(url.hostname)) {
    findings.push({
      code: 'plain_http',
      severity: 'problem',
      what: `PUBLIC_INGEST_URL is http: ${publicIngestUrl}`,
      why: 'The token in the address, and names and e-mails in the events, travel where others can read them.',
      todo: 'Put a reverse proxy with TLS in front of the ingest port, and set PUBLIC_INGEST_URL to its https address.',
    })
  }
  if (!isLocal(host)) {
    const severity = isContainer ? 'warning' : 'problem'
    if (publicIngestUrl === undefined) {
      findings.push({
        code: 'public_url_unset',
        severity: 'warning',
        what: `HOST is ${host}, and PUBLIC_INGEST_URL is not set.`,
        why: 'The address that people are shown is not the one by which the platform comes, and has no TLS.',
        todo: 'Set PUBLIC_INGEST_URL to the https address of the reverse proxy.',
      })
    }
    findings.push({
      code: 'dashboards_public',
      severity,
      what: `HOST is ${host}: others can reach the dashboards on port ${config.dashboardPort}.`,
      why: 'They have no login of their own, and show who has done what, with names.',
      todo: 'Leave HOST at 127.0.0.1 behind a proxy with your single sign-on, or let a firewall keep others out.',
    })
    findings.push({
      code: 'admin_public',
      severity,
      what: `HOST is ${host}: others can reach the operator's port ${config.adminPort}.`,
      why: 'It tells how the installation is doing to whoever asks.',
      todo: 'Let only Prometheus and the health checks reach it.',
    })
  }
  if (!env['TIME_ZONE']) {
    findings.push({
      code: 'zone_unset',
      severity: 'warning',
      what: 'TIME_ZONE is not set: days, weeks and due dates are those of UTC.',
      why: 'What was done in the evening counts for another day, and may be late by that.',
      todo: 'Set TIME_ZONE to the zone in which people work, such as Europe/Berlin; DUE_ZONE if due days end elsewhere.',
    })
  }
  const retentionMs = config.kafkaBrokers === undefined ? config.logRetentionMs : config.kafkaRetentionMs
  if (retentionMs < shortestRetentionMs) {
    findings.push({
      code: 'log_retention_short',
      severity: 'warning',
      what: `The event log keeps what is stored for ${retentionMs / hourMs} hours.`,
      why: 'A store that is lost, or put back from a backup of yesterday, can be rebuilt only from what the log still has.',
      todo: 'Keep it longer than backups are apart: LOG_RETENTION_HOURS, or KAFKA_RETENTION_HOURS.',
    })
  }
  return findings
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || host.startsWith('127.')
}
