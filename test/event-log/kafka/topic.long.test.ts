import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Kafka } from 'kafkajs'
import { createKafka } from '../../../services/event-log/kafka/settings.ts'
import { ensureTopic, findTopicProblems, type TopicFacts } from '../../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../../services/event-log/kafka/writer/writer.ts'
import { StartError } from '../../../services/config/start-error.ts'
import { findBroker, toSettings } from '../../support/kafka/broker.ts'
import { logger, topicSettings } from './kafka.ts'
import { toRecord } from '../records.ts'

const broker = await findBroker()
const hour = 3_600_000

describe('what makes a topic unsafe', () => {
  const safe = {
    'min.insync.replicas': '2',
    'cleanup.policy': 'delete',
    'unclean.leader.election.enable': 'false',
    'retention.ms': String(168 * hour),
    'retention.bytes': '-1',
    'max.message.bytes': '2000000',
  }
  const toFacts = (config: Record<string, string>): TopicFacts => ({
    partitions: 3,
    replicationFactor: 3,
    config: new Map(Object.entries({ ...safe, ...config })),
  })
  const settings = { ...topicSettings('deliveries'), replicationFactor: 3 }
  test.each<[Record<string, string>, string[], Partial<typeof settings>?]>([
    [{ 'min.insync.replicas': '1' }, ['min.insync.replicas=2']],
    // Also where one was asked for.
    [{ 'min.insync.replicas': '1' }, ['min.insync.replicas=2'], { replicationFactor: 1 }],
    [{ 'min.insync.replicas': '3' }, []],
    [{ 'cleanup.policy': 'compact' }, ['cleanup.policy=delete']],
    [{ 'cleanup.policy': 'compact,delete' }, ['cleanup.policy=delete']],
    [{ 'unclean.leader.election.enable': 'true' }, ['unclean.leader.election.enable=false']],
    [{ 'retention.ms': String(hour) }, [`retention.ms=${168 * hour}`]],
    [{ 'retention.ms': '-1' }, []],
    [{ 'retention.ms': String(72 * hour) }, []],
    // As short as it was asked for.
    [{ 'retention.ms': String(2 * hour) }, [], { retentionMs: 2 * hour }],
    [{ 'retention.bytes': '1000000' }, ['retention.bytes=-1']],
    [{ 'max.message.bytes': '1048588' }, ['max.message.bytes=1114112']],
    [{}, []],
  ])('of %j: %j', (config, problems, asked = {}) => {
    const found = findTopicProblems(toFacts(config), { ...settings, ...asked })
    expect(found.map(({ setting, shouldBe }) => `${setting}=${shouldBe}`)).toEqual(problems)
  })
})

describe.skipIf(broker === undefined)('the topic on a real broker', () => {
  let kafka: Kafka
  let topic: string

  beforeAll(() => {
    kafka = createKafka(toSettings(broker as NonNullable<typeof broker>), logger)
  })
  const newTopic = () => (topic = `test-${randomBytes(6).toString('hex')}`)

  async function createPlain(configEntries: { name: string; value: string }[] = []) {
    const admin = kafka.admin()
    await admin.connect()
    await admin.createTopics({
      topics: [{ topic: newTopic(), numPartitions: 2, replicationFactor: 1, configEntries }],
    })
    await admin.disconnect()
  }

  test('is made as asked, once, also by two processes at the same time, and is then safe', async () => {
    const settings = { ...topicSettings(newTopic()), partitions: 5 }
    expect(await Promise.all([ensureTopic(kafka, settings), ensureTopic(kafka, settings)])).toEqual([5, 5])
    expect(await ensureTopic(kafka, { ...settings, partitions: 2 })).toBe(5)
    expect(await ensureTopic(kafka, settings, false)).toBe(5)
  })

  test('that is not there is not made by who only checks, and the message says what makes it', async () => {
    const settings = topicSettings(newTopic())
    const error = await ensureTopic(kafka, settings, false).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toMatch(`The topic ${topic} is not there. Start the consumer`)
  })

  test('with unsafe settings is refused with the command that repairs it, and not changed', async () => {
    await createPlain([
      { name: 'cleanup.policy', value: 'compact' },
      { name: 'retention.ms', value: '60000' },
    ])
    const error = await ensureTopic(kafka, topicSettings(topic)).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(StartError)
    const { message } = error as Error
    expect(message).toContain(
      `--entity-name ${topic} --add-config cleanup.policy=delete,retention.ms=604800000,max.message.`,
    )
    expect(message).toContain('records are removed too soon')
    await expect(ensureTopic(kafka, topicSettings(topic))).rejects.toThrow(message)
  })

  test('cannot have more replicas than there are brokers, and the message says what to do', async () => {
    const settings = { ...topicSettings(newTopic()), replicationFactor: 3 }
    await expect(ensureTopic(kafka, settings)).rejects.toThrow(/3 replicas.*KAFKA_REPLICATION_FACTOR/)
  })

  test('cannot have settings that Kafka does not know or take, and the message says so', async () => {
    const settings = { ...topicSettings(newTopic()), maxBodyBytes: -1_000_000 }
    const made = ensureTopic(kafka, settings)
    await expect(made).rejects.toBeInstanceOf(StartError)
    await expect(made).rejects.toThrow(/nvalid.*does not let this user see the topic/s)
  })

  test('takes what a spool has held for longer than Kafka takes records of the past', async () => {
    await createPlain([{ name: 'message.timestamp.before.max.ms', value: '1000' }])
    const settings = { ...toSettings(broker as NonNullable<typeof broker>), topic }
    const writer = await openKafkaLogWriter({ settings, logger })
    await writer.append({ ...toRecord('spooled'), receivedAt: Date.now() - 2 * hour })
    await writer.close()
  })
})
