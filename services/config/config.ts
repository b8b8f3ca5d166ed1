/**
 * All configuration: environment variables, each declared once, here. A test compares `.env.example` with this table. A
 * secret may also be given as `<NAME>_FILE`, the path of a file that holds it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { accessVariables } from './access-variables.ts'
import { digestVariables } from './digest-variables.ts'
import { distributedVariables } from './distributed-variables.ts'
import { platformVariables } from './platform-variables.ts'
import { findMisspelt } from './misspelt.ts'
import { networkList } from './networks.ts'
import { hostNames, oneOf, webAddress, wholeNumber, zone } from './setting.ts'
import { findRetentionProblems, retentionList, type Retention } from './retention.ts'
import { signatureSecretList } from './signature-secret.ts'
import { sqlVariables } from './sql-variables.ts'
import { tokenList, sourceNumbers } from './token.ts'

type Variable = {
  name: string
  meaning: string
  /** As in the environment; `undefined`: not set. */
  default: string | undefined
  schema: z.ZodType<unknown, string>
  isSecret?: true
}

const port = wholeNumber(0, 65_535)
const text = z.string()
const perSecond = wholeNumber(0, 1_000_000)

/** In the order of `.env.example`. */
export const variables = {
  host: { name: 'HOST', meaning: 'Address to listen on; 0.0.0.0 or :: for all.', default: '127.0.0.1', schema: text },
  ingestPort: { name: 'INGEST_PORT', meaning: 'Port that receives webhooks.', default: '8080', schema: port },
  dashboardPort: {
    name: 'DASHBOARD_PORT',
    meaning: 'Port of the dashboards and their API.',
    default: '3000',
    schema: port,
  },
  dashboardHosts: {
    name: 'DASHBOARD_HOSTS',
    meaning:
      'Host names of the dashboards, a,b,..., such as that of a reverse proxy. Others are refused where HOST ' +
      'is of this machine only, so that no website can have its own name lead here. Addresses and localhost are always taken.',
    default: undefined,
    schema: hostNames,
  },
  adminPort: {
    name: 'ADMIN_PORT',
    meaning: 'Port of /metrics and health; keep it private.',
    default: '9464',
    schema: port,
  },
  adminHosts: {
    name: 'ADMIN_HOSTS',
    meaning:
      'Host names, a,b,..., by which the admin port is reached, as by a Prometheus on this machine. Others are refused where HOST is ' +
      'of this machine only, or where this is set. Addresses and localhost are always taken.',
    default: undefined,
    schema: hostNames,
  },
  dataDir: {
    name: 'DATA_DIR',
    meaning: 'Directory of all data on disk.',
    default: './data',
    schema: text,
  },
  publicIngestUrl: {
    name: 'PUBLIC_INGEST_URL',
    meaning:
      'Address at which the platform reaches the ingest port; shown to people. Default: http://HOST:INGEST_PORT.',
    default: undefined,
    schema: webAddress,
  },
  ingestTokens: {
    name: 'INGEST_TOKENS',
    meaning:
      'Webhook tokens, name=token or name=sha256:hash,...; at least 128 random bits each. Embedded mode generates one where none is set.',
    default: undefined,
    schema: tokenList,
    isSecret: true,
  },
  signatureSecrets: {
    name: 'INGEST_SIGNATURE_SECRETS',
    meaning:
      'Sources whose deliveries must be signed, name=scheme:secret,...; scheme standard (Standard Webhooks, whsec_...) or ' +
      'workramp (X-WorkRamp-Signature, HMAC-SHA256 in hex).',
    default: undefined,
    schema: signatureSecretList,
    isSecret: true,
  },
  allowedNetworks: {
    name: 'INGEST_ALLOWED_NETWORKS',
    meaning:
      'Networks that may send webhooks, in CIDR notation: a,b,... Others get 403. Default: everybody who has a token.',
    default: undefined,
    schema: networkList,
  },
  trustedProxies: {
    name: 'INGEST_TRUSTED_PROXIES',
    meaning:
      'Networks of reverse proxies before the ingest port, in CIDR notation: their X-Forwarded-For says who sent. ' +
      'Default: none is believed.',
    default: undefined,
    schema: networkList,
  },
  maxBodyBytes: {
    name: 'MAX_BODY_BYTES',
    meaning: 'Largest body of a webhook.',
    default: '1048576',
    schema: wholeNumber(1_024, 64 * 1024 ** 2),
  },
  rateLimitPerSecond: {
    name: 'RATE_LIMIT_PER_SECOND',
    meaning:
      'Maximum deliveries per second of each source (token name) at each ingest process; more get 429. 0: no limit.',
    default: '0',
    schema: perSecond,
  },
  rateLimitSources: {
    name: 'RATE_LIMIT_SOURCES',
    meaning: 'Other limits for single sources, name=number,...; 0: no limit. Default: RATE_LIMIT_PER_SECOND for all.',
    default: undefined,
    schema: sourceNumbers(perSecond),
  },
  rateLimitTotalPerSecond: {
    name: 'RATE_LIMIT_TOTAL_PER_SECOND',
    meaning:
      'Maximum deliveries per second of all sources together at each ingest process. Each source has an equal share that no ' +
      'other can use up, and takes what others leave. 0: no limit.',
    default: '0',
    schema: perSecond,
  },
  logRetentionHours: {
    name: 'LOG_RETENTION_HOURS',
    meaning: 'How long the event log keeps stored deliveries, so that the store can be rebuilt.',
    default: '168',
    schema: wholeNumber(0, 100_000),
  },
  logMaxBytes: {
    name: 'LOG_MAX_BYTES',
    meaning:
      'Maximum bytes of deliveries waiting to be stored; beyond it ingest answers 503. Stored ones are kept up to 0.8 of it.',
    default: '10737418240',
    schema: wholeNumber(1024 ** 2, 100 * 1024 ** 4),
  },
  retention: {
    name: 'RETENTION_DAYS',
    meaning:
      'What the store keeps for some days only, name=days,...: bodies (raw deliveries, which no number needs), failed_events, ' +
      'repeats (at most 90), findings (of reconciliation). Default: repeats 90 days, the others for ever. See docs/retention.md.',
    default: undefined,
    schema: retentionList,
  },
  timeZone: {
    name: 'TIME_ZONE',
    meaning: 'Reporting zone: days, weeks and months; a name of the tz database.',
    default: 'UTC',
    schema: zone,
  },
  dueZone: {
    name: 'DUE_ZONE',
    meaning: 'Zone in which a due day ends. Default: TIME_ZONE.',
    default: undefined,
    schema: zone,
  },
  dueEnd: {
    name: 'DUE_END',
    meaning: 'When an assignment is late: after its due day (end_of_day) or after the due instant (instant).',
    default: 'end_of_day',
    schema: oneOf(['end_of_day', 'instant']),
  },
  freshnessAmberMinutes: {
    name: 'FRESHNESS_AMBER_MINUTES',
    meaning: 'Age of the numbers from which the freshness stamp is amber.',
    default: '15',
    schema: wholeNumber(1, 100_000),
  },
  freshnessRedMinutes: {
    name: 'FRESHNESS_RED_MINUTES',
    meaning: 'Age of the numbers from which the freshness stamp is red.',
    default: '60',
    schema: wholeNumber(1, 100_000),
  },
  memoryMaxVersions: {
    name: 'MEMORY_MAX_VERSIONS',
    meaning:
      'Maximum versions (states of assignments and people, past ones too) that the dashboards hold in memory for quick answers; ' +
      'a larger store is asked for each answer. 0: none. Default: what an eighth of the memory holds, at most 1500000.',
    default: undefined,
    schema: wholeNumber(0, 100_000_000),
  },
  ...accessVariables,
  ...digestVariables,
  ...sqlVariables,
  logLevel: {
    name: 'LOG_LEVEL',
    meaning: 'Lowest level that is logged.',
    default: 'info',
    schema: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
  otelEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning:
      'Where traces go, by OTLP over HTTP, such as http://localhost:4318. Needs the OpenTelemetry packages (docs/tracing.md), whose ' +
      'own OTEL_ variables count too. Default: no traces.',
    default: undefined,
    schema: webAddress,
  },
  otelTracesEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    meaning: 'The same as a whole address, such as http://localhost:4318/v1/traces.',
    default: undefined,
    schema: webAddress,
  },
  otelDisabled: {
    name: 'OTEL_SDK_DISABLED',
    meaning: 'Whether traces are off although an endpoint is set.',
    default: 'false',
    schema: oneOf(['true', 'false']),
  },
  shutdownTimeoutMs: {
    name: 'SHUTDOWN_TIMEOUT_MS',
    meaning: 'How long a stop may take before the process ends anyway; nothing acknowledged is lost.',
    default: '15000',
    schema: wholeNumber(100, 600_000),
  },
  ...platformVariables,
  ...distributedVariables,
} as const satisfies Record<string, Variable>

