/**
 * All configuration: the environment variables of `variables.ts`, read and checked together. A secret may also be given as
 * `<NAME>_FILE`, the path of a file that holds it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { findMisspelt } from './misspelt.ts'
import { removedSettings } from './removed.ts'
import { findRetentionProblems } from './retention.ts'
import { settings, type Setting } from './variables.ts'

type Key = keyof typeof settings

export const variables = Object.fromEntries(
  Object.entries<Setting>(settings).map(([key, setting]) => [
    key,
    { name: key.replaceAll(/[A-Z]/g, '_$&').toUpperCase(), ...setting },
  ]),
) as Record<Key, Setting & { name: string }>

type Values = {
  [K in Key]:
    | z.output<(typeof settings)[K]['schema']>
    | ((typeof settings)[K] extends { default: string } ? never : undefined)
}

export type Needed = 'kafkaBrokers' | 'clickhouseUrl' | 'ingestTokens'

export type Config = Omit<Values, 'dueZone' | 'logRetentionHours'> & {
  dueZone: string
  logRetentionMs: number
}

export type ConfigWith<Name extends Needed> = Config & { [Key in Name]: Exclude<Config[Key], undefined> }

type ConfigResult<C = Config> = { ok: true; config: C } | { ok: false; problems: string[] }

/** Reads the configuration and lists every problem at once. */
export function parseConfig<Name extends Needed = never>(
  env: Readonly<Record<string, string | undefined>>,
  needed: readonly Name[] = [],
): ConfigResult<ConfigWith<Name>> {
  const problems: string[] = []
  const values = Object.fromEntries(
    Object.entries(variables).map(([key, variable]) => [key, readValue(variable, env, problems)]),
  ) as Values

  for (const name of needed) {
    const isNamed = problems.some((problem) => problem.startsWith(variables[name].name))
    if ((values[name]?.length ?? 0) === 0 && !isNamed)
      problems.push(`${variables[name].name}: must be set for this process`)
  }
  problems.push(...findContradictions(values))
  if (problems.length > 0) return { ok: false, problems }

  const { logRetentionHours, dueZone = values.timeZone, ...rest } = values
  const config: Config = { ...rest, dueZone, logRetentionMs: logRetentionHours * 60 * 60_000 }
  return { ok: true, config: config as ConfigWith<Name> }
}

/** Settings that do not go together. A value that cannot be used is missing. */
function findContradictions(values: Partial<Values>): string[] {
  const isSet = (key: Key) => values[key] !== undefined
  const countSet = (...keys: Key[]) => keys.filter(isSet).length
  const retention = findRetentionProblems(values.retention ?? new Map(), (values.logRetentionHours ?? 0) / 24)
  const logins = countSet('kafkaSaslMechanism', 'kafkaSaslUsername', 'kafkaSaslPassword')
  const neededForOidc = (['oidcIssuer', 'oidcClientId', 'dashboardUrl'] as const).map((key) => [
    `${variables[key].name}: must be set for DASHBOARD_AUTH=oidc`,
    values.dashboardAuth === 'oidc' && !isSet(key),
  ])
  const problems: Record<string, boolean> = {
    'PLATFORM_URL: needs PLATFORM_TOKEN, and PLATFORM_TOKEN needs PLATFORM_URL':
      isSet('platformUrl') !== isSet('platformToken'),
    'SQL_PORT: needs SQL_ENDPOINT=on': isSet('sqlPort') && values.sqlEndpoint === 'off',
    ...Object.fromEntries(retention.map((problem) => [`RETENTION_DAYS: ${problem}`, true])),
    'KAFKA_SASL_MECHANISM: needs KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD, and they need it':
      logins === 1 || logins === 2,
    'KAFKA_TLS_CERT_PATH: needs KAFKA_TLS_KEY_PATH, and the key the certificate':
      isSet('kafkaTlsCert') !== isSet('kafkaTlsKey'),
    'KAFKA_TLS: must be on for the KAFKA_TLS_..._PATH settings to mean anything':
      values.kafkaTls === 'off' && countSet('kafkaTlsCa', 'kafkaTlsCert', 'kafkaTlsKey') > 0,
    'LOG_RETENTION_HOURS: must be at least 1 with Kafka':
      isSet('kafkaBrokers') && values.logRetentionHours === 0,
    ...Object.fromEntries(neededForOidc),
    'DASHBOARD_TRUSTED_PROXIES: must be set for DASHBOARD_AUTH=proxy':
      values.dashboardAuth === 'proxy' && values.dashboardTrustedProxies?.length === 0,
    'REMIND: needs SMTP_URL, or must be off': values.remind === 'on' && !isSet('smtpUrl'),
    'MAIL_FROM: must be set where SMTP_URL is': isSet('smtpUrl') && !isSet('mailFrom'),
    // Links lead there.
    'DASHBOARD_URL: must be set where SMTP_URL, DIGEST_CHANNEL_URL or ALERT_CHANNEL_URL is':
      !isSet('dashboardUrl') && countSet('smtpUrl', 'digestChannelUrl', 'alertChannelUrl') > 0,
  }
  return Object.keys(problems).filter((problem) => problems[problem])
}

