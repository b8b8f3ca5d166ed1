/** A topic that is deleted and made again under a consumer, as processes. */
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createKafka } from '../../services/event-log/kafka/settings.ts'
import { ensureTopic, withAdmin } from '../../services/event-log/kafka/topic.ts'
import { logger, topicSettings } from '../event-log/kafka/kafka.ts'
import { findBroker, toSettings } from '../support/kafka/broker.ts'
import type { Child } from '../support/processes/child.ts'
import { runCli } from '../support/processes/cli.ts'
import { until } from '../support/wait.ts'
import { noSessionEnds, openHarness } from './harness.ts'

const broker = await findBroker()

test.skipIf(broker === undefined)(
  'a consumer whose topic was recreated exits with 2 and one sentence, and goes on after log adopt',
  async () => {
    const harness = await openHarness(broker!, 'recreated', noSessionEnds)
    onTestFinished(() => harness.dispose())
    const { topic } = harness
    const refuse = async (consumer: Child) => {
      if (consumer.process.exitCode === null) await once(consumer.process, 'exit')
      expect(consumer.process.exitCode, consumer.output()).toBe(2)
      expect(consumer.output()).toContain('To read it from its first record, run: rollcall log adopt.')
    }
    await harness.send(60)
    const consumer = await harness.startConsumer()
    await harness.untilStored()

    const kafka = createKafka({ ...toSettings(broker!), topic }, logger)
    await withAdmin(kafka, (admin) => admin.deleteTopics({ topics: [topic] }))
    await until(() => withAdmin(kafka, async (admin) => !(await admin.listTopics()).includes(topic)))
    await ensureTopic(kafka, { ...topicSettings(topic), partitions: 3 })
    await refuse(consumer)
    await refuse(await harness.spawnConsumer())

    const adopted = await runCli(['log', 'adopt'], harness.env)
    expect([adopted.code, adopted.out]).toEqual([0, expect.stringContaining('Adopted: ')])
    await harness.send(60)
    const next = await harness.startConsumer()
    await until(harness.ledger, ({ given }) => given === 120, { describe: next.output })
    expect((await harness.ledger()).difference).toBe(0)
    expect(await next.stop(), next.output()).toBe(0)
  },
)
