/** The settings of the distributed processes: Kafka, the spool before it, and ClickHouse servers. */
import { z } from 'zod'
import { setting, oneOf, toEntries, pemFile, webAddress, webAddresses, wholeNumber } from './setting.ts'

const text = z.string()

/** `host:port,...` */
const brokerList = setting((text, refuse): string[] => {
  const brokers = toEntries(text)
  const areBrokers = brokers.every((broker) => /^(\[[0-9a-f:.]+\]|[A-Za-z0-9._-]+):\d{1,5}$/i.test(broker))
  return areBrokers ? brokers : refuse('must be host:port,..., such as kafka-1:9092,kafka-2:9092')
})

const resourceName = z.string().regex(/^[A-Za-z0-9._-]{1,200}$/, 'must have letters, digits and . _ - only')
const onOff = oneOf(['on', 'off'])

/** In the order of `.env.example`. */
export const distributedVariables = {
  kafkaBrokers: {
    meaning:
      'Initial brokers, host:port,... Only for the distributed processes, like all KAFKA_ settings; required there.',
    schema: brokerList,
  },
  kafkaTopic: {
    meaning: 'Topic of the event log; created if missing.',
    default: 'rollcall-deliveries',
    schema: resourceName,
  },
  kafkaPartitions: {
    meaning: 'Partitions of a created topic: the maximum number of consumers that share the work.',
    default: '6',
    schema: wholeNumber(1, 1_000),
  },
  kafkaReplicationFactor: {
    meaning: 'Copies of each record of a created topic.',
    default: '3',
    schema: wholeNumber(1, 15),
  },
  kafkaMinInsyncReplicas: {
    meaning: 'Copies that must be written before a delivery is acknowledged; a topic that requires fewer is refused.',
    default: '2',
    schema: wholeNumber(1, 15),
  },
  kafkaRetentionHours: {
    meaning: 'How long a created topic keeps deliveries, stored or not. A topic with a shorter time is refused.',
    default: '168',
    schema: wholeNumber(1, 100_000),
  },
  kafkaGroupId: { meaning: 'Group of the consumers that share the work.', default: 'rollcall', schema: resourceName },
  kafkaClientId: { meaning: 'Client name at the brokers.', default: 'rollcall', schema: resourceName },
  kafkaCompression: {
    meaning: 'How deliveries are compressed.',
    default: 'zstd',
    schema: oneOf(['zstd', 'gzip', 'none']),
  },
  kafkaAppendTimeoutMs: {
    meaning: 'How long Kafka may take to accept a delivery before the spool takes it.',
    default: '2000',
    schema: wholeNumber(100, 60_000),
  },
  kafkaSessionTimeoutMs: {
    meaning: 'Time without a heartbeat after which the work of a consumer goes to the others.',
    default: '10000',
    schema: wholeNumber(1_000, 600_000),
  },
  kafkaSaslMechanism: {
    meaning: 'SASL mechanism for the brokers; empty: no login.',
    schema: oneOf(['plain', 'scram-sha-256', 'scram-sha-512']),
  },
  kafkaSaslUsername: { meaning: 'User at the brokers.', schema: text },
  kafkaSaslPassword: { meaning: 'Password at the brokers.', schema: text, isSecret: true },
  kafkaTls: { meaning: 'Whether to use TLS with the brokers.', default: 'off', schema: onOff },
  kafkaTlsCa: {
    name: 'KAFKA_TLS_CA_PATH',
    meaning: 'PEM file of the authority that signed the brokers’ certificates, where it is not a public one.',
    schema: pemFile,
  },
  kafkaTlsCert: {
    name: 'KAFKA_TLS_CERT_PATH',
    meaning: 'PEM file of the client certificate, if the brokers require one.',
    schema: pemFile,
  },
  kafkaTlsKey: { name: 'KAFKA_TLS_KEY_PATH', meaning: 'PEM file of the key of that certificate.', schema: pemFile },
  spoolDir: {
    meaning:
      'Directory of deliveries acknowledged while Kafka was away; must outlive the process. Default: DATA_DIR/spool.',
    schema: text,
  },
  spoolMaxBytes: {
    meaning: 'Maximum bytes of deliveries in the spool; beyond it ingest answers 503.',
    default: '10737418240',
    schema: wholeNumber(1024 ** 2, 100 * 1024 ** 4),
  },
  ingestAdminUrls: {
    meaning:
      'Admin addresses of the ingest processes, http://ingest:9464,... The consumer asks them what their spools hold, so that no ' +
      'number claims to be complete past it, and how many receipts they gave, so that the ledger shows what a log has lost. A name with several addresses stands for all. Default: spools are not asked.',
    schema: webAddresses,
  },
  clickhouseUrl: {
    meaning:
      'HTTP interface of ClickHouse, http://host:8123. Only for the distributed processes, like all CLICKHOUSE_ settings; required there.',
    schema: webAddress,
  },
  clickhouseUser: {
    meaning: 'User at ClickHouse; the consumer writes, the dashboards only read.',
    default: 'default',
    schema: text,
  },
  clickhousePassword: { meaning: 'Password at ClickHouse.', schema: text, isSecret: true },
  clickhouseCluster: {
    meaning: 'Name of the cluster, all of whose replicas hold everything; empty: a single server.',
    schema: resourceName,
  },
  clickhouseCa: {
    name: 'CLICKHOUSE_CA_PATH',
    meaning: 'PEM file of the authority that signed the certificate of ClickHouse, where it is not a public one.',
    schema: pemFile,
  },
} as const
