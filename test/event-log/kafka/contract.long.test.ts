import { describe } from 'vitest'
import { openKafkaLogReader } from '../../../services/event-log/kafka/reader/reader.ts'
import { createKafka } from '../../../services/event-log/kafka/settings.ts'
import { ensureTopic } from '../../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../../services/event-log/kafka/writer/writer.ts'
import { findBroker, toSettings } from '../../support/kafka/broker.ts'
import { describeEventLog } from '../contract.ts'
import { logger, topicSettings } from './kafka.ts'
import { pick } from '../../support/tiers.ts'

const broker = await findBroker()

describe.skipIf(broker === undefined)('Kafka', () => {
  describe.each(pick([3, 1], 2))('%i partition(s)', (partitions) => {
    describeEventLog('a topic', async () => {
      const settings = toSettings(broker as NonNullable<typeof broker>)
      await ensureTopic(createKafka(settings, logger), { ...topicSettings(settings.topic), partitions })
      return {
        openWriter: (limits) => openKafkaLogWriter({ settings, logger, ...limits }),
        openReader: () => openKafkaLogReader({ settings, logger, sessionTimeoutMs: 6_000 }),
        dispose: async () => {},
      }
    })
  })
})
