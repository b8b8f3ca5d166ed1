/** The spool before the real writer to Kafka, whose time limit for an append is the only one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createKafka } from '../../../services/event-log/kafka/settings.ts'
import { ensureTopic } from '../../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../../services/event-log/kafka/writer/writer.ts'
import { openSpooledLogWriter } from '../../../services/event-log/spool/spool.ts'
import { findBroker, toSettings } from '../../support/kafka/broker.ts'
import { until } from '../../support/wait.ts'
import { logger, topicSettings } from '../kafka/kafka.ts'
import { toRecord } from '../records.ts'

/** The library's connection, for a broker that takes a request and never answers. */
const Broker = createRequire(import.meta.url)('kafkajs/src/broker') as { prototype: { produce(): Promise<unknown> } }

const broker = await findBroker()

describe.skipIf(broker === undefined)('a spool before Kafka', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-spool-'))
  afterEach(() => {
    vi.restoreAllMocks()
    rmSync(directory, { recursive: true })
  })

  test('acknowledges what Kafka does not answer, while the send still hangs, and hands it on once it has ended', async () => {
    const settings = toSettings(broker as NonNullable<typeof broker>)
    await ensureTopic(createKafka(settings, logger), topicSettings(settings.topic))
    const primary = await openKafkaLogWriter({ settings, logger, appendTimeoutMs: 2_000 })
    await primary.append(toRecord('before'))
    const spooled = await openSpooledLogWriter({ primary, directory, maxBytes: 1_000_000 })

    const hanging = Promise.withResolvers<never>()
    const produce = vi.spyOn(Broker.prototype, 'produce').mockReturnValue(hanging.promise)
    await Promise.all(['one', 'two', 'three'].map((body) => spooled.append(toRecord(body))))
    expect(produce).toHaveBeenCalledOnce()
    expect(primary.pending().records).toBeGreaterThanOrEqual(3)
    expect(await spooled.stats()).toMatchObject({ spooled: 3, isSpooling: true, drained: 0 })

    produce.mockRestore()
    hanging.reject(new Error('The connection broke'))
    await until(async () => (await spooled.stats()).records === 0)
    expect(await spooled.stats()).toMatchObject({ isSpooling: false, drained: 3 })
    await spooled.close()
    await primary.close()
  })
})
