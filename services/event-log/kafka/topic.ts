/**
 * The topic of the event log: created if missing, and checked before use. An existing topic is never altered: its
 * settings may be deliberate. Unsafe settings stop the start, with the command that fixes them.
 */
import kafkajs, { type Admin, type Kafka } from 'kafkajs'
import { StartError } from '../../config/start-error.ts'
import { hasType, isRetriable, toText } from './errors.ts'
import type { KafkaSettings } from './settings.ts'
import { readTopic } from './topic-id.ts'
import pRetry from 'p-retry'

export type TopicSettings = {
  topic: string
  /**
   * The maximum number of consumers that share the work. May be raised later: a key may then change its partition, which
   * is harmless.
   */
  partitions: number
  replicationFactor: number
  /** How long deliveries are kept, for rebuilding the store and for outages of it. */
  retentionMs: number
  /** Largest body of a webhook; the topic must accept a record around it. */
  maxBodyBytes: number
}

/** Less would be removed before a weekend's outage is noticed. */
const shortestRetentionMs = 72 * 60 * 60_000

/** Key, headers and batch overhead around a body; compression can make a body slightly larger. */
const recordOverheadBytes = 64 * 1024

const { ConfigResourceTypes } = kafkajs

/** The settings that the check reads, of an existing topic. */
export type TopicFacts = {
  partitions: number
  replicationFactor: number
  config: ReadonlyMap<string, string>
}

/** A setting that could lose an acknowledged record, or refuse one: its value in a new topic, and which others are unsafe. */
type Rule = {
  setting: string
  value(settings: TopicSettings, replicationFactor: number): string | number
  isUnsafe(is: string, value: string | number): boolean
  problem: string
}

const rules: readonly Rule[] = [
  {
    setting: 'min.insync.replicas',
    // One copy may be lost.
    value: ({ replicationFactor }, replicas) => Math.min(2, Math.max(replicationFactor, replicas)),
    isUnsafe: (is, value) => Number(is) < Number(value),
    problem: 'records are acknowledged before enough replicas have them',
  },
  {
    setting: 'cleanup.policy',
    value: () => 'delete',
    isUnsafe: (is) => is !== 'delete',
    problem: 'compaction removes all but the last record of a key',
  },
  {
    setting: 'unclean.leader.election.enable',
    value: () => 'false',
    isUnsafe: (is) => is === 'true',
    problem: 'a replica that is behind may become leader, and the rest is lost',
  },
  {
    setting: 'retention.ms',
    value: ({ retentionMs }) => retentionMs,
    isUnsafe: (is, value) => Number(is) >= 0 && Number(is) < Math.min(shortestRetentionMs, Number(value)),
    problem: 'records are removed too soon, stored or not',
  },
  {
    setting: 'retention.bytes',
    value: () => -1,
    isUnsafe: (is) => Number(is) >= 0,
    problem: 'records are removed by size, stored or not',
  },
  {
    setting: 'max.message.bytes',
    value: ({ maxBodyBytes }) => maxBodyBytes + recordOverheadBytes,
    isUnsafe: (is, value) => Number(is) < Number(value),
    problem: 'the largest bodies that ingest takes (MAX_BODY_BYTES) would be refused',
  },
]

/**
 * Creates the topic if missing, and throws a `StartError` if it is unsafe. Returns its partitions. `mayCreate`: default true; without it,
 * a missing topic is a `StartError`, too.
 */
export async function ensureTopic(kafka: Kafka, settings: TopicSettings, mayCreate = true): Promise<number> {
  const { topic } = settings
  return withAdmin(kafka, async (admin) => {
    if (!(await admin.listTopics()).includes(topic)) {
      if (!mayCreate)
        throw new StartError(`The topic ${topic} is not there. Start the consumer, which makes it.`)
      await createTopic(admin, settings)
      await untilThere(admin, topic)
    }
    const facts = await readFacts(admin, topic)
    const problems = findTopicProblems(facts, settings)
    if (problems.length > 0) throw new StartError(toRefusal(topic, problems))
    return facts.partitions
  })
}

async function createTopic(admin: Admin, settings: TopicSettings): Promise<void> {
  const { topic, partitions, replicationFactor } = settings
  const configEntries = rules.map(({ setting, value }) => ({
    name: setting,
    value: String(value(settings, replicationFactor)),
  }))
  try {
    await admin.createTopics({
      // The client asks for leaders once more, and accepts "not there yet".
      waitForLeaders: false,
      topics: [{ topic, numPartitions: partitions, replicationFactor, configEntries }],
    })
  } catch (cause) {
    // Several processes may start at once: the check that follows applies to the first one's topic.
    if (hasType(cause, 'TOPIC_ALREADY_EXISTS')) return
    if (hasType(cause, 'INVALID_REPLICATION_FACTOR')) {
      throw new StartError(
        `The topic ${topic} cannot be made with ${replicationFactor} replicas: there are not as many brokers. ` +
          'Start them, or set KAFKA_REPLICATION_FACTOR to the number of brokers.',
        { cause },
      )
    }
    if (isRetriable(cause)) throw cause
    throw toPermissionError(`see the topic ${topic}, or make it`, cause)
  }
}

