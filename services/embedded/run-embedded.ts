/**
 * Everything in one process. First everything is created: store, log, consumer, jobs, pages. Then it starts: the consumer
 * reads, the pages listen, ingest last, so that nothing is taken before it can be stored and shown. It stops in reverse.
 */
import { join } from 'node:path'
import { checkSignIn, openEntrance } from '../../dashboards/access/entrance.ts'
import { toDigestOptions } from '../../digest/open-digest.ts'
import { openDashboards } from '../../dashboards/open-dashboards.ts'
import type { SetupDelivery } from '../../reporting/queries/setup.ts'
import { isOwnerMissing } from '../access/access-store.ts'
import { openEmbeddedClickHouse } from '../clickhouse/open-embedded.ts'
import { prepareStore } from '../clickhouse/prepare-store.ts'
import { asksToSignIn, type Config } from '../config/config.ts'
import { makeFirstToken, readGeneratedToken } from '../config/token-file.ts'
import { assembleConsumer } from '../consumer-process/assemble-consumer.ts'
import { createConsumer } from '../consumer/consumer.ts'
import { readStoreLogs } from '../consumer/store-log.ts'
import { finishErasures } from '../erasure/finish-erasures.ts'
import type { Jobs } from '../jobs/open-jobs.ts'
import { replayFailed } from '../jobs/replay.ts'
import { findWaiting, readLogId } from '../event-log/local/log-use.ts'
import { writeStoredThrough } from '../event-log/local/position.ts'
import { openLocalLogReader } from '../event-log/local/reader.ts'
import { makeLogDirectory } from '../event-log/local/table.ts'
import { loadIngestThread, openIngestThread } from '../ingest/thread/ingest-thread.ts'
import type { Refusal } from '../ingest/door/refusals.ts'
import { toIngestOptions } from '../ingest/open-ingest.ts'
import { checkDataDirectory } from '../config/check-data-directory.ts'
import { checkPorts } from '../runtime/http/listen.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import { openProcessTracing } from '../runtime/tracing.ts'
import { createProcess, type Process } from '../runtime/process.ts'
import { createSqlRoot } from '../sql-endpoint/open-sql-endpoint.ts'
import { openControl, openSql, readDisk, toPlatformPages } from './open-parts.ts'
import { isLoopback } from '../runtime/http/known-hosts.ts'
import { toDashboardSettings } from '../../dashboards/settings.ts'

export type Running = {
  lifecycle: Lifecycle
  logger: Logger
  /** `DASHBOARD_URL` if it is set. */
  dashboardUrl: string
  adminUrl: string
  /** `undefined`: SQL_PORT is not set. */
  sqlUrl: string | undefined
  /** With its token if this process generated it; a configured token is known by its hash only. */
  ingestUrl: string
  isIngestUrlWhole: boolean
  /** This start generated the token. */
  isIngestUrlNew: boolean
  isOwnerMissing: boolean
  jobs: Jobs
}

export type EmbeddedOptions = {
  /** The data comes from the sample platform; every page says so from then on. */
  sample: boolean
}

/** A start that fails closes all that it has opened: the engine keeps a process alive. */
export async function runEmbedded(config: Config, options: EmbeddedOptions): Promise<Running> {
  checkSignIn(config)
  await checkSurroundings(config)
  const process = createProcess('embedded', config)
  try {
    return await run(process, config, options)
  } catch (error) {
    await process.lifecycle.stop('the start failed')
    throw error
  }
}

function toSqlPorts({ sqlPort }: Config) {
  if (sqlPort === undefined) return []
  return [{ port: sqlPort, portVariable: 'SQL_PORT' }]
}

export async function checkSurroundings(config: Config): Promise<void> {
  await checkPorts(config.host, [
    { port: config.ingestPort, portVariable: 'INGEST_PORT' },
    { port: config.dashboardPort, portVariable: 'DASHBOARD_PORT' },
    { port: config.adminPort, portVariable: 'ADMIN_PORT' },
    ...toSqlPorts(config),
  ])
  checkDataDirectory(config.dataDir)
}

