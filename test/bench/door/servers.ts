/** The servers of ours that `bench.ts` measures, one per process: `node servers.ts bare|ingest|kafka`. Prints its address. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKafka, type KafkaSettings } from '../../../services/event-log/kafka/settings.ts'
import { ensureTopic } from '../../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../../services/event-log/kafka/writer/writer.ts'
import { openSpooledLogWriter } from '../../../services/event-log/spool/spool.ts'
import { keepYoung } from '../../../services/ingest/keep-young.ts'
import { openIngestThread } from '../../../services/ingest/thread/ingest-thread.ts'
import { openIngest } from '../../../services/ingest/open-ingest.ts'
import { createLogger } from '../../../services/runtime/logger.ts'
import { createTelemetry } from '../../../services/runtime/telemetry.ts'
import { hashToken } from '../../../services/config/token.ts'

const token = 'q3Vn0pX8cE5uJ1tRz7YkLwAb'
const [variant] = process.argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), 'rollcall-bench-'))
// `receivers.ts` reads everything that is written to stdout; errors show in the answers.
const logger = createLogger({ part: 'bench', level: 'fatal' })
const telemetry = createTelemetry()
const rules = {
  tokens: [{ source: 'bench', sha256: hashToken(token) }],
  signatureSecrets: [],
  maxBodyBytes: 1_048_576,
  rateLimitPerSecond: 0,
}

/** The least work of a server: read the body, answer 202, and keep nothing. */
async function openBare() {
  const server = createServer((request, response) => {
    request.on('data', () => {})
    request.on('end', () => {
      response.writeHead(202, ['content-length', '0'])
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, close: async () => server.closeAllConnections() }
}

/** As embedded mode runs it: in a thread beside the main one. */
async function openIngestServer() {
  const options = { ...rules, host: '127.0.0.1', port: 0 }
  const ingest = await openIngestThread(
    { ingest: options, log: { directory }, logLevel: 'warn' },
    (error) => {
      throw error
    },
  )
  const server = await ingest.listen()
  return {
    url: server.url,
    async close() {
      await server.close(100)
      await ingest.close()
    },
  }
}

/** As the ingest process of distributed mode runs it: Kafka, and the spool that is there for when Kafka is not. */
async function openKafkaIngest() {
  keepYoung()
  const settings: KafkaSettings = {
    brokers: (process.env['KAFKA_BROKERS'] as string).split(','),
    groupId: 'bench',
    topic: `bench-${randomUUID()}`,
  }
  const topic = { partitions: 6, replicationFactor: 1, retentionMs: 7 * 86_400_000 }
  await ensureTopic(createKafka(settings, logger), {
    topic: settings.topic,
    maxBodyBytes: rules.maxBodyBytes,
    ...topic,
  })
  const primary = await openKafkaLogWriter({ settings, logger })
  const log = await openSpooledLogWriter({ primary, directory, maxBytes: 1024 ** 3 })
  const ingest = await openIngest({ ...rules, host: '127.0.0.1', port: 0 }, { log, telemetry, logger })
  return {
    url: ingest.url,
    async close() {
      await ingest.close(100)
      await log.close()
      await primary.close()
    },
  }
}

const open = { bare: openBare, ingest: openIngestServer, kafka: openKafkaIngest }[variant as string]
if (open === undefined) throw new Error('node servers.ts bare|ingest|kafka')
const server = await open()
process.stdout.write(`${server.url}/webhooks/${token}\n`)
process.once('SIGTERM', () => {
  void server.close().then(() => {
    rmSync(directory, { recursive: true })
    process.exit(0)
  })
})
