/** Checks whether the topic keeps what it acknowledges. */
import { toKafkaSettings, toTopicSettings } from '../../event-log/kafka/config.ts'
import { createKafka } from '../../event-log/kafka/settings.ts'
import { checkTopic } from '../../event-log/kafka/topic.ts'
import type { ConfigWith } from '../../config/config.ts'
import { createLogger } from '../../runtime/logger.ts'
import { StartError } from '../../config/start-error.ts'
import type { Finding } from './finding.ts'

export async function checkKafka(config: ConfigWith<'kafkaBrokers'>): Promise<Finding[]> {
  const logger = createLogger({ part: 'cli', level: 'silent' })
  try {
    await checkTopic(createKafka(toKafkaSettings(config), logger), toTopicSettings(config))
    return []
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return [
      {
        code: 'topic_unsafe',
        severity: 'problem',
        what: error.message,
        why: 'Ingest refuses to start on it: it can lose acknowledged deliveries.',
        todo: 'Configure the topic as described above.',
      },
    ]
  }
}
