/** The settings of the distributed processes: Kafka, the spool before it, and ClickHouse servers. */
import { z } from 'zod'
import { oneOf, pemFile, webAddress, webAddresses, wholeNumber } from './setting.ts'

const text = z.string()

/** `host:port,...` */
const brokerList = z.string().transform((value, context) => {
  const brokers = value.split(',').map((part) => part.trim())
  const isBroker = (broker: string) => /^(\[[0-9a-f:.]+\]|[A-Za-z0-9._-]+):\d{1,5}$/i.test(broker)
  if (brokers.every(isBroker)) return brokers
  context.addIssue({ code: 'custom', message: 'must be host:port,..., such as kafka-1:9092,kafka-2:9092' })
  return z.NEVER
})

const resourceName = z.string().regex(/^[A-Za-z0-9._-]{1,200}$/, 'must have letters, digits and . _ - only')
const onOff = oneOf(['on', 'off'])

/** In the order of `.env.example`. */
export const distributedVariables = {
  kafkaBrokers: {
    name: 'KAFKA_BROKERS',
    meaning:
      'Initial brokers, host:port,... Only for the distributed processes, like all KAFKA_ settings; required there.',
    default: undefined,
    schema: brokerList,
  },
  kafkaTopic: {
    name: 'KAFKA_TOPIC',
    meaning: 'Topic of the event log; created if missing.',
    default: 'rollcall-deliveries',
    schema: resourceName,
  },
  kafkaPartitions: {
    name: 'KAFKA_PARTITIONS',
    meaning: 'Partitions of a created topic: the maximum number of consumers that share the work.',
    default: '6',
    schema: wholeNumber(1, 1_000),
  },
  kafkaReplicationFactor: {
    name: 'KAFKA_REPLICATION_FACTOR',
    meaning: 'Copies of each record of a created topic.',
    default: '3',
    schema: wholeNumber(1, 15),
  },
  kafkaMinInsyncReplicas: {
    name: 'KAFKA_MIN_INSYNC_REPLICAS',
    meaning: 'Copies that must be written before a delivery is acknowledged; a topic that requires fewer is refused.',
    default: '2',
    schema: wholeNumber(1, 15),
  },
  kafkaRetentionHours: {
    name: 'KAFKA_RETENTION_HOURS',
    meaning: 'How long a created topic keeps deliveries, stored or not. A topic with a shorter time is refused.',
    default: '168',
    schema: wholeNumber(1, 100_000),
  },
  kafkaGroupId: {
    name: 'KAFKA_GROUP_ID',
    meaning: 'Group of the consumers that share the work.',
    default: 'rollcall',
    schema: resourceName,
  },
  kafkaClientId: {
    name: 'KAFKA_CLIENT_ID',
    meaning: 'Client name at the brokers.',
    default: 'rollcall',
    schema: resourceName,
  },
  kafkaCompression: {
    name: 'KAFKA_COMPRESSION',
    meaning: 'How deliveries are compressed.',
    default: 'zstd',
    schema: oneOf(['zstd', 'gzip', 'none']),
  },
  kafkaAppendTimeoutMs: {
    name: 'KAFKA_APPEND_TIMEOUT_MS',
    meaning: 'How long Kafka may take to accept a delivery before the spool takes it.',
    default: '2000',
    schema: wholeNumber(100, 60_000),
  },
  kafkaSessionTimeoutMs: {
    name: 'KAFKA_SESSION_TIMEOUT_MS',
    meaning: 'Time without a heartbeat after which the work of a consumer goes to the others.',
    default: '10000',
    schema: wholeNumber(1_000, 600_000),
  },
  kafkaSaslMechanism: {
    name: 'KAFKA_SASL_MECHANISM',
    meaning: 'SASL mechanism for the brokers; empty: no login.',
    default: undefined,
    schema: oneOf(['plain', 'scram-sha-256', 'scram-sha-512']),
  },
  kafkaSaslUsername: {
    name: 'KAFKA_SASL_USERNAME',
    meaning: 'User at the brokers.',
    default: undefined,
    schema: text,
  },
  kafkaSaslPassword: {
    name: 'KAFKA_SASL_PASSWORD',
    meaning: 'Password at the brokers.',
    default: undefined,
    schema: text,
    isSecret: true,
  },
  kafkaTls: {
    name: 'KAFKA_TLS',
    meaning: 'Whether to use TLS with the brokers.',
    default: 'off',
    schema: onOff,
  },
  kafkaTlsCa: {
    name: 'KAFKA_TLS_CA_PATH',
    meaning: 'PEM file of the authority that signed the brokers’ certificates, where it is not a public one.',
    default: undefined,
    schema: pemFile,
  },
  kafkaTlsCert: {
    name: 'KAFKA_TLS_CERT_PATH',
    meaning: 'PEM file of the client certificate, if the brokers require one.',
    default: undefined,
    schema: pemFile,
  },
  kafkaTlsKey: {
    name: 'KAFKA_TLS_KEY_PATH',
    meaning: 'PEM file of the key of that certificate.',
    default: undefined,
    schema: pemFile,
  },
  spoolDir: {
    name: 'SPOOL_DIR',
    meaning:
      'Directory of deliveries acknowledged while Kafka was away; must outlive the process. Default: DATA_DIR/spool.',
    default: undefined,
    schema: text,
  },
  spoolMaxBytes: {
    name: 'SPOOL_MAX_BYTES',
    meaning: 'Maximum bytes of deliveries in the spool; beyond it ingest answers 503.',
    default: '10737418240',
    schema: wholeNumber(1024 ** 2, 100 * 1024 ** 4),
  },
  ingestAdminUrls: {
    name: 'INGEST_ADMIN_URLS',
    meaning:
      'Admin addresses of the ingest processes, http://ingest:9464,... The consumer asks them what their spools hold, so that no ' +
      'number claims to be complete past it, and how many receipts they gave, so that the ledger shows what a log has lost. A name with several addresses stands for all. Default: spools are not asked.',
    default: undefined,
    schema: webAddresses,
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    meaning:
      'HTTP interface of ClickHouse, http://host:8123. Only for the distributed processes, like all CLICKHOUSE_ settings; required there.',
    default: undefined,
    schema: webAddress,
  },
  clickhouseUser: {
    name: 'CLICKHOUSE_USER',
    meaning: 'User at ClickHouse; the consumer writes, the dashboards only read.',
    default: 'default',
    schema: text,
  },
  clickhousePassword: {
    name: 'CLICKHOUSE_PASSWORD',
    meaning: 'Password at ClickHouse.',
    default: undefined,
    schema: text,
    isSecret: true,
  },
  clickhouseCluster: {
    name: 'CLICKHOUSE_CLUSTER',
    meaning: 'Name of the cluster, all of whose replicas hold everything; empty: a single server.',
    default: undefined,
    schema: resourceName,
  },
  clickhouseCa: {
    name: 'CLICKHOUSE_CA_PATH',
    meaning: 'PEM file of the authority that signed the certificate of ClickHouse, where it is not a public one.',
    default: undefined,
    schema: pemFile,
  },
} as const
