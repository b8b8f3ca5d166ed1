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
  /** How many replicas must have a record before it is acknowledged. */
  minInsyncReplicas: number
  /** How long deliveries are kept, for rebuilding the store and for outages of it. */
  retentionMs: number
  /** Largest body of a webhook; the topic must accept a record around it. */
  maxBodyBytes: number
}

/** Less would be removed before a weekend's outage is noticed. */
export const shortestRetentionMs = 72 * 60 * 60_000

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
  isUnsafe(is: string, value: string | number, facts: TopicFacts): boolean
  problem: string
}

const rules: readonly Rule[] = [
  {
    setting: 'min.insync.replicas',
    // One copy may be lost.
    value: ({ minInsyncReplicas }, replicas) => Math.max(minInsyncReplicas, replicas >= 3 ? 2 : 1),
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
  {
    setting: 'message.timestamp.after.max.ms',
    value: () => '9223372036854775807',
    isUnsafe: (is, _, { config }) =>
      config.get('message.timestamp.type') === 'CreateTime' && Number(is || Infinity) < 3_600_000,
    problem: 'a clock that is a little ahead makes Kafka refuse records',
  },
]

const toConfig = (settings: TopicSettings) =>
  rules.map(({ setting, value }) => ({
    name: setting,
    value: String(value(settings, settings.replicationFactor)),
  }))

/** Creates the topic if missing, and throws a `StartError` if it is unsafe. Returns its partitions. */
export async function ensureTopic(kafka: Kafka, settings: TopicSettings): Promise<number> {
  return withAdmin(kafka, async (admin) => {
    if (!(await admin.listTopics()).includes(settings.topic)) {
      await createTopic(admin, settings)
      await untilThere(admin, settings.topic)
    }
    return check(admin, settings)
  })
}

/** Like `ensureTopic`, for a process that may not create topics. */
export async function checkTopic(kafka: Kafka, settings: TopicSettings): Promise<number> {
  return withAdmin(kafka, (admin) => check(admin, settings))
}

async function createTopic(admin: Admin, settings: TopicSettings): Promise<void> {
  const { topic, partitions, replicationFactor } = settings
  const configEntries = toConfig(settings)
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
    throw toPermissionError(`see the topic ${topic}, or make it: ${toCreateCommand(settings)}`, cause)
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
  // Only a leader knows where its partition ends.
  const look = () => admin.fetchTopicOffsets(topic)
  await pRetry(look, {
    minTimeout: 100,
    factor: 1,
    retries: 150,
    shouldRetry: ({ error }) => isRetriable(error),
  })
}

async function check(admin: Admin, settings: TopicSettings): Promise<number> {
  const facts = await readFacts(admin, settings.topic).catch((cause: unknown) => {
    if (!hasType(cause, 'TOPIC_AUTHORIZATION_FAILED')) throw cause
    throw toPermissionError(`read the settings of the topic ${settings.topic}`, cause)
  })
  if (facts === undefined) {
    throw new StartError(
      `The topic ${settings.topic} is not there. The consumer makes it at its start; or:\n  ${toCreateCommand(settings)}`,
    )
  }
  const problems = findTopicProblems(facts, settings)
  if (problems.length > 0) throw new StartError(toRefusal(settings.topic, problems))
  return facts.partitions
}

async function readFacts(admin: Admin, topic: string): Promise<TopicFacts | undefined> {
  if (!(await admin.listTopics()).includes(topic)) return undefined
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
  const partitions = topics[0]?.partitions ?? []
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
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
    return isUnsafe(is, shouldBe, facts) ? [{ setting, is, shouldBe, problem }] : []
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

function toCreateCommand(settings: TopicSettings): string {
  const { topic, partitions, replicationFactor } = settings
  const config = toConfig(settings).map(({ name, value }) => ` --config ${name}=${value}`)
  return (
    `kafka-topics.sh --bootstrap-server <broker> --create --topic ${topic} --partitions ${partitions} ` +
    `--replication-factor ${replicationFactor}${config.join('')}`
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
