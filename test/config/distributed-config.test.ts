import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseConfig, type Needed } from '../../services/config/config.ts'
import { fileDirectory } from '../support/directories.ts'

const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const directory = fileDirectory()
const pemPath = join(directory, 'some.pem')
writeFileSync(pemPath, pem)

function problems(env: Record<string, string>, ...needed: Needed[]): string[] {
  const result = parseConfig(env, needed)
  return result.ok ? [] : result.problems.map((problem) => problem.split(':')[0] as string)
}

describe('the configuration of the distributed processes', () => {
  test('names every setting that a process cannot do without, and embedded mode needs none of them', () => {
    expect(problems({}, 'kafkaBrokers', 'clickhouseUrl', 'ingestTokens')).toEqual([
      'KAFKA_BROKERS',
      'CLICKHOUSE_URL',
      'INGEST_TOKENS',
    ])
    expect(problems({})).toEqual([])
  })

  test('names a setting once that is needed and cannot be read', () => {
    expect(problems({ KAFKA_BROKERS: 'kafka' }, 'kafkaBrokers')).toEqual(['KAFKA_BROKERS'])
  })

  test.each(['kafka-1:9092', '10.0.0.1:9092, kafka:9093', 'b-1.msk.eu-west-1.amazonaws.com:9096'])(
    '%s are brokers',
    (brokers) => expect(problems({ KAFKA_BROKERS: brokers })).toEqual([]),
  )
  test.each(['kafka', 'http://kafka:9092', 'a:1,,b:2', 'a:b', '[::1]:9092'])(
    '%s are no brokers',
    (brokers) => {
      expect(problems({ KAFKA_BROKERS: brokers })).toEqual(['KAFKA_BROKERS'])
    },
  )

  test('half a login, half a key pair and certificates without TLS are refused', () => {
    expect(problems({ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u' })).toEqual([
      'KAFKA_SASL_MECHANISM',
    ])
    expect(problems({ KAFKA_TLS: 'on', KAFKA_TLS_CERT_PATH: pemPath })).toEqual(['KAFKA_TLS_CERT_PATH'])
    expect(problems({ KAFKA_TLS_CA_PATH: pemPath })).toEqual(['KAFKA_TLS'])
    expect(problems({ LOG_RETENTION_HOURS: '0', KAFKA_BROKERS: 'kafka:9092' })).toEqual([
      'LOG_RETENTION_HOURS',
    ])
  })

  test('PEM files are read at once: one that is not there or is none is a problem of the configuration', () => {
    const result = parseConfig({ KAFKA_TLS: 'on', KAFKA_TLS_CA_PATH: pemPath })
    expect(result.ok && result.config.kafkaTlsCa).toBe(pem)
    writeFileSync(join(directory, 'other'), 'not one')
    expect(problems({ KAFKA_TLS: 'on', KAFKA_TLS_CA_PATH: join(directory, 'other') })).toEqual([
      'KAFKA_TLS_CA_PATH',
    ])
    expect(problems({ CLICKHOUSE_CA_PATH: join(directory, 'absent') })).toEqual(['CLICKHOUSE_CA_PATH'])
  })
})
