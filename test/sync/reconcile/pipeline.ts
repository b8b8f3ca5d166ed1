/** Webhooks over HTTP into a real log, from there through the real consumer into a real store, and a stand-in platform. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBlocks } from '../../../reporting/statements/read-blocks.ts'
import { toMetricsAnswer } from '../../../reporting/metrics/to-metrics.ts'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import { createReconcile, type Reconcile } from '../../../services/sync/reconcile/reconcile.ts'
import type { LogRecord } from '../../../services/event-log/event-log.ts'
import { openLocalLogReader } from '../../../services/event-log/local/reader.ts'
import { openLocalLogWriter } from '../../../services/event-log/local/writer.ts'
import { openIngest } from '../../../services/ingest/open-ingest.ts'
import { createCallBudget } from '../../../services/platform/create-call-budget.ts'
import { openPlatformClient } from '../../../services/platform/open-platform-client.ts'
import type { PlatformClient } from '../../../services/platform/open-platform-client.ts'
import { createLogger } from '../../../services/runtime/logger.ts'
import { createTelemetry } from '../../../services/runtime/telemetry.ts'
import { hashToken } from '../../../services/config/token.ts'
import { createScope } from '../../model/scope.ts'
import { createTurnedClock, type TurnedClock } from '../../platform/clocks.ts'
import { startPlatform, type Platform, type PlatformOptions } from '../../../sample-platform/start.ts'
import { openTestStore, type TestStore } from '../../support/store/store.ts'
import { until } from '../../support/wait.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { createPeople } from '../../../services/consumer/store/store-people.ts'
import { storeUsers } from '../../../services/sync/pull/user-rows.ts'

export type Pipeline = {
  store: TestStore
  platform: Platform
  client: PlatformClient
  clock: TurnedClock
  reconcile: Reconcile
  /** Into the log, as reconciliation does it. */
  append(records: LogRecord[]): Promise<void>
  /** A client of another platform, with the same clock. */
  openClient(baseUrl: string): PlatformClient
  /** Once everything that is in the log is stored. */
  metricsAt(at: number): Promise<Metrics>
  settled(): Promise<void>
  pullUsers(): Promise<void>
  close(): Promise<void>
}

const token = 'dGVzdC10b2tlbi1vZi0yNTYtYml0cy1mb3ItdGVzdHM'

export async function openPipeline(options: Omit<PlatformOptions, 'url'>): Promise<Pipeline> {
  const store = await openTestStore()
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-reconcile-'))
  const log = await openLocalLogWriter({ directory })
  const reader = openLocalLogReader({ directory })
  const errors: unknown[] = []
  const limits = { maxBatchRecords: 10_000, maxBatchBytes: 16 * 1024 ** 2, minBatchIntervalMs: 500 }
  const consumer = createConsumer({ client: store.writer })
  reader.start(consumer, limits, (error) => errors.push(error))
  const ingest = await openIngest(
    {
      host: '127.0.0.1',
      port: 0,
      tokens: [{ source: 'main', sha256: hashToken(token) }],
      signatureSecrets: [],
      maxBodyBytes: 1_000_000,
      rateLimitPerSecond: 0,
    },
    { log, telemetry: createTelemetry(), logger: createLogger({ part: 'ingest', level: 'silent' }) },
  )
  const platform = await startPlatform({ ...options, url: `${ingest.url}/webhooks/${token}` })
  // A day after the history: nothing of it is too fresh to be compared.
  const clock = createTurnedClock(options.to + 86_400_000)
  const openClient = (baseUrl: string) =>
    openPlatformClient({
      baseUrl,
      token: 'platform-token',
      clock,
      budget: createCallBudget({ callsPerHour: 2_000, clock }),
    })
  const client = openClient(platform.baseUrl)
  const append = async (records: LogRecord[]) => {
    await Promise.all(records.map((record) => log.append(record)))
  }
  const reconcile = createReconcile({
    client: store.writer,
    platform: client,
    append,
    now: () => clock.now(),
  })

  async function settled(): Promise<void> {
    const waiting = () => reader.lag().then((lag) => lag.reduce((sum, { records }) => sum + records, 0))
    if ((await until(waiting, (records) => records === 0)) > 0)
      throw new Error('The log was not stored in time.')
    if (errors.length > 0) throw errors[0]
  }

  return {
    store,
    platform,
    client,
    clock,
    reconcile,
    append,
    openClient,
    settled,
    async metricsAt(at) {
      await settled()
      const scope = createScope(Math.floor(at))
      return toMetricsAnswer(await readBlocks(ownReader(store.reader), scope, 'metrics'), scope).metrics
    },
    pullUsers: () => pullUsers(store, client),
    async close() {
      await client.close()
      await platform.close()
      await ingest.close(1_000)
      await log.close()
      await reader.close()
      await store.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The work of the pull of users, in one go. */
export async function pullUsers({ writer }: TestStore, client: PlatformClient): Promise<void> {
  for await (const { items, answeredAtMs } of client.users())
    await storeUsers(writer, createPeople(writer), items, Math.floor(answeredAtMs))
}
