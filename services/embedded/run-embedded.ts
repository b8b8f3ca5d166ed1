/**
 * Everything in one process, in the order in which it starts: store, log reader, consumer, dashboards, ingest last, so that
 * nothing is taken before it can be stored and shown. It stops in reverse: first no more webhooks, then the rest.
 */
import { join } from 'node:path'
import type { Hono } from 'hono'
import { openDashboards } from '../../dashboards/open-dashboards.ts'
import { toDashboardSettings } from '../../dashboards/to-settings.ts'
import type { SetupDelivery } from '../../reporting/queries/setup-data.ts'
import { migrate } from '../clickhouse/migrate.ts'
import { openEmbeddedClickHouse, type EmbeddedClickHouse } from '../clickhouse/open-embedded.ts'
import { storeSettings } from '../clickhouse/settings.ts'
import { createSqlSignpost, openSqlEndpoint } from '../sql-endpoint/open-sql-endpoint.ts'
import { createConsumer } from '../consumer/consumer.ts'
import type { Jobs } from '../consumer/jobs/open-jobs.ts'
import { openScheduledJobs, type ScheduledJobs } from '../consumer/open-scheduled-jobs.ts'
import { createFailureMemory, toProgress } from '../consumer/progress.ts'
import { createPeople } from '../consumer/store/store-people.ts'
import { createConsumerTelemetry } from '../consumer/telemetry.ts'
import { addLossMetric } from '../event-log/local/damage/telemetry.ts'
import { openLocalLogReader } from '../event-log/local/reader.ts'
import { scanLocalLog } from '../event-log/local/scan-log.ts'
import { openIngestThread } from '../ingest/ingest-thread.ts'
import type { Refusal } from '../ingest/refusals.ts'
import { createAdminApp } from '../runtime/admin-app.ts'
import type { Config } from '../config/config.ts'
import type { Health } from '../runtime/health.ts'
import { isLoopback } from '../runtime/is-loopback.ts'
import { toKnownHosts } from '../runtime/known-hosts.ts'
import { createLifecycle, type Lifecycle } from '../runtime/lifecycle.ts'
import { listen } from '../runtime/listen.ts'
import { createLogger, type Logger } from '../runtime/logger.ts'
import { addProcessMetrics, createTelemetry } from '../runtime/telemetry.ts'
import { readTokenFile } from '../config/token-file.ts'
import { hashToken, readOrMakeToken, readOwnToken } from '../config/token.ts'
import { version } from '../runtime/version.ts'
import { toPlatformPages } from './platform-pages.ts'
import { openControl } from './open-control.ts'

export type Running = {
  lifecycle: Lifecycle
  dashboardUrl: string
  adminUrl: string
  /** With its token where this process made it itself; a configured token is known by its hash only. */
  ingestUrl: string
  isIngestUrlWhole: boolean
  /** What is done by the clock, for whoever wants it now. */
  jobs: Jobs
}

/** The most that one batch holds: bounds the consumer's memory whatever the backlog. */
const readerLimits = { maxBatchRecords: 10_000, maxBatchBytes: 16 * 1024 ** 2, minBatchIntervalMs: 400 }

/** An answer is held in memory while it is sent. */
const maxSqlAnswerBytes = 256 * 1024 ** 2

export type EmbeddedOptions = {
  /** The data comes from the stand-in platform; every page says so from then on. */
  sample: boolean
}

/** A start that fails closes what it has opened: the engine keeps a process alive. */
export async function runEmbedded(config: Config, options: EmbeddedOptions): Promise<Running> {
  const logger = createLogger({ part: 'embedded', level: config.logLevel })
  const lifecycle = createLifecycle({ logger, shutdownTimeoutMs: config.shutdownTimeoutMs })
  try {
    return await start(config, options, logger, lifecycle)
  } catch (error) {
    await lifecycle.stop('the start failed')
    throw error
  }
}