async function run(process: Process, config: Config, { sample }: EmbeddedOptions): Promise<Running> {
  const { logger, lifecycle, serve, openAdmin } = process
  const logDirectory = join(config.dataDir, 'log')

  const thread = await lifecycle.open('ingest thread', () => {
    const worker = loadIngestThread()
    return { worker, close: () => worker.terminate().then(() => undefined) }
  })
  const tracing = await openProcessTracing({ lifecycle, logger }, 'embedded', config)
  const clickhouse = await lifecycle.open('ClickHouse', () =>
    openEmbeddedClickHouse({ directory: join(config.dataDir, 'clickhouse') }),
  )
  const client = clickhouse.writer
  await prepareStore(client, config, { logger, sample })
  await finishErasures(client, config.dataDir, () =>
    logger.info({}, 'Erasing a person whom the store still knows'),
  )
  // Before the writer opens: it gives no offset that the store has passed.
  makeLogDirectory(logDirectory)
  const [known] = await readStoreLogs(client)
  const logId = readLogId(logDirectory, known?.id)
  writeStoredThrough(logDirectory, await createConsumer({ client }).resumeFrom(0, logId))

  const reader = await lifecycle.open('event log reader', () =>
    openLocalLogReader({ directory: logDirectory }),
  )
  const isIngestUrlNew = makeFirstToken(config)
  const ingest = await lifecycle.open('ingest', () =>
    openIngestThread(
      {
        ingest: toIngestOptions(config),
        log: { directory: logDirectory, maxBytes: config.logMaxBytes, retentionMs: config.logRetentionMs },
        logLevel: config.logLevel,
        tracing: { otelEndpoint: config.otelEndpoint },
      },
      (error) => lifecycle.fail('ingest', error),
      thread.worker,
    ),
  )
  const append = ingest.append
  const toUrl = (token: string) => `${config.publicIngestUrl ?? ingest.url()}/webhooks/${token}`
  /** Read each time: `rollcall tokens` may have replaced or revoked the token. */
  const ingestUrl = () => {
    const token = readGeneratedToken(config)
    return token === undefined ? undefined : toUrl(token)
  }

  const { sql, sqlWithoutNames, endSnapshot } = await lifecycle.open('SQL', () =>
    openSql(clickhouse.reader, config, logger),
  )
  const assembled = await assembleConsumer(process, {
    config,
    client,
    reader,
    append,
    tracing,
    endSnapshots: endSnapshot,
    // It begins to store when the dashboards are open.
    onPosition: () => dashboards.renew(),
  })
  const { consumer, scheduled } = assembled
  const onError = (error: unknown) => logger.error({ err: error }, 'A page or an API answer failed')
  const dashboards = await lifecycle.open('dashboards', () =>
    openDashboards({
      client: clickhouse.reader,
      sql,
      ...(sqlWithoutNames !== undefined && { sqlWithoutNames }),
      telemetry: process.telemetry,
      entrance: openEntrance({ config, reader: clickhouse.reader, writer: client, onError }),
      digest: toDigestOptions(config, { reader: clickhouse.reader, writer: client }),
      streamer: clickhouse.streamer,
      settings: toDashboardSettings(config),
      // Everybody who sees the address can write: a dashboard that others can reach shows it to nobody but signed-in owners.
      ...(ingestUrl() !== undefined && canShowSecrets(config) && { ingestUrl }),
      refusals: () => ingest.refusals().map(toSetupDelivery),
      ...toPlatformPages({ config, client, isTrusted: canShowSecrets(config), scheduled }),
      progress: assembled.readProgress,
      disks: () => [readDisk(config.dataDir)],
      // Where nobody signs in, everybody who reaches the pages may do it.
      ...(canShowSecrets(config) && { replay: (request) => replayFailed({ client, append, ...request }) }),
      findWaiting: (eventId) => findWaiting(logDirectory, eventId),
      isReady: () => lifecycle.isReady().ok && ingest.isReady().ok,
      onError,
    }),
  )
  const control = await lifecycle.open('control', () =>
    openControl(
      {
        config,
        client,
        streamer: clickhouse.streamer,
        consumer,
        endSnapshots: endSnapshot,
        append,
        readLogId: () => Promise.resolve(readLogId(logDirectory)),
        checkLog: () => Promise.resolve(undefined),
        scheduled,
        readProgress: assembled.readProgress,
        ingestUrl,
      },
      logger,
    ),
  )

  assembled.start()
  const dashboardServer = await serve('dashboard server', {
    handler: dashboards.app,
    port: config.dashboardPort,
    portVariable: 'DASHBOARD_PORT',
  })
  const [sqlServer] = await Promise.all(
    toSqlPorts(config).map((port) =>
      serve('SQL server', { ...port, handler: createSqlRoot(dashboards.app) }),
    ),
  )
  await lifecycle.open('ingest server', () => ingest.listen())
  const adminServer = await openAdmin({
    isReady() {
      const storing = assembled.isReady()
      return storing.ok ? ingest.isReady() : storing
    },
    metrics: () => ingest.snapshot(),
    control: control.app,
  })
  control.announce(adminServer.url)
  lifecycle.run()
  logger.info({}, 'Ready')
  return {
    lifecycle,
    logger,
    dashboardUrl: config.dashboardUrl ?? dashboardServer.url,
    adminUrl: adminServer.url,
    sqlUrl: sqlServer?.url,
    ingestUrl: ingestUrl() ?? toUrl('<token>'),
    isIngestUrlWhole: ingestUrl() !== undefined,
    isIngestUrlNew,
    isOwnerMissing: await isOwnerMissing(config, clickhouse.reader),
    jobs: scheduled.jobs,
  }
}

/** Whether only owners see the pages that are theirs. */
function canShowSecrets({ host, dashboardAuth }: Config): boolean {
  return isLoopback(host) || asksToSignIn(dashboardAuth)
}

function toSetupDelivery({ at, source, status, message }: Refusal): SetupDelivery {
  return {
    received_at: new Date(at).toISOString(),
    source: source === '' ? null : source,
    event_type: null,
    event_id: null,
    event_time: null,
    person: null,
    challenge: null,
    outcome: 'refused',
    reason: `Answered ${status}: ${message}`,
  }
}
