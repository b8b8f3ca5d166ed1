/** Every setting, declared once: an environment variable, its default, its check and its meaning. */
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
import { tokenList } from './token.ts'
import { platformLinkSetting } from './values/platform-links.ts'
import { pathsSetting } from './values/platform-paths.ts'
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

/** The comment above a setting is its meaning. `npm run docs:settings` prints it. */
export const settings = {
  // Addresses and data
  /** Address to listen on. 0.0.0.0 or :: for all. */
  host: { default: '127.0.0.1', schema: text },
  /** Port that receives webhooks. */
  ingestPort: { default: '8080', schema: port },
  /** Port of the dashboards and their API. */
  dashboardPort: { default: '3000', schema: port },
  /**
   * Host names of the dashboards, a,b,..., such as the name of a reverse proxy. Other names are refused if
   * this is set, if no one signs in, or if HOST is this machine only: no website can then point its own name
   * here. Addresses, localhost, the name of this machine and the host of DASHBOARD_URL are always allowed.
   */
  dashboardHosts: { default: '', schema: hostNames },
  /**
   * Port of /metrics and health. Keep it private. If HOST is this machine only, it answers to addresses and
   * localhost only.
   */
  adminPort: { default: '9464', schema: port },
  /** Directory of all data on disk. Each ingest process needs its own: its spool is in it. */
  dataDir: { default: './data', schema: text },
  /**
   * Address at which the platform reaches the ingest port. Shown to people. Default: http://HOST:INGEST_PORT.
   */
  publicIngestUrl: { schema: webAddress },

  // Receiving webhooks
  /**
   * Webhook tokens, name=token or name=sha256:hash,...; at least 128 random bits each. Embedded mode
   * generates one if none is set.
   */
  ingestTokens: { default: '', schema: tokenList, isSecret: true },
  /**
   * Sources (names of tokens) whose deliveries must be signed, name=scheme:secret,... The scheme is standard
   * (Standard Webhooks, whsec_...) or workramp (X-WorkRamp-Signature, HMAC-SHA256 in hex).
   */
  signatureSecrets: {
    name: 'INGEST_SIGNATURE_SECRETS',
    default: '',
    schema: signatureSecretList,
    isSecret: true,
  },
  /**
   * Networks that may send webhooks, in CIDR notation, a,b,... Others get 403. Default: every sender who has
   * a token.
   */
  allowedNetworks: { name: 'INGEST_ALLOWED_NETWORKS', default: '', schema: networkList },
  /**
   * Networks of reverse proxies in front of the ingest port, in CIDR notation, a,b,... Their X-Forwarded-For
   * names the sender. Default: none is trusted.
   */
  trustedProxies: { name: 'INGEST_TRUSTED_PROXIES', default: '', schema: networkList },
  /** Maximum body of a webhook. */
  maxBodyBytes: { default: '1048576', schema: wholeNumber(1_024, 64 * 1024 ** 2) },
  /**
   * Maximum deliveries per second of each source (token name) at each ingest process. More get 429. 0: no
   * limit.
   */
  rateLimitPerSecond: { default: '0', schema: perSecond },
  /**
   * How long the event log, local or in Kafka, keeps stored deliveries, so that the store can be rebuilt. A
   * Kafka topic that keeps them for a shorter time is refused.
   */
  logRetentionHours: { default: '168', schema: wholeNumber(0, 100_000) },
  /**
   * Maximum bytes of deliveries that wait to be stored. Beyond it ingest answers 503. Stored deliveries are
   * kept up to 0.8 of it.
   */
  logMaxBytes: { default: '10737418240', schema: wholeNumber(1024 ** 2, 100 * 1024 ** 4) },
  /**
   * What is kept for some days only, name=days,...: bodies (raw deliveries, which no number needs),
   * failed_events, repeats (at most 90), findings (of reconciliation), audit (who signed in, exported and
   * changed what). Default: repeats 90 days, audit 365, the others forever. See docs/retention.md.
   */
  retention: { name: 'RETENTION_DAYS', default: '', schema: retentionList },

  // How things are counted
  /**
   * Reporting zone of days, weeks and months: a name of the tz database. ClickHouse has its own copy of that
   * database; rollcall doctor reports an older one.
   */
  timeZone: { default: 'UTC', schema: zone },
  /** Zone in which a due day ends. Default: TIME_ZONE. */
  dueZone: { schema: zone },
  /** When an assignment is late: after its due day (end_of_day) or after the due instant (instant). */
  dueEnd: { default: 'end_of_day', schema: oneOf(['end_of_day', 'instant']) },
  /**
   * Custom attributes of people to keep and filter by, name,...: at most 10, such as country,site. An
   * attribute that is removed from the list is deleted at the next start.
   */
  userAttributes: { default: '', schema: attributeNames },
  /**
   * Maximum versions (states of assignments and people, including past ones) that the dashboards cache in
   * memory: open ones first, then those that ended last. Other versions are read for each answer. 0: none.
   * Default: what fits into an eighth of the memory, at 250 bytes each, and at most 16 million.
   */
  memoryMaxVersions: { schema: wholeNumber(0, 16_000_000) },

  // Sign-in
  /**
   * How people sign in to the dashboards: none (only if HOST is this machine only), password, oidc, proxy, or
   * none-and-i-know (everyone who reaches the port is an owner). See docs/access.md.
   */
  dashboardAuth: { default: 'none', schema: oneOf(['none', 'password', 'oidc', 'proxy', 'none-and-i-know']) },
  /**
   * Address at which people open the dashboards, such as https://rollcall.example.com. Required for oidc and
   * mail.
   */
  dashboardUrl: { schema: webAddress },
  /** Logins (emails) that are always owners, a,b,... */
  dashboardOwners: { default: '', schema: list },
  /**
   * Roles of the groups that oidc or proxy reports, role=group,... The first match wins. The group * is
   * everyone. Roles: owner, analyst, manager. A role that an owner sets at /access takes precedence.
   */
  dashboardRoles: { default: '', schema: roleRules },
  /**
   * People whom a manager sees: reports (direct and indirect, as of today), or reports-and-team (also their
   * own teams).
   */
  dashboardManagerSees: { default: 'reports', schema: oneOf(['reports', 'reports-and-team']) },
  /** Hours until people sign in again. */
  dashboardSessionHours: { default: '12', schema: wholeNumber(1, 720) },
  /**
   * Secrets that seal session cookies, a,b,..., at least 32 characters each. The first seals, all open.
   * Default: generated at the first start and kept in DATA_DIR. Several dashboards need the same secrets.
   */
  dashboardSessionSecrets: { schema: secretList, isSecret: true },
  /** Address of the OpenID provider, exactly as its discovery document names it. */
  oidcIssuer: {
    schema: text.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
      error: 'must be an address such as https://login.example.com',
    }),
  },
  /** Id of this application at the provider. Its redirect address is DASHBOARD_URL/sign-in/callback. */
  oidcClientId: { schema: text },
  /** Secret of this application. Default: a public client, with PKCE only. */
  oidcClientSecret: { schema: text, isSecret: true },
  /** Scopes to request. Some providers need one more for groups. */
  oidcScopes: {
    default: 'openid email profile',
    schema: text.refine((value) => value.split(' ').includes('openid'), { error: 'must include openid' }),
  },
  /** Claim with a person's groups or roles. */
  oidcGroupsClaim: { default: 'groups', schema: text },
  /** Claim with a person's id at the platform. Default: people are found by email. */
  oidcUserIdClaim: { schema: text },
  /**
   * Which emails are trusted: verified (email_verified is true), or assumed, for a provider that does not
   * send it and where people cannot choose their email.
   */
  oidcEmail: { default: 'verified', schema: oneOf(['verified', 'assumed']) },
  /**
   * Where "Sign out" ends the session: provider (also there, if the provider offers it; register
   * DASHBOARD_URL/sign-in as its sign-out address), or here.
   */
  oidcSignOut: { default: 'provider', schema: oneOf(['provider', 'here']) },
  /**
   * Networks of reverse proxies in front of the dashboards, in CIDR notation, a,b,... Their X-Forwarded-For
   * names the client, for the audit and the limits of sign-in. With DASHBOARD_AUTH=proxy their headers name
   * the person: then it is required. Default: none is trusted.
   */
  dashboardTrustedProxies: { default: '', schema: networkList },
  /** Header with the email of the person. The proxy must remove it from what browsers send. */
  dashboardProxyUserHeader: { default: 'X-Forwarded-Email', schema: headerName },
  /** Header with the groups of the person, a,b,... */
  dashboardProxyGroupsHeader: { default: 'X-Forwarded-Groups', schema: headerName },

  // Mail, digests and alerts
  /**
   * Mail server for digests, alerts and links to set a password, smtp://host:587 or
   * smtps://user:password@host:465. Needs MAIL_FROM and DASHBOARD_URL. Default: no mail. See docs/digest.md.
   */
  smtpUrl: { schema: smtpServer, isSecret: true },
  /** Sender of mails, such as Rollcall <rollcall@example.com>. */
  mailFrom: { schema: sender },
  /**
   * How often managers and the team channel get a digest: weekly (on Monday), daily, or off. People can choose otherwise.
   */
  digestFrequency: { default: 'weekly', schema: oneOf(['weekly', 'daily', 'off']) },
  /** Hour from which digests are sent, in the zone of the person. People can choose otherwise. */
  digestHour: { default: '7', schema: wholeNumber(0, 23) },
  /**
   * Incoming webhook of a team channel (Slack, Microsoft Teams, Mattermost and others) for a digest about
   * everyone. Needs DASHBOARD_URL.
   */
  digestChannelUrl: { schema: hook, isSecret: true },
  /** Whether the team channel gets names: withheld (counts only) or granted. */
  digestChannelNames: { default: 'withheld', schema: oneOf(['withheld', 'granted']) },
  /** Incoming webhook of a channel for alerts of Health. Owners get them by mail. Needs DASHBOARD_URL. */
  alertChannelUrl: { schema: hook, isSecret: true },
  /**
   * Whether owners and managers who have signed in can have Rollcall remind people of overdue work by mail:
   * on or off. Needs SMTP_URL. See docs/reminders.md.
   */
  remind: { default: 'off', schema: onOff },
  /** Minimum days between two reminders to one person, no matter who asks for them. */
  remindEveryDays: { default: '7', schema: wholeNumber(1, 365) },

  // SQL for analysts
  /** Whether /api/sql answers read-only SQL to everyone who reaches the dashboards: on or off. */
  sqlEndpoint: { default: 'on', schema: onOff },
  /**
   * Port whose root answers the same SQL, on HOST, for tools without a field for a path (Power BI, dbt,
   * JDBC). The password is a token. Default: none.
   */
  sqlPort: { schema: port },
  /** Whether /api/sql may read the view people, with names and emails: granted or withheld. */
  sqlPeople: { default: 'withheld', schema: oneOf(['granted', 'withheld']) },
  /** Time limit of a statement at /api/sql, in seconds. */
  sqlMaxSeconds: { default: '30', schema: wholeNumber(1, 3_600) },
  /** Memory limit of a statement at /api/sql. The same limit applies on disk. */
  sqlMaxMemoryBytes: { default: '536870912', schema: wholeNumber(64 * 1024 ** 2, 1024 ** 4) },
  /** Maximum rows of an answer at /api/sql. Tools read some thousands when they connect. */
  sqlMaxRows: { default: '1000000', schema: wholeNumber(10_000, 1_000_000_000) },

  // Logs, traces, stop
  /** Lowest level that is logged. */
  logLevel: {
    default: 'info',
    schema: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
  /**
   * Where traces go, by OTLP over HTTP, such as http://localhost:4318. Needs the OpenTelemetry packages,
   * whose own OTEL_ variables also apply: docs/tracing.md. Default: no traces.
   */
  otelEndpoint: { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', schema: webAddress },
  /** Maximum time of a stop. After it the process ends anyway. Nothing acknowledged is lost. */
  shutdownTimeoutMs: { default: '15000', schema: wholeNumber(100, 600_000) },

  // The platform's API
  /** Address of the platform's API, without /api/v1. Default: nothing is pulled from it. */
  platformUrl: { schema: webAddress },
  /** Access token of the API. It belongs to an admin user of the platform and dies with that user. */
  platformToken: { schema: bearerToken, isSecret: true },
  /**
   * Paths of the API, name=/path,...: users, user_assignments, guides, guide_assignments,
   * changed_guide_assignments, webhook_subscriptions. Default: those of the live platform.
   */
  platformPaths: { schema: pathsSetting },
  /**
   * Maximum calls to the API in any hour, of all jobs and people of this process. The platform allows about
   * 3000. Reconciliation uses up to a quarter of it.
   */
  platformCallsPerHour: { default: '2000', schema: wholeNumber(20, 100_000) },
  /**
   * When all users and all guide assignments are pulled: a cron pattern in TIME_ZONE. off: nothing is pulled,
   * including the hourly pull of guides and the pull of changed guide assignments every 15 minutes.
   */
  pullSchedule: { default: '17 3 * * *', schema: schedule },
  /** When some people's assignments are compared with the platform's: a cron pattern in TIME_ZONE, or off. */
  reconcileSchedule: { default: '27 * * * *', schema: schedule },
  /** Whether differences are repaired by events marked as synthetic (on), or reported only (off). */
  reconcileRepair: { default: 'on', schema: onOff },
  /**
   * Whether people can be assigned guides from the dashboards: on, off, or auto. auto: only if the platform
   * is set and HOST is this machine only, because everyone who reaches the dashboards may then do it.
   */
  assignGuides: { default: 'auto', schema: oneOf(['auto', 'on', 'off']) },
  /**
   * Address of a learner's page at the platform with {user_id}, such as
   * https://learn.example.com/people/{user_id}. Pages and reminders link to it. Default: no link.
   */
  platformLearnerUrl: { schema: platformLinkSetting(['user_id']) },
  /** The same for an assignment, with {assignment_id}, {challenge_id}, {user_id}. */
  platformAssignmentUrl: { schema: platformLinkSetting(['assignment_id', 'challenge_id']) },
  /** The same for the screen on which an assignment is graded. */
  platformGradingUrl: { schema: platformLinkSetting(['assignment_id', 'challenge_id']) },

  // The distributed processes: Kafka, spool, ClickHouse
  /** Initial brokers, host:port,... Required by ingest and consumer. Embedded mode uses no KAFKA_ setting. */
  kafkaBrokers: { schema: brokerList },
  /** Topic of the event log. Created if missing. */
  kafkaTopic: { default: 'rollcall-deliveries', schema: resourceName },
  /** Partitions of a created topic: the maximum number of consumers that share the work. */
  kafkaPartitions: { default: '6', schema: wholeNumber(1, 1_000) },
  /**
   * Copies of each record of a created topic. Two of them must be written before a delivery is acknowledged
   * (with 1: one). A topic that requires fewer is refused.
   */
  kafkaReplicationFactor: { default: '3', schema: wholeNumber(1, 15) },
  /** Group of the consumers that share the work. */
  kafkaGroupId: { default: 'rollcall', schema: resourceName },
  /** Time without a heartbeat after which the work of a consumer moves to the others. */
  kafkaSessionTimeoutMs: { default: '10000', schema: wholeNumber(1_000, 600_000) },
  /** SASL mechanism for the brokers. Default: no login. */
  kafkaSaslMechanism: { schema: oneOf(['plain', 'scram-sha-256', 'scram-sha-512']) },
  /** User at the brokers. */
  kafkaSaslUsername: { schema: text },
  /** Password at the brokers. */
  kafkaSaslPassword: { schema: text, isSecret: true },
  /** Whether to use TLS with the brokers. */
  kafkaTls: { default: 'off', schema: onOff },
  /** PEM file of the authority that signed the brokers' certificates. Default: the public ones. */
  kafkaTlsCa: { name: 'KAFKA_TLS_CA_PATH', schema: pemFile },
  /** PEM file of the client certificate, if the brokers require one. */
  kafkaTlsCert: { name: 'KAFKA_TLS_CERT_PATH', schema: pemFile },
  /** PEM file of the key of that certificate. */
  kafkaTlsKey: { name: 'KAFKA_TLS_KEY_PATH', schema: pemFile },
  /**
   * Maximum bytes of deliveries in the spool, which DATA_DIR holds while Kafka is away. Beyond it ingest
   * answers 503. On disk a spool of n MiB takes n to 2 n MiB (by the size of its bodies) and 32 MiB,
   * and keeps that room.
   */
  spoolMaxBytes: { default: '10737418240', schema: wholeNumber(1024 ** 2, 100 * 1024 ** 4) },
  /**
   * Admin addresses of the ingest processes, http://ingest:9464,... The consumer asks them what their spools
   * hold, so that no number claims to be complete past it. A name with several addresses stands for all.
   * Default: spools are not asked.
   */
  ingestAdminUrls: { default: '', schema: webAddresses },
  /**
   * HTTP interface of ClickHouse, http://host:8123. Required by consumer and dashboards. Embedded mode uses
   * no CLICKHOUSE_ setting.
   */
  clickhouseUrl: { schema: webAddress },
  /** User at ClickHouse. The consumer writes, the dashboards only read. */
  clickhouseUser: { default: 'default', schema: text },
  /** Password at ClickHouse. */
  clickhousePassword: { schema: text, isSecret: true },
  /** Name of the cluster, all of whose replicas hold everything. Default: a single server. */
  clickhouseCluster: { schema: resourceName },
  /** PEM file of the authority that signed the certificate of ClickHouse. Default: the public ones. */
  clickhouseCa: { name: 'CLICKHOUSE_CA_PATH', schema: pemFile },
} as const satisfies Record<string, Setting>
