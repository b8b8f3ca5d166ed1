/** A topic gains partitions while deliveries run: all are read at once, and nothing is called complete that is not. */
import { expect, onTestFinished, test } from 'vitest'
import { createKafka } from '../../services/event-log/kafka/settings.ts'
import { openKafkaLogWriter } from '../../services/event-log/kafka/writer/writer.ts'
import { createLogger } from '../../services/runtime/logger.ts'
import { findBroker, toSettings } from '../support/kafka/broker.ts'
import { until } from '../support/wait.ts'
import { createDeliveries, toLogRecord } from './deliveries.ts'
import { noSessionEnds, openHarness } from './harness.ts'

const broker = await findBroker()
const logger = createLogger({ part: 'test', level: 'silent' })

test.skipIf(broker === undefined)(
  'each delivery is stored once, and complete only once it is stored',
  async () => {
    const harness = await openHarness(broker!, 'more partitions', noSessionEnds)
    onTestFinished(() => harness.dispose())

    async function completeThrough(): Promise<number | null> {
      const query =
        'SELECT toUnixTimestamp64Milli(complete_through) AS through FROM rollcall.complete_through'
      const answer = await harness.client.query({ query, format: 'JSONEachRow' })
      const [row] = await answer.json<{ through: string | number | null }>()
      return row?.through == null ? null : Number(row.through)
    }

    const consumers = [await harness.startConsumer(), await harness.startConsumer()]
    await harness.send(200)
    await harness.untilStored()
    await until(completeThrough, (through) => through !== null)

    const settings = { ...toSettings(broker!), topic: harness.topic }
    const admin = createKafka(settings, logger).admin()
    await admin.connect()
    await admin.createPartitions({ topicPartitions: [{ topic: harness.topic, count: 7 }] })
    // The first writer knows three partitions for minutes, a new one all seven: one assignment has events in two.
    const writer = await openKafkaLogWriter({ settings, logger })
    // The same deliveries as the first writer's: the two consumers work on the same assignments at once.
    const deliveries = createDeliveries('more partitions')
    const acknowledged: { at: number; id: string }[] = []
    for (let round = 0; round < 15; round++) {
      const records = Array.from({ length: 20 }, () => toLogRecord(deliveries.next()))
      await Promise.all(records.map((record) => writer.append(record)))
      harness.sent.push(...records)
      acknowledged.push(...records.map(({ eventId }) => ({ at: Date.now(), id: eventId })))
      await harness.send(20)
      const through = await completeThrough()
      if (through === null) continue
      const before = acknowledged.filter(({ at }) => at < through).map(({ id }) => id)
      // Some deliveries are not usable.
      const stored =
        'SELECT event_id FROM rollcall.event_rows UNION ALL SELECT event_id FROM rollcall.failed_event_rows'
      const query = `SELECT toUInt32(uniqExact(event_id)) AS n FROM (${stored}) WHERE hex(event_id) IN (SELECT upper(arrayJoin({ids:Array(String)})))`
      const answer = await harness.client.query({
        query,
        query_params: { ids: before },
        format: 'JSONEachRow',
      })
      const [row] = await answer.json<{ n: number }>()
      expect(row?.n).toBe(new Set(before).size)
    }
    await writer.close()
    await harness.untilStored()
    const end = Date.now()
    await until(completeThrough, (through) => through !== null && through > end)
    // An assignment that two consumers wrote at once is looked at again, after its partition has changed hands.
    const { expected } = await harness.compare()
    await expect.poll(async () => (await harness.compare()).stored).toEqual(expected)
    // A send of which a new partition refuses a part is repeated as a whole: the log may hold more than was sent.
    const offsets = await admin.fetchTopicOffsets(harness.topic)
    await admin.disconnect()
    const inLog = offsets.reduce((sum, { high }) => sum + Number(high), 0)
    expect(inLog).toBeGreaterThanOrEqual(harness.sent.length)
    expect(await harness.ledger()).toEqual({ given: inLog, difference: 0 })
    for (const consumer of consumers) expect(await consumer.stop(), consumer.output()).toBe(0)
  },
)
