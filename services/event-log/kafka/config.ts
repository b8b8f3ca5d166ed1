/** Turns a process's configuration into the options of the Kafka adapter. */
import type { SASLOptions } from 'kafkajs'
import type { ConfigWith } from '../../config/config.ts'
import type { KafkaSettings } from './settings.ts'
import type { TopicSettings } from './topic.ts'

export function toKafkaSettings(config: ConfigWith<'kafkaBrokers'>): KafkaSettings {
  const { kafkaSaslMechanism: mechanism, kafkaSaslUsername: username, kafkaSaslPassword: password } = config
  const { kafkaTlsCa: ca, kafkaTlsCert: certificate, kafkaTlsKey: key } = config
  return {
    brokers: config.kafkaBrokers,
    topic: config.kafkaTopic,
    groupId: config.kafkaGroupId,
    // Set together, or none of them: the configuration is refused otherwise.
    sasl: mechanism && ({ mechanism, username, password } as SASLOptions),
    tls: config.kafkaTls === 'on' ? { ca, certificate, key } : undefined,
  }
}

export function toTopicSettings(config: ConfigWith<'kafkaBrokers'>): TopicSettings {
  return {
    topic: config.kafkaTopic,
    partitions: config.kafkaPartitions,
    replicationFactor: config.kafkaReplicationFactor,
    retentionMs: config.logRetentionMs,
    maxBodyBytes: config.maxBodyBytes,
  }
}