/** `needed`: what the user may not do. */
function toPermissionError(needed: string, cause: unknown): StartError {
  const where = 'The permissions that it needs are in docs/moving-up.md.'
  return new StartError(`Kafka (${toText(cause)}) does not let this user ${needed}. ${where}`, { cause })
}

/**
 * Brokers learn of a new topic one after another, and lead its partitions a moment later. Without waiting, the first send
 * fails for some partitions and is repeated for all.
 */
async function untilThere(admin: Admin, topic: string): Promise<void> {
  const shouldRetry = ({ error }: { error: Error }) => isRetriable(error)
  // Only a leader knows where its partition ends.
  await pRetry(() => admin.fetchTopicOffsets(topic), {
    minTimeout: 100,
    factor: 1,
    retries: 150,
    shouldRetry,
  })
}

async function readFacts(admin: Admin, topic: string): Promise<TopicFacts> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
  const partitions = topics[0]?.partitions ?? []
  const described = admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
  })
  const { resources } = await described.catch((cause: unknown) => {
    if (!hasType(cause, 'TOPIC_AUTHORIZATION_FAILED')) throw cause
    throw toPermissionError(`read the settings of the topic ${topic}`, cause)
  })
  const entries = resources[0]?.configEntries ?? []
  return {
    partitions: partitions.length,
    replicationFactor: Math.min(...partitions.map(({ replicas }) => replicas.length)),
    config: new Map(entries.map(({ configName, configValue }) => [configName, configValue])),
  }
}

export function findTopicProblems(facts: TopicFacts, settings: TopicSettings) {
  return rules.flatMap(({ setting, value, isUnsafe, problem }) => {
    const is = facts.config.get(setting) ?? ''
    const shouldBe = value(settings, facts.replicationFactor)
    return isUnsafe(is, shouldBe) ? [{ setting, is, shouldBe, problem }] : []
  })
}

function toRefusal(topic: string, problems: ReturnType<typeof findTopicProblems>): string {
  const lines = problems.map(
    ({ setting, is, problem, shouldBe }) => `  - ${setting} is ${is}, should be ${shouldBe}: ${problem}`,
  )
  const config = problems.map(({ setting, shouldBe }) => `${setting}=${shouldBe}`).join(',')
  return (
    `The Kafka topic ${topic} is not safe:\n${lines.join('\n')}\nChange it with:\n` +
    `  kafka-configs.sh --bootstrap-server <broker> --alter --entity-type topics --entity-name ${topic} --add-config ${config}`
  )
}

/** One conversation with the brokers, ended whatever comes of it. */
async function withAdmin<T>(kafka: Kafka, ask: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    return await ask(admin)
  } finally {
    await admin.disconnect()
  }
}

/** Per partition of the topic: its first offset, and the one after its last record. */
export async function readEnds(
  kafka: Kafka,
  { topic }: KafkaSettings,
): Promise<{ partition: number; low: number; high: number }[]> {
  const offsets = await withAdmin(kafka, (admin) => admin.fetchTopicOffsets(topic))
  return offsets.map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }))
}

/** The id of the topic, for one command. */
export function readTopicId(kafka: Kafka, { topic }: KafkaSettings): Promise<string> {
  return withAdmin(kafka, async (admin) => (await readTopic(admin, topic)).id)
}

/**
 * For a consumer: the id of its topic. Throws a `StartError` when Kafka does not answer in time, when the topic is not safe, and
 * where this user may not read with the group, which would go unseen: such a consumer has no partition of which anything waits.
 */
export async function awaitTopic(
  kafka: Kafka,
  settings: TopicSettings,
  groupId: string,
  timeoutMs: number,
): Promise<string> {
  const look = async () => {
    await ensureTopic(kafka, settings)
    return withAdmin(kafka, async (admin) => {
      await admin.fetchOffsets({ groupId, topics: [settings.topic] })
      return (await readTopic(admin, settings.topic)).id
    })
  }
  return pRetry(look, {
    minTimeout: 250,
    maxTimeout: 2_000,
    retries: 1_000,
    maxRetryTime: timeoutMs,
    shouldRetry: ({ error }) => !(error instanceof StartError),
  }).catch((cause: unknown) => {
    if ((cause as Error).name !== 'KafkaJSGroupCoordinatorNotFound') throw toStartError(cause)
    throw toPermissionError(`read with the group ${groupId} (KAFKA_GROUP_ID)`, cause)
  })
}

/** What the brokers did not do, in words for the operator. */
export function toStartError(cause: unknown): StartError {
  if (cause instanceof StartError) return cause
  return new StartError(
    `Kafka cannot be reached (${toText(cause)}). Start it, or set KAFKA_BROKERS, KAFKA_TLS and KAFKA_SASL_... to what it has.`,
    { cause },
  )
}