async function start(
  config: Config,
  { sample }: EmbeddedOptions,
  logger: Logger,
  lifecycle: Lifecycle,
): Promise<Running> {
  const telemetry = createTelemetry()
  addProcessMetrics(telemetry, version)
  const { shutdownTimeoutMs, host } = config
  const requestsTimeoutMs = Math.floor(shutdownTimeoutMs / 3)
  const logDirectory = join(config.dataDir, 'log')

  const clickhouse = await lifecycle.open(
    'ClickHouse',
    () => openEmbeddedClickHouse({ directory: join(config.dataDir, 'clickhouse') }),
    (opened) => opened.close(),
  )
  const { applied } = await migrate(clickhouse.writer)
  logger.info({ applied }, 'The store is ready')
  const { timeZone, dueZone, dueEnd } = config
  await storeSettings(clickhouse.writer, {
    time_zone: timeZone,
    due_zone: dueZone,
    due_end: dueEnd,
    ...(sample && { sample: 'true' }),
  })

  const reader = await lifecycle.open(
    'event log reader',
    () =>
      openLocalLogReader({
        directory: logDirectory,
        onLoss: (loss) => logger.error(loss, 'The event log is damaged: these deliveries cannot be read'),
      }),
    (opened) => opened.close(),
  )
  const consumerTelemetry = createConsumerTelemetry(telemetry.registry, () => reader.lag())
  addLossMetric(telemetry.registry, logDirectory)
  const people = createPeople(clickhouse.writer)
  const failures = createFailureMemory()
  const consumer = createConsumer({
    client: clickhouse.writer,
    people,
    onStored(report) {
      failures.stored()
      consumerTelemetry.stored(report)
    },
  })
  reader.start(consumer, readerLimits, (error) => {
    consumerTelemetry.retried()
    failures.failed(error)
    logger.error({ err: error }, 'A batch could not be stored; it will be delivered again')
  })
  const ownToken = openOwnToken(config)
  const health: { ingest: () => Health } = { ingest: () => ({ ok: false, reason: 'starting' }) }
  const isReady = (): Health => {
    const process = lifecycle.isReady()
    return process.ok ? health.ingest() : process
  }
  const ingestUrl = { current: '' }
  const refused: { recent: () => Refusal[] } = { recent: () => [] }
  const platform: { scheduled: ScheduledJobs | undefined } = { scheduled: undefined }
  const sql = await openSql(clickhouse, config, logger)
  const dashboards = await lifecycle.open(
    'dashboards',
    () =>
      openDashboards({
        client: clickhouse.reader,
        sql,
        streamer: clickhouse.streamer,
        settings: toDashboardSettings(config),
        // Whoever sees the address can write: a dashboard that others can reach does not show it.
        ingestUrl: () => (ownToken === undefined || !isLoopback(host) ? null : ingestUrl.current),
        refusals: () => refused.recent().map(toSetupDelivery),
        ...toPlatformPages({
          config,
          client: clickhouse.writer,
          isLoopback: isLoopback(host),
          scheduled: () => platform.scheduled,
        }),
        isReady: () => isReady().ok,
        onError: (error) => logger.error({ err: error }, 'A page or an API answer failed'),
      }),
    (opened) => opened.close(),
  )
  const dashboardServer = await lifecycle.open(
    'dashboard server',
    () => listen({ handler: dashboards.app, host, port: config.dashboardPort, portVariable: 'DASHBOARD_PORT' }),
    (opened) => opened.close(requestsTimeoutMs),
  )

  const ingest = await lifecycle.open(
    'ingest',
    () =>
      openIngestThread(
        {
          settings: {
            host,
            port: config.ingestPort,
            tokens: ownToken === undefined ? config.ingestTokens : [{ source: 'main', sha256: hashToken(ownToken) }],
            tokenDirectory: config.dataDir,
            signatureSecrets: config.signatureSecrets,
            maxBodyBytes: config.maxBodyBytes,
            rateLimitPerSecond: config.rateLimitPerSecond,
            allowedNetworks: config.allowedNetworks,
            trustedProxies: config.trustedProxies,
          },
          log: { directory: logDirectory, maxBytes: config.logMaxBytes, retentionMs: config.logRetentionMs },
          logLevel: config.logLevel,
        },
        (error) => lifecycle.fail('ingest', error),
      ),
    (opened) => opened.close(requestsTimeoutMs),
  )
  health.ingest = () => ingest.isReady()
  refused.recent = () => ingest.refusals()
  ingestUrl.current = `${config.publicIngestUrl ?? ingest.url}/webhooks/${ownToken ?? '<token>'}`

  const scheduled = await lifecycle.open(
    'scheduled jobs',
    () =>
      openScheduledJobs({
        config,
        client: clickhouse.writer,
        people,
        append: (records) => ingest.append(records),
        exclusively: consumer.exclusively,
        isRunner: () => reader.assigned().includes(0),
        logger,
        registry: telemetry.registry,
      }),
    (opened) => opened.close(),
  )

  platform.scheduled = scheduled

  const control = await lifecycle.open(
    'control',
    () =>
      openControl(
        {
          config,
          client: clickhouse.writer,
          streamer: clickhouse.streamer,
          consumer,
          append: (records) => ingest.append(records),
          scanLog: () => scanLocalLog(logDirectory),
          checkLog: () => Promise.resolve([]),
          readProgress: async () => toProgress(await reader.lag(), failures.current()),
          scheduled,
          ingestUrl: () => (ownToken === undefined ? undefined : ingestUrl.current),
        },
        logger,
      ),
    (opened) => opened.close(),
  )
  const metrics = [() => telemetry.snapshot(), () => ingest.snapshot()]
  const adminServer = await lifecycle.open(
    'admin server',
    () =>
      listen({
        handler: createAdminApp({
          metrics,
          isReady,
          control: control.app,
          hosts: toKnownHosts(host, config.adminHosts),
        }),
        host,
        port: config.adminPort,
        portVariable: 'ADMIN_PORT',
      }),
    (opened) => opened.close(requestsTimeoutMs),
  )
  control.announce(adminServer.url)
  lifecycle.run()
  logger.info({}, 'Ready')
  return {
    lifecycle,
    dashboardUrl: dashboardServer.url,
    adminUrl: adminServer.url,
    ingestUrl: ingestUrl.current,
    isIngestUrlWhole: ownToken !== undefined,
    jobs: scheduled.jobs,
  }
}

