/** The parts that the tests of the Kafka adapter share. */
import type { TopicSettings } from '../../../services/event-log/kafka/topic.ts'
import { createLogger } from '../../../services/runtime/logger.ts'

export const logger = createLogger({
  part: 'test',
  level: process.env['TEST_LOG_LEVEL'] === 'debug' ? 'debug' : 'silent',
})

export function topicSettings(topic: string): TopicSettings {
  return {
    topic,
    partitions: 3,
    replicationFactor: 1,
    retentionMs: 7 * 86_400_000,
    maxBodyBytes: 1_048_576,
  }
}
