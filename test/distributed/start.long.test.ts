import { beforeEach, describe, expect, test } from 'vitest'
import { waitForSchema } from '../../services/clickhouse/migrate.ts'
import { openKafkaLogReader } from '../../services/event-log/kafka/reader/reader.ts'
import { createKafka } from '../../services/event-log/kafka/settings.ts'
import { createLogger } from '../../services/runtime/logger.ts'
import { createStore, readerOptions } from '../event-log/contract.ts'
import { runToEnd, readMetric } from '../support/processes/child.ts'
import { createDistributed } from '../support/processes/distributed.ts'
import { findBroker, toSettings } from '../support/kafka/broker.ts'
import { openTestStore } from '../support/store/store.ts'
import { findFreePort } from '../support/processes/ports.ts'
import { until } from '../support/wait.ts'
import { awaitTopic } from '../../services/event-log/kafka/topic.ts'
import { testDirectory } from '../support/directories.ts'
import { deliver, testToken } from '../support/processes/embedded.ts'
import { canMount, mountSmallDisk } from '../support/small-disk.ts'
import { join } from 'node:path'

const broker = await findBroker()
const logger = createLogger({ part: 'test', level: 'silent' })
const nowhere = { url: 'http://127.0.0.1:9', username: 'default', password: '' }

let directory: string
beforeEach(() => {
  directory = testDirectory()
})

const run = (main: string, env: Record<string, string>) =>
  runToEnd(main, { DATA_DIR: directory, ADMIN_PORT: '0', ...env })

describe('starting apart', () => {
  test.each([
    ['services/ingest/main.ts', ['KAFKA_BROKERS', 'INGEST_TOKENS']],
    ['services/consumer-process/main.ts', ['KAFKA_BROKERS', 'CLICKHOUSE_URL']],
    ['dashboards/main.ts', ['CLICKHOUSE_URL']],
  ])(
    '%s names everything that it cannot do without, beside what cannot be read, and exits 2',
    async (main, names) => {
      const { code, stderr } = await run(main, { TIME_ZONE: 'Mars/Olympus' })
      expect(code).toBe(2)
      for (const name of [...names, 'TIME_ZONE']) expect(stderr).toContain(`- ${name}: `)
    },
  )

  test.runIf(canMount)('an ingest whose spool finds no room says so in one line', async () => {
    const disk = mountSmallDisk('4m')
    try {
      disk.fill(0)
      const [KAFKA_BROKERS, DATA_DIR] = [`127.0.0.1:${await findFreePort()}`, disk.directory]
      const env = {
        KAFKA_BROKERS,
        DATA_DIR,
        INGEST_TOKENS: `main=${testToken}`,
        INGEST_PORT: '0',
        LOG_LEVEL: 'silent',
      }
      expect(await run('services/ingest/main.ts', env)).toEqual({
        code: 2,
        stdout: '',
        stderr: `The disk of ${join(DATA_DIR, 'spool')} is full. Make room there, and start it again: nothing that was acknowledged is lost.\n`,
      })
    } finally {
      disk.remove()
    }
  })

  test('a consumer that finds no Kafka says which settings to look at', async () => {
    const settings = {
      brokers: [`127.0.0.1:${await findFreePort()}`],
      topic: 't',
      groupId: 't',
    }
    const kafka = createKafka(settings, logger)
    const wish = {
      topic: 't',
      partitions: 1,
      replicationFactor: 1,
      minInsyncReplicas: 1,
      maxBodyBytes: 1_024,
    }
    const waited = awaitTopic(kafka, { ...wish, retentionMs: 1e9 }, 'g', 500)
    await expect(waited).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining('KAFKA_BROKERS'),
    })
  })

  test('dashboards wait for the schema, and say who brings it when it does not come', async () => {
    const store = await openTestStore()
    try {
      await waitForSchema(store.reader, 0)
      await store.writer.command({ query: 'RENAME TABLE rollcall.schema_migrations TO rollcall.put_away' })
      let asked = 0
      const reader = new Proxy(store.reader, {
        get: (target, name) => (asked++, Reflect.get(target, name) as unknown),
      })
      const waited = waitForSchema(reader, 600_000)
      await until(() => asked > 2)
      await store.writer.command({ query: 'RENAME TABLE rollcall.put_away TO rollcall.schema_migrations' })
      await waited
      await store.writer.command({ query: 'TRUNCATE TABLE rollcall.schema_migrations' })
      await expect(waitForSchema(store.reader, 0)).rejects.toThrow(/Start the consumer of this version/)
    } finally {
      await store.close()
    }
  })
})

describe.skipIf(broker === undefined)('an ingest that starts while Kafka is away', () => {
  test('acknowledges, ends with a full spool, and hands it on after the next start', async () => {
    const away = await createDistributed({
      directory,
      brokers: [`127.0.0.1:${await findFreePort()}`],
      clickhouse: nowhere,
    })
    const first = await away.startIngest()
    const receipts: string[] = []
    for (let index = 0; index < 30; index++) {
      const answer = await deliver(away.ingestUrl, JSON.stringify({ eventType: 'x', timestamp: index + 1 }))
      expect(answer.status).toBe(200)
      receipts.push(((await answer.json()) as { receipt: string }).receipt)
    }
    expect(await readMetric(first, 'rollcall_spool_records')).toBe(30)
    expect(await (await fetch(`${first.adminUrl}/health/ready`)).json()).toEqual({
      status: 'ready',
      note: 'spooling',
    })
    expect(await first.stop(), first.output()).toBe(0)

    const { brokers } = broker!
    const back = await createDistributed({ directory, brokers, clickhouse: nowhere })
    const second = await back.startIngest()
    const store = createStore()
    const settings = { ...toSettings(broker!), topic: back.topic, groupId: back.topic }
    const reader = openKafkaLogReader({ settings, logger })
    reader.start(store.handler, readerOptions, () => {})
    // What Kafka has taken without an answer in time is handed on twice, under one id.
    await until(
      () => new Set(store.ids()).size,
      (count) => count >= 30,
    )
    expect(new Set(store.ids())).toEqual(new Set(receipts))
    await reader.close()
    expect(await second.stop(), second.output()).toBe(0)
    await away.killAll()
    await back.killAll()
  })
})
