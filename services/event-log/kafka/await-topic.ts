/** For a process that needs Kafka: its topic once Kafka answers, or a message that says what to do. */
import pRetry from 'p-retry'
import type { Kafka } from 'kafkajs'
import { StartError } from '../../config/start-error.ts'
import { ensureTopic, type TopicSettings } from './topic.ts'

/** Its partitions. Throws a `StartError` when Kafka does not answer in time, or when the topic is not safe. */
export async function awaitTopic(kafka: Kafka, settings: TopicSettings, timeoutMs: number): Promise<number> {
  return pRetry(() => ensureTopic(kafka, settings), {
    minTimeout: 250,
    maxTimeout: 2_000,
    retries: 1_000,
    maxRetryTime: timeoutMs,
    shouldRetry: ({ error }) => !(error instanceof StartError),
  }).catch((cause: unknown): never => {
    if (cause instanceof StartError) throw cause
    throw new StartError(
      `Kafka cannot be reached (${(cause as Error).message}). Start it, or set KAFKA_BROKERS, KAFKA_TLS and KAFKA_SASL_... to what it has.`,
      { cause },
    )
  })
}
