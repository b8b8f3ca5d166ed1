/** Checks of the settings and the disk of this process. They need no store. */
import { existsSync, statSync, statfsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  environment,
  findUnusedSettings,
  isEmbedded,
  toSpoolDirectory,
  variables,
  type Config,
} from '../../config/config.ts'
import { StartError } from '../../config/start-error.ts'
import { readLocalLogUse, type LocalLogUse } from '../../event-log/local/log-use.ts'
import { isLoopback } from '../../runtime/http/known-hosts.ts'
import { findLiveTokens } from '../webhook-tokens.ts'
import { checksOf } from './check.ts'

export type ProcessFacts = {
  config: Config
  env: Readonly<Record<string, string | undefined>>
  /** `undefined` if this process does not know the tokens. */
  liveTokens: number | undefined
  /** Its ports must be open on all addresses, and are public only if they are published. */
  isContainer: boolean
  /** Of DATA_DIR, or of the spool of a distributed ingest. `undefined` if it does not exist. */
  disk: { path: string; type: number; freeBytes: number } | undefined
  /** The embedded log. An error if it cannot be read. */
  log: LocalLogUse | StartError | undefined
}

/** File system types as `statfs` names them: memory, and container layers that vanish with the container. */
const fleeting = new Map([
  [0x01021994, 'in memory (tmpfs)'],
  [0x858458f6, 'in memory (ramfs)'],
  [0x794c7630, "in the container's own layer (overlay)"],
])
const gib = 1024 ** 3
const { problem, warning } = checksOf<ProcessFacts>()

const isOpen = ({ config }: ProcessFacts) => !isLoopback(config.host)
const isPublished = (facts: ProcessFacts) => isOpen(facts) && !facts.isContainer
const isIngestOnly = ({ config }: ProcessFacts) => !isEmbedded(config) && config.clickhouseUrl === undefined

export const logUnusable = 'log_unusable'

export const processChecks = [
  problem('no_token', {
    test: ({ liveTokens }) => liveTokens === 0 && [liveTokens],
    what: 'No token is configured: Rollcall answers every webhook with 404, and the platform documents no retry.',
    todo: 'rollcall tokens new <name>, then rollcall register.',
  }),
  warning('unknown_setting', {
    test: ({ env }) => findUnusedSettings(env),
    what: (words) => `${words} It does nothing.`,
    todo: 'Correct or remove it in .env or in the environment, and start Rollcall again.',
  }),
  problem('plain_http', {
    test: ({ config: { publicIngestUrl } }) => isUnsafe(publicIngestUrl) && [publicIngestUrl],
    what: (url) => `PUBLIC_INGEST_URL is http: ${url}. Tokens, names and emails travel unencrypted.`,
    todo: 'Put a reverse proxy with TLS in front of the ingest port, and set PUBLIC_INGEST_URL to its https address.',
  }),
  warning('public_url_unset', {
    test: (facts) =>
      isOpen(facts) && isEmbedded(facts.config) && !facts.config.publicIngestUrl && [facts.config.host],
    what: (host) => `HOST is ${host}, and PUBLIC_INGEST_URL is not set. The shown address has no TLS.`,
    todo: 'Set PUBLIC_INGEST_URL to the https address of the reverse proxy.',
  }),
  problem('dashboards_public', {
    test: (facts) => {
      const { config } = facts
      return isPublished(facts) && isEmbedded(config) && config.dashboardAuth === 'none' && [config]
    },
    what: ({ host, dashboardPort }) =>
      `HOST is ${host}: others can reach the dashboards on port ${dashboardPort}, with names and without sign-in.`,
    todo: 'Set DASHBOARD_AUTH to password or oidc, or keep HOST at 127.0.0.1 behind a proxy with your single sign-on.',
  }),
  problem('admin_public', {
    test: (facts) => isPublished(facts) && [facts.config],
    what: ({ host, adminPort }) => `HOST is ${host}: others can reach the admin port ${adminPort}.`,
    todo: 'Restrict it to Prometheus and health checks.',
  }),
  warning('zone_unset', {
    test: (facts) => !facts.env['TIME_ZONE'] && !isIngestOnly(facts) && [facts],
    what: 'TIME_ZONE is not set. Days and due dates use UTC: work of the evening counts for another day, and may be late.',
    todo: 'Set TIME_ZONE to the zone where people work, such as Europe/Berlin. Set DUE_ZONE if due days end in another zone.',
  }),
  warning('platform_unset', {
    test: (facts) => facts.config.platformUrl === undefined && !isIngestOnly(facts) && [facts],
    what: 'PLATFORM_URL and PLATFORM_TOKEN are not set. Webhooks do not report teams, leavers and guides, and missed ones cannot be fetched.',
    todo: 'Set both. The token must belong to an admin of the platform.',
  }),
  problem('readable_by_all', {
    test: ({ config, env }) => findReadable(config, env),
    what: (path) => `Everyone on this machine can read ${path}, which holds personal data or a secret.`,
    todo: (path) => `chmod go-rwx ${path}`,
  }),
  problem('not_persistent', {
    test: ({ disk }) => disk !== undefined && fleeting.has(disk.type) && [disk],
    what: ({ path, type }) =>
      `DATA_DIR (${path}) is ${fleeting.get(type)}: acknowledged webhooks are lost at the next restart.`,
    todo: 'Mount a volume there, or set DATA_DIR to a directory on a disk.',
  }),
  problem('disk_low', {
    test: ({ disk }) => disk !== undefined && disk.freeBytes < 2 * gib && [disk],
    what: ({ path, freeBytes }) =>
      `The disk of ${path} has ${(freeBytes / gib).toFixed(1)} GiB left. When it is full, webhooks are answered with 503.`,
    todo: 'Free some space, or move to a larger disk.',
  }),
  problem(logUnusable, {
    test: ({ log }) => log instanceof StartError && [log.message],
    what: (message) => message,
    todo: 'Have the disk checked if the file is damaged. Rollcall cannot start on it, and nothing else is lost meanwhile.',
  }),
  problem('log_nearly_full', {
    test: ({ config, log }) =>
      log !== undefined &&
      !(log instanceof StartError) &&
      log.waitingBytes >= config.logMaxBytes / 2 && [log],
    what: ({ waitingRecords }) =>
      `${waitingRecords} webhooks wait to be stored: more than half of LOG_MAX_BYTES. When it is full, webhooks are answered with 503.`,
    todo: 'The log of the process shows why they are not stored. Raise LOG_MAX_BYTES if there is room.',
  }),
]

