import type { Config, ConfigWith } from '../config/config.ts'

/** The environment decides where the data is: with Kafka and a ClickHouse server there, else in DATA_DIR. */
export function isDistributed(config: Config): config is ConfigWith<'kafkaBrokers' | 'clickhouseUrl'> {
  return config.clickhouseUrl !== undefined && config.kafkaBrokers !== undefined
}