type Values = { [Key in keyof typeof variables]: z.output<(typeof variables)[Key]['schema']> }
type Optional =
  | 'publicIngestUrl'
  | 'dashboardHosts'
  | 'adminHosts'
  | 'dueZone'
  | 'ingestTokens'
  | 'signatureSecrets'
  | 'allowedNetworks'
  | 'trustedProxies'
  | 'rateLimitSources'
  | 'otelEndpoint'
  | 'retention'
  | 'memoryMaxVersions'
  | 'otelTracesEndpoint'
const plainVariables = {
  ...platformVariables,
  ...distributedVariables,
  ...accessVariables,
  ...digestVariables,
  ...sqlVariables,
}
/** The variables of the platform's API, of sign-in, of mail, of SQL, and of the distributed processes without a default. */
type Unset = {
  [Key in keyof typeof plainVariables]: (typeof plainVariables)[Key]['default'] extends string ? never : Key
}[keyof typeof plainVariables]

/** Settings that only some processes require. */
export type Needed = 'kafkaBrokers' | 'clickhouseUrl' | 'ingestTokens'

export type Config = Omit<Values, Optional | Unset | 'logRetentionHours' | 'kafkaRetentionHours'> & {
  [Key in Unset]: Values[Key] | undefined
} & {
  /** `undefined`: the address of the ingest server. */
  publicIngestUrl: string | undefined
  /** `undefined`: none is set. */
  dashboardHosts: Values['dashboardHosts'] | undefined
  adminHosts: Values['adminHosts'] | undefined
  /** Empty: nothing is removed by age but what always is. */
  retention: Retention
  /** `undefined`: by the memory of this machine or container. */
  memoryMaxVersions: number | undefined
  otelEndpoint: string | undefined
  otelTracesEndpoint: string | undefined
  /** Empty: none is set. */
  ingestTokens: Values['ingestTokens']
  signatureSecrets: Values['signatureSecrets']
  allowedNetworks: Values['allowedNetworks']
  trustedProxies: Values['trustedProxies']
  rateLimitSources: Values['rateLimitSources']
  dueZone: string
  logRetentionMs: number
  kafkaRetentionMs: number
  spoolDir: string
}

