/** The settings of the distributed processes: Kafka, the spool before it, and ClickHouse servers. */
import { z } from 'zod'
import { setting, oneOf, toEntries, pemFile, webAddress, webAddresses, wholeNumber } from './setting.ts'

const text = z.string()

const brokerList = setting((text, refuse): string[] => {
  const brokers = toEntries(text)
  const areBrokers = brokers.every((broker) => /^(\[[0-9a-f:.]+\]|[A-Za-z0-9._-]+):\d{1,5}$/i.test(broker))
  return areBrokers ? brokers : refuse('must be host:port,..., such as kafka-1:9092,kafka-2:9092')
})

const resourceName = z.string().regex(/^[A-Za-z0-9._-]{1,200}$/, 'must have letters, digits and . _ - only')
const onOff = oneOf(['on', 'off'])

export const distributedVariables = {
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
} as const