async function openSql(clickhouse: EmbeddedClickHouse, config: Config, logger: Logger): Promise<Hono> {
  if (config.sqlEndpoint === 'off') return createSqlSignpost('switched_off')
  const client = await clickhouse.openAnalyst({
    maxExecutionSeconds: config.sqlMaxSeconds,
    maxMemoryBytes: config.sqlMaxMemoryBytes,
    maxResultRows: config.sqlMaxRows,
    maxResultBytes: maxSqlAnswerBytes,
  })
  return openSqlEndpoint({
    client,
    people: config.sqlPeople === 'granted',
    onError: (error) => logger.error({ err: error }, 'A statement of an analyst failed'),
  })
}

/** Where none is configured, and none was made by hand, one is made, so that the first start needs nothing. */
function openOwnToken({ ingestTokens, dataDir }: Config): string | undefined {
  if (ingestTokens.length > 0) return undefined
  return readTokenFile(dataDir).tokens.length > 0 ? readOwnToken(dataDir) : readOrMakeToken(dataDir)
}

function toSetupDelivery({ at, source, status, message }: Refusal): SetupDelivery {
  return {
    received_at: new Date(at).toISOString(),
    source: source === '' ? null : source,
    event_type: null,
    outcome: 'refused',
    reason: `Answered ${status}: ${message}`,
  }
}