/** The configuration of a process that requires some settings. */
export type ConfigWith<Name extends Needed> = Config & { [Key in Name]: Exclude<Config[Key], undefined> }

export type ConfigResult<C = Config> = { ok: true; config: C } | { ok: false; problems: string[] }

/** Reads the configuration and lists every problem at once. */
export function parseConfig<Name extends Needed = never>(
  env: Readonly<Record<string, string | undefined>>,
  needed: readonly Name[] = [],
): ConfigResult<ConfigWith<Name>> {
  const problems: string[] = []
  const read = <Key extends keyof typeof variables>(key: Key): Values[Key] | undefined => {
    const variable: Variable = variables[key]
    const given = toGiven(variable, env, problems)
    const value = given ?? variable.default
    if (value === undefined) return undefined
    const parsed = variable.schema.safeParse(value)
    if (parsed.success) return parsed.data as Values[Key]
    for (const { message } of parsed.error.issues) problems.push(`${variable.name}: ${message}`)
    return undefined
  }
  const values = Object.fromEntries(
    Object.keys(variables).map((key) => [key, read(key as keyof typeof variables)]),
  ) as Values

  const sources = new Set((values.ingestTokens ?? []).map(({ source }) => source))
  for (const { source } of values.signatureSecrets ?? []) {
    // A secret for a name without a token would silently leave that sender unchecked.
    if (values.ingestTokens !== undefined && !sources.has(source)) {
      problems.push(`INGEST_SIGNATURE_SECRETS: no token in INGEST_TOKENS has the name ${source}`)
    }
  }
  for (const source of values.rateLimitSources?.keys() ?? []) {
    if (values.ingestTokens !== undefined && !sources.has(source)) {
      problems.push(`RATE_LIMIT_SOURCES: no token in INGEST_TOKENS has the name ${source}`)
    }
  }
  if (values.freshnessRedMinutes < values.freshnessAmberMinutes) {
    problems.push('FRESHNESS_RED_MINUTES: must not be less than FRESHNESS_AMBER_MINUTES')
  }
  for (const name of needed) {
    const isNamed = problems.some((problem) => problem.startsWith(variables[name].name))
    if (values[name] === undefined && !isNamed) problems.push(`${variables[name].name}: must be set for this process`)
  }
  if ((values.platformUrl === undefined) !== (values.platformToken === undefined)) {
    problems.push('PLATFORM_URL: needs PLATFORM_TOKEN, and PLATFORM_TOKEN needs PLATFORM_URL')
  }
  const logHours = values.kafkaBrokers === undefined ? values.logRetentionHours : values.kafkaRetentionHours
  if (values.sqlPort !== undefined && values.sqlEndpoint === 'off') {
    problems.push('SQL_PORT: needs SQL_ENDPOINT=on')
  }
  for (const problem of findRetentionProblems(values.retention ?? new Map(), logHours * 60 * 60_000)) {
    problems.push(`RETENTION_DAYS: ${problem}`)
  }
  problems.push(...findKafkaProblems(values), ...findAccessProblems(values), ...findDigestProblems(values))
  if (problems.length > 0) return { ok: false, problems }

  const { logRetentionHours, kafkaRetentionHours, ...rest } = values
  const config: Config = {
    ...rest,
    ingestTokens: values.ingestTokens ?? [],
    signatureSecrets: values.signatureSecrets ?? [],
    allowedNetworks: values.allowedNetworks ?? [],
    trustedProxies: values.trustedProxies ?? [],
    rateLimitSources: values.rateLimitSources ?? new Map(),
    retention: values.retention ?? new Map(),
    dueZone: values.dueZone ?? values.timeZone,
    logRetentionMs: logRetentionHours * 60 * 60_000,
    kafkaRetentionMs: kafkaRetentionHours * 60 * 60_000,
    spoolDir: values.spoolDir ?? join(values.dataDir, 'spool'),
  }
  return { ok: true, config: config as ConfigWith<Name> }
}

