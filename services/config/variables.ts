/** Every environment variable, declared once. `.env.example` says what each means; a test compares the two. */
import { z } from 'zod'
import { networkList } from './networks.ts'
import { retentionList } from './retention.ts'
import {
  attributeNames,
  bearerToken,
  brokerList,
  headerName,
  hook,
  hostNames,
  list,
  oneOf,
  pemFile,
  resourceName,
  schedule,
  secretList,
  sender,
  smtpServer,
  webAddress,
  webAddresses,
  wholeNumber,
  zone,
} from './setting.ts'
import { signatureSecretList } from './signature-secret.ts'
import { sourceNumbers, tokenList } from './token.ts'
import { platformLinkSetting } from './values/platform-links.ts'
import { pathsSetting, takeBackPathSetting } from './values/platform-paths.ts'
import { roleRules } from './values/roles.ts'

export type Setting = {
  /** Left out where it is the key in capitals: `ingestPort` is INGEST_PORT. */
  name?: string
  /** As in the environment. Left out: not set. */
  default?: string
  schema: z.ZodType<unknown, string>
  isSecret?: true
}

const port = wholeNumber(0, 65_535)
const text = z.string()
const perSecond = wholeNumber(0, 1_000_000)
const onOff = oneOf(['on', 'off'])

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/** In the order of `.env.example`. */
export const settings = {
  host: { default: '127.0.0.1', schema: text },
  ingestPort: { default: '8080', schema: port },
  dashboardPort: { default: '3000', schema: port },
  dashboardHosts: { schema: hostNames },
  adminPort: { default: '9464', schema: port },
  adminHosts: { schema: hostNames },
  dataDir: { default: './data', schema: text },
  publicIngestUrl: { schema: webAddress },
  ingestTokens: { schema: tokenList, isSecret: true },
  signatureSecrets: { name: 'INGEST_SIGNATURE_SECRETS', schema: signatureSecretList, isSecret: true },
  allowedNetworks: { name: 'INGEST_ALLOWED_NETWORKS', schema: networkList },
  trustedProxies: { name: 'INGEST_TRUSTED_PROXIES', schema: networkList },
  maxBodyBytes: { default: '1048576', schema: wholeNumber(1_024, 64 * 1024 ** 2) },
  rateLimitPerSecond: { default: '0', schema: perSecond },
  rateLimitSources: { schema: sourceNumbers(perSecond) },
  logRetentionHours: { default: '168', schema: wholeNumber(0, 100_000) },
  logMaxBytes: { default: '10737418240', schema: wholeNumber(1024 ** 2, 100 * 1024 ** 4) },
  retention: { name: 'RETENTION_DAYS', schema: retentionList },
  timeZone: { default: 'UTC', schema: zone },
  dueZone: { schema: zone },
  dueEnd: { default: 'end_of_day', schema: oneOf(['end_of_day', 'instant']) },
  userAttributes: { default: '', schema: attributeNames },
  freshnessAmberMinutes: { default: '15', schema: wholeNumber(1, 100_000) },
  freshnessRedMinutes: { default: '60', schema: wholeNumber(1, 100_000) },
  memoryMaxVersions: { schema: wholeNumber(0, 100_000_000) },
  // Who may see the dashboards: sign-in, roles and sessions.
  dashboardAuth: { default: 'none', schema: oneOf(['none', 'password', 'oidc', 'proxy', 'none-and-i-know']) },
  dashboardUrl: { schema: webAddress },
  dashboardOwners: { schema: list },
  dashboardRoles: { schema: roleRules },
  dashboardManagerSees: { default: 'reports', schema: oneOf(['reports', 'reports-and-team']) },
  dashboardSessionHours: { default: '12', schema: wholeNumber(1, 720) },
  dashboardSessionSecrets: { schema: secretList, isSecret: true },
  dashboardAuditDays: { default: '365', schema: wholeNumber(1, 3_650) },
  oidcIssuer: {
    schema: text.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
      error: 'must be an address such as https://login.example.com',
    }),
  },
  oidcClientId: { schema: text },
  oidcClientSecret: { schema: text, isSecret: true },
  oidcScopes: {
    default: 'openid email profile',
    schema: text.refine((value) => value.split(' ').includes('openid'), { error: 'must include openid' }),
  },
  oidcGroupsClaim: { default: 'groups', schema: text },
  oidcUserIdClaim: { schema: text },
  oidcEmail: { default: 'verified', schema: oneOf(['verified', 'assumed']) },
  oidcSignOut: { default: 'provider', schema: oneOf(['provider', 'here']) },
  dashboardTrustedProxies: { schema: networkList },
  dashboardProxyUserHeader: { default: 'X-Forwarded-Email', schema: headerName },
  dashboardProxyGroupsHeader: { default: 'X-Forwarded-Groups', schema: headerName },
  // Mail, digests and alerts.
  smtpUrl: { schema: smtpServer, isSecret: true },
  mailFrom: { schema: sender },
  digestFrequency: { default: 'weekly', schema: oneOf(['weekly', 'daily', 'off']) },
  digestDay: { default: 'monday', schema: oneOf(weekdays) },
  digestHour: { default: '7', schema: wholeNumber(0, 23) },
  digestChannelUrl: { schema: hook, isSecret: true },
  digestChannelNames: { default: 'withheld', schema: oneOf(['withheld', 'granted']) },
  alertChannelUrl: { schema: hook, isSecret: true },
  remind: { default: 'off', schema: onOff },
  remindEveryDays: { default: '7', schema: wholeNumber(1, 365) },
  // SQL, logs, traces, stop.
  sqlEndpoint: { default: 'on', schema: onOff },
  sqlPort: { schema: port },
  sqlHost: { default: '127.0.0.1', schema: text },
  sqlPeople: { default: 'withheld', schema: oneOf(['granted', 'withheld']) },
  sqlMaxSeconds: { default: '30', schema: wholeNumber(1, 3_600) },
  sqlMaxMemoryBytes: { default: '536870912', schema: wholeNumber(64 * 1024 ** 2, 1024 ** 4) },
  sqlMaxRows: { default: '1000000', schema: wholeNumber(10_000, 1_000_000_000) },
  logLevel: { default: 'info', schema: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']) },
  otelEndpoint: { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', schema: webAddress },
  otelTracesEndpoint: { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', schema: webAddress },
  otelDisabled: { name: 'OTEL_SDK_DISABLED', default: 'false', schema: oneOf(['true', 'false']) },
  shutdownTimeoutMs: { default: '15000', schema: wholeNumber(100, 600_000) },
  // The platform's API: what is pulled, and how often.
  platformUrl: { schema: webAddress },
  platformToken: { schema: bearerToken, isSecret: true },
  platformPaths: { schema: pathsSetting },
  platformCallsPerHour: { default: '2000', schema: wholeNumber(20, 100_000) },
  platformTimeoutMs: { default: '30000', schema: wholeNumber(100, 600_000) },
  platformMaxAnswerBytes: { default: '16777216', schema: wholeNumber(1_024, 1024 ** 3) },
  pullUsersSchedule: { default: '17 3 * * *', schema: schedule },
  pullGuidesSchedule: { default: '7 * * * *', schema: schedule },
  pullGuideChangesSchedule: { default: '*/15 * * * *', schema: schedule },
  pullGuideAssignmentsSchedule: { default: '37 4 * * *', schema: schedule },
  reconcileSchedule: { default: '27 * * * *', schema: schedule },
  reconcilePeoplePerRun: { default: '500', schema: wholeNumber(1, 100_000) },
  reconcileHeal: { default: 'on', schema: onOff },
  assignGuides: { default: 'auto', schema: oneOf(['auto', 'on', 'off']) },
  platformTakeBackPath: { schema: takeBackPathSetting },
  platformLearnerUrl: { schema: platformLinkSetting(['user_id']) },
  platformAssignmentUrl: { schema: platformLinkSetting(['assignment_id', 'challenge_id']) },
  platformGradingUrl: { schema: platformLinkSetting(['assignment_id', 'challenge_id']) },
  // The distributed processes: Kafka, the spool before it, and ClickHouse servers.
  kafkaBrokers: { schema: brokerList },
  kafkaTopic: { default: 'rollcall-deliveries', schema: resourceName },
  kafkaPartitions: { default: '6', schema: wholeNumber(1, 1_000) },
  kafkaReplicationFactor: { default: '3', schema: wholeNumber(1, 15) },
  kafkaMinInsyncReplicas: { default: '2', schema: wholeNumber(1, 15) },
  kafkaRetentionHours: { default: '168', schema: wholeNumber(1, 100_000) },
  kafkaGroupId: { default: 'rollcall', schema: resourceName },
  kafkaClientId: { default: 'rollcall', schema: resourceName },
  kafkaCompression: { default: 'zstd', schema: oneOf(['zstd', 'gzip', 'none']) },
  kafkaAppendTimeoutMs: { default: '2000', schema: wholeNumber(100, 60_000) },
  kafkaSessionTimeoutMs: { default: '10000', schema: wholeNumber(1_000, 600_000) },
  kafkaSaslMechanism: { schema: oneOf(['plain', 'scram-sha-256', 'scram-sha-512']) },
  kafkaSaslUsername: { schema: text },
  kafkaSaslPassword: { schema: text, isSecret: true },
  kafkaTls: { default: 'off', schema: onOff },
  kafkaTlsCa: { name: 'KAFKA_TLS_CA_PATH', schema: pemFile },
  kafkaTlsCert: { name: 'KAFKA_TLS_CERT_PATH', schema: pemFile },
  kafkaTlsKey: { name: 'KAFKA_TLS_KEY_PATH', schema: pemFile },
  spoolDir: { schema: text },
  spoolMaxBytes: { default: '10737418240', schema: wholeNumber(1024 ** 2, 100 * 1024 ** 4) },
  ingestAdminUrls: { schema: webAddresses },
  clickhouseUrl: { schema: webAddress },
  clickhouseUser: { default: 'default', schema: text },
  clickhousePassword: { schema: text, isSecret: true },
  clickhouseCluster: { schema: resourceName },
  clickhouseCa: { name: 'CLICKHOUSE_CA_PATH', schema: pemFile },
} as const satisfies Record<string, Setting>
