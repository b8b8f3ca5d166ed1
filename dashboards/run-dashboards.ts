/** Pages and JSON API over a ClickHouse server. They wait until the consumer has migrated the store. */
import { isOwnerMissing, missingOwner } from '../services/access/access-store.ts'
import { openClickHouseServer, toServerOptions } from '../services/clickhouse/open-server.ts'
import { waitForSchema } from '../services/clickhouse/migrate.ts'
import { watchServer } from '../services/clickhouse/watch-server.ts'
import { createGuideOrders } from '../services/guide-orders/create-guide-orders.ts'
import type { ConfigWith } from '../services/config/config.ts'
import type { Health } from '../services/runtime/http/health.ts'
import { createProcess } from '../services/runtime/process.ts'
import { rollcallCommand } from '../services/runtime/rollcall-command.ts'
import { checkSignIn, openEntrance } from './access/entrance.ts'
import { toDigestOptions } from '../digest/open-digest.ts'
import { openDashboards } from './open-dashboards.ts'
import { toDashboardSettings } from './settings.ts'

const schemaTimeoutMs = 60_000

export async function runDashboards(config: ConfigWith<'clickhouseUrl'>): Promise<void> {
  checkSignIn(config)
  const { logger, telemetry, lifecycle, serve, openAdmin } = createProcess('dashboards', config)

  const onError = (error: unknown) => logger.error({ err: error }, 'A page or an API answer failed')
  const clickhouse = await lifecycle.open('ClickHouse', () =>
    openClickHouseServer(toServerOptions(config, 'read')),
  )
  await waitForSchema(clickhouse.reader, schemaTimeoutMs)
  const server = await lifecycle.open('watch of ClickHouse', () => watchServer(clickhouse.reader))
  for (const client of [clickhouse.reader, clickhouse.writer]) server.guard(client)
  const isReady = (): Health => {
    if (!server.isAnswering()) return { ok: false, reason: 'ClickHouse does not answer' }
    return lifecycle.isReady()
  }
  const dashboards = await lifecycle.open('dashboards', () =>
    openDashboards({
      client: clickhouse.reader,
      telemetry,
      settings: toDashboardSettings(config),
      // Orders are stored here and carried out by the consumer. Only where the owner said so: it needs a user who may write.
      ...(config.assignGuides === 'on' && {
        orders: createGuideOrders({ client: clickhouse.writer }),
      }),
      entrance: openEntrance({ config, reader: clickhouse.reader, writer: clickhouse.writer, onError }),
      digest: toDigestOptions(config, clickhouse),
      isReady: () => isReady().ok,
      onError,
    }),
  )
  const { port } = await serve('dashboard server', {
    handler: dashboards.app,
    port: config.dashboardPort,
    portVariable: 'DASHBOARD_PORT',
  })
  await openAdmin({ isReady })
  lifecycle.run()
  if (await isOwnerMissing(config, clickhouse.reader)) logger.warn({}, missingOwner(rollcallCommand()))
  logger.info({ port, dashboard: config.dashboardUrl }, 'Ready')
}