/** Problems that involve several settings. */
function findKafkaProblems(values: Values): string[] {
  const problems: string[] = []
  const { kafkaSaslMechanism, kafkaSaslUsername, kafkaSaslPassword, kafkaTlsCert, kafkaTlsKey } = values
  const logins = [kafkaSaslMechanism, kafkaSaslUsername, kafkaSaslPassword].filter((value) => value !== undefined)
  if (logins.length === 1 || logins.length === 2) {
    problems.push('KAFKA_SASL_MECHANISM: needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD, and they need it')
  }
  if ((kafkaTlsCert === undefined) !== (kafkaTlsKey === undefined)) {
    problems.push('KAFKA_TLS_CERT_PATH: needs KAFKA_TLS_KEY_PATH, and the key the certificate')
  }
  if (values.kafkaTls === 'off' && (values.kafkaTlsCa ?? kafkaTlsCert ?? kafkaTlsKey) !== undefined) {
    problems.push('KAFKA_TLS: must be on for the KAFKA_TLS_..._PATH settings to mean anything')
  }
  if (values.kafkaMinInsyncReplicas > values.kafkaReplicationFactor) {
    problems.push('KAFKA_MIN_INSYNC_REPLICAS: must not be more than KAFKA_REPLICATION_FACTOR')
  }
  return problems
}

