import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createKafka } from '../../services/event-log/kafka/settings.ts'
import { awaitTopic } from '../../services/event-log/kafka/topic.ts'
import { createLogger } from '../../services/runtime/logger.ts'
import { testDirectory } from '../support/directories.ts'
import { runToEnd } from '../support/processes/child.ts'
import { testToken } from '../support/processes/embedded.ts'
import { findFreePort } from '../support/processes/ports.ts'
import { canMount, mountSmallDisk } from '../support/small-disk.ts'

const run = (main: string, env: Record<string, string>) =>
  runToEnd(main, { DATA_DIR: testDirectory(), ADMIN_PORT: '0', INGEST_PORT: '0', ...env })

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
  onTestFinished(() => disk.remove())
  disk.fill(0)
  const KAFKA_BROKERS = `127.0.0.1:${await findFreePort()}`
  const INGEST_TOKENS = `main=${testToken}`
  const env = { KAFKA_BROKERS, INGEST_TOKENS, DATA_DIR: disk.directory, LOG_LEVEL: 'silent' }
  expect(await run('services/ingest/main.ts', env)).toEqual({
    code: 2,
    stdout: '',
    stderr: `The disk of ${join(disk.directory, 'spool')} is full. Make room there, and start it again: nothing that was acknowledged is lost.\n`,
  })
})

test('a consumer that finds no Kafka says which settings to look at', async () => {
  const brokers = [`127.0.0.1:${await findFreePort()}`]
  const kafka = createKafka(
    { brokers, topic: 't', groupId: 't' },
    createLogger({ part: 'test', level: 'silent' }),
  )
  const topic = { topic: 't', partitions: 1, replicationFactor: 1 }
  const waited = awaitTopic(kafka, { ...topic, maxBodyBytes: 1_024, retentionMs: 1e9 }, 'g', 500)
  await expect(waited).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringContaining('KAFKA_BROKERS'),
  })
})