/** `undefined`: it is not set, or the problems say why it cannot be used. */
function readValue(
  { name, schema, isSecret, default: otherwise }: (typeof variables)[Key],
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): unknown {
  // Set but empty means "not set", as in `NAME=` of an env file.
  let text = env[name] || otherwise
  const path = isSecret ? env[`${name}_FILE`] : undefined
  if (path) {
    if (env[name]) problems.push(`${name}: is set twice, also as ${name}_FILE`)
    try {
      text = readFileSync(path, 'utf8').trim()
    } catch (error) {
      problems.push(`${name}_FILE: ${(error as Error).message}`)
    }
  }
  if (text === undefined) return undefined
  const parsed = schema.safeParse(text)
  if (parsed.success) return parsed.data
  // Docker keeps the quotes of an env file, which others take away.
  const quotes = /^(["']).*\1$/s.test(text) ? ', without quotes around it' : ''
  for (const { message } of parsed.error.issues) problems.push(`${name}: ${message}${quotes}`)
  return undefined
}

/** For mains: this process's configuration, or every problem on stderr and exit code 2, before anything opens. */
export function readConfigOrExit<Name extends Needed = never>(...needed: Name[]): ConfigWith<Name> {
  for (const words of findUnusedSettings(process.env)) process.stderr.write(`${words}\n`)
  const result = parseConfig(process.env, needed)
  if (result.ok) return result.config
  process.stderr.write(`${toProblemText(result.problems)}\n`)
  process.exit(2)
}

export function toProblemText(problems: readonly string[]): string {
  const [first, ...others] = problems
  const listed = others.length === 0 ? ` ${first}. ` : `\n${problems.map((each) => `  - ${each}\n`).join('')}`
  return `The configuration cannot be used:${listed}Every setting is described in .env.example.`
}

/** A sentence for each name in `env` that does nothing: a removed setting, or almost the name of one. */
export function findUnusedSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.values(variables).flatMap(({ name, isSecret }) =>
    isSecret ? [name, `${name}_FILE`] : [name],
  )
  const removed = Object.entries(removedSettings).filter(([name]) => env[name])
  return [
    ...removed.map(([name, todo]) => `${name} is no longer a setting. ${todo}.`),
    ...findMisspelt(
      Object.keys(env).filter((name) => !(name in removedSettings)),
      names,
    ),
  ]
}

/**
 * The embedded engine refuses to open under a `TZ` that it does not know, such as a POSIX rule. Statements name their zone, which is
 * TIME_ZONE, so the engine gets one that never matters.
 */
export function setEngineZone(): void {
  process.env['TZ'] = 'UTC'
}

/** For the command line, which reads the configuration per command: a problem is a result, not an exit. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env
}

/** The environment decides where the data is: with Kafka and a ClickHouse server there, else in DATA_DIR. */
export function isDistributed(config: Config): config is ConfigWith<'kafkaBrokers' | 'clickhouseUrl'> {
  return config.clickhouseUrl !== undefined && config.kafkaBrokers !== undefined
}

/** Ingest knows Kafka only and dashboards ClickHouse only: neither is this, nor has what most commands need. */
export function isEmbedded(config: Config): boolean {
  return config.clickhouseUrl === undefined && config.kafkaBrokers === undefined
}

/** The age of the numbers from which pages and `rollcall doctor` warn. */
export const freshness = { amberAfterMs: 15 * 60_000, redAfterMs: 60 * 60_000 }

/** Deliveries that were acknowledged while Kafka was away. */
export function toSpoolDirectory({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'spool')
}

/** Whether people sign in to the dashboards. */
export function asksToSignIn(dashboardAuth: Config['dashboardAuth']): boolean {
  return dashboardAuth !== 'none' && dashboardAuth !== 'none-and-i-know'
}