function findAccessProblems(values: Values): string[] {
  const problems: string[] = []
  if (values.dashboardAuth === 'oidc') {
    for (const key of ['oidcIssuer', 'oidcClientId', 'dashboardUrl'] as const) {
      if (values[key] === undefined) problems.push(`${variables[key].name}: must be set for DASHBOARD_AUTH=oidc`)
    }
  }
  if (values.dashboardAuth === 'proxy' && (values.dashboardTrustedProxies ?? []).length === 0) {
    problems.push('DASHBOARD_TRUSTED_PROXIES: must be set for DASHBOARD_AUTH=proxy')
  }
  return problems
}

function findDigestProblems(values: Values): string[] {
  const { smtpUrl, mailFrom, dashboardUrl, digestChannelUrl, alertChannelUrl } = values
  const problems: string[] = []
  if (values.remind === 'on' && smtpUrl === undefined) problems.push('REMIND: needs SMTP_URL, or must be off')
  if (smtpUrl !== undefined && mailFrom === undefined) problems.push('MAIL_FROM: must be set where SMTP_URL is')
  // Links lead there.
  if (dashboardUrl === undefined && (smtpUrl ?? digestChannelUrl ?? alertChannelUrl) !== undefined) {
    problems.push('DASHBOARD_URL: must be set where SMTP_URL, DIGEST_CHANNEL_URL or ALERT_CHANNEL_URL is')
  }
  return problems
}

function toGiven(
  variable: Variable,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): string | undefined {
  // Set but empty means "not set", as in `NAME=` of an env file.
  const direct = env[variable.name] || undefined
  const path = variable.isSecret && (env[`${variable.name}_FILE`] || undefined)
  if (!path) return direct
  if (direct !== undefined) problems.push(`${variable.name}: is set twice, also as ${variable.name}_FILE`)
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    problems.push(`${variable.name}_FILE: ${(error as Error).message}`)
    return undefined
  }
}

/** For mains: this process's configuration, or every problem on stderr and exit code 2, before anything opens. */
export function readConfigOrExit<Name extends Needed = never>(...needed: Name[]): ConfigWith<Name> {
  for (const misspelt of findMisspeltSettings(process.env)) process.stderr.write(`${misspelt}\n`)
  const result = parseConfig(process.env, needed)
  if (result.ok) return result.config
  process.stderr.write(`${toProblemText(result.problems)}\n`)
  process.exit(2)
}

/** One problem is one line. */
export function toProblemText(problems: readonly string[]): string {
  const [first, ...others] = problems
  if (others.length === 0) {
    return `The configuration cannot be used: ${first}. Every setting is described in .env.example.`
  }
  const lines = problems.map((problem) => `  - ${problem}`).join('\n')
  return `The configuration cannot be used:\n${lines}\nEvery setting is described in .env.example.`
}

/** Names of `env` that are nearly the name of a setting, each with the question whether that was meant. */
export function findMisspeltSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.values(variables).flatMap((variable: Variable) =>
    variable.isSecret ? [variable.name, `${variable.name}_FILE`] : [variable.name],
  )
  return findMisspelt(Object.keys(env), names)
}

/** For the command line, which reads the configuration per command: a problem is a result, not an exit. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env
}

/** The environment decides where the data is: with Kafka and a ClickHouse server there, else in DATA_DIR. */
export function isDistributed(config: Config): config is ConfigWith<'kafkaBrokers' | 'clickhouseUrl'> {
  return config.clickhouseUrl !== undefined && config.kafkaBrokers !== undefined
}