export function readProcessFacts(config: Config): ProcessFacts {
  const env = environment()
  return {
    config,
    env,
    // A distributed ingest does not start without a token.
    liveTokens: isEmbedded(config) ? findLiveTokens(config).length : undefined,
    isContainer:
      existsSync('/.dockerenv') || existsSync('/run/.containerenv') || 'KUBERNETES_SERVICE_HOST' in env,
    ...readDisk(config),
  }
}

function readDisk(config: Config): Pick<ProcessFacts, 'disk' | 'log'> {
  const path = resolve(isEmbedded(config) ? config.dataDir : toSpoolDirectory(config))
  if (!existsSync(path)) return { disk: undefined, log: undefined }
  const { type, bsize, bavail } = statfsSync(path)
  const disk = { path, type, freeBytes: bavail * bsize }
  try {
    return { disk, log: isEmbedded(config) ? readLocalLogUse(join(path, 'log')) : undefined }
  } catch (error) {
    if (error instanceof StartError) return { disk, log: error }
    throw error
  }
}

/** An address with plain HTTP that is not of this machine: a local proxy may use HTTP. */
function isUnsafe(address: string | undefined): boolean {
  const url = URL.parse(address ?? '')
  return url?.protocol === 'http:' && !isLoopback(url.hostname)
}

const inData = 'log clickhouse spool tokens.json session-secret control.json'.split(' ')

/** DATA_DIR itself may be readable if what it holds is not. */
function findReadable({ dataDir }: Config, env: ProcessFacts['env']): string[] {
  const names = Object.values(variables).flatMap(({ name, isSecret }) => (isSecret ? [`${name}_FILE`] : []))
  const files = [...names, variables.kafkaTlsKey.name].flatMap((name) => env[name] ?? [])
  const data = isReadableByAll(dataDir) ? inData.map((name) => join(dataDir, name)) : []
  return ['.env', ...files, ...data].filter(isReadableByAll).map((path) => resolve(path))
}

function isReadableByAll(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (stats.mode & 0o005) !== 0
}
