/** How many records of the topic are past what consumers have reported to Kafka as stored, asked beside them. */
import type { Kafka } from 'kafkajs'
import { withAdmin } from './topic.ts'
import type { KafkaSettings } from './settings.ts'

export async function countWaiting(kafka: Kafka, { topic, groupId }: KafkaSettings): Promise<number> {
  return withAdmin(kafka, async (admin) => {
    const ends = await admin.fetchTopicOffsets(topic)
    const [reported] = await admin.fetchOffsets({ groupId, topics: [topic] })
    const offsets = new Map(reported?.partitions.map(({ partition, offset }) => [partition, Number(offset)]))
    const waiting = ends.map(
      ({ partition, low, high }) => Number(high) - Math.max(Number(low), offsets.get(partition) ?? 0),
    )
    return waiting.reduce((sum, records) => sum + Math.max(0, records), 0)
  })
}
