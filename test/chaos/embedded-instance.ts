/** The embedded product under attack: one process, its log and its store on a disk that can be full. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { testToken } from '../support/processes/embedded.ts'
import { findFreePort } from '../support/processes/ports.ts'
import { canMount, mountSmallDisk } from '../support/small-disk.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { commonFaults } from './faults/common.ts'
import { diskFaults, fileFaults, statementFaults } from './faults/embedded-faults.ts'
import type { Instance, InstanceOptions } from './instance.ts'
import { manageProcess, sumMetric } from './processes.ts'

export async function openEmbeddedInstance({ mutant }: InstanceOptions): Promise<Instance> {
  const disk = canMount ? mountSmallDisk('1024m') : undefined
  const directory = disk?.directory ?? mkdtempSync(join(tmpdir(), 'rollcall-chaos-'))
  const data = join(directory, 'data')
  const [ingestPort, dashboardPort] = [await findFreePort(), await findFreePort()]
  const env = {
    DATA_DIR: data,
    INGEST_PORT: String(ingestPort),
    DASHBOARD_PORT: String(dashboardPort),
    INGEST_TOKENS: `main=${testToken}`,
    LOG_LEVEL: 'warn',
    // A statement that never ends holds up a fault for as long; it may write less than the disk has.
    SQL_MAX_SECONDS: '5',
    SQL_MAX_MEMORY_BYTES: String(64 * 1024 ** 2),
  }
  const product = await manageProcess('Rollcall', {
    main: 'services/embedded/main.ts',
    env,
    mutant,
    readyUrls: [`http://127.0.0.1:${ingestPort}`],
  })
  copyStoreTemplate(join(data, 'clickhouse'))
  await product.start()

  async function waiting(): Promise<number | undefined> {
    return sumMetric(await product.metrics(), 'rollcall_consumer_lag_records')
  }
  const parts = { product, data, waiting }

  return {
    ingestUrl: `http://127.0.0.1:${ingestPort}/webhooks/${testToken}`,
    faults: [
      ...commonFaults([product]),
      ...fileFaults(parts),
      ...(disk === undefined ? [] : diskFaults(parts, disk)),
      ...statementFaults({ product, url: `http://127.0.0.1:${dashboardPort}/api/sql`, disk }),
    ],
    missing: disk === undefined ? ['full disk: mounting one needs root'] : [],
    waiting,
    stored: async () => sumMetric(await product.metrics(), 'rollcall_consumer_deliveries_total') ?? 0,
    output: product.output,
    async stopAndOpen() {
      await product.stop()
      const { reader, close } = await openEmbeddedClickHouse({ directory: join(data, 'clickhouse') })
      return { client: reader, close }
    },
    async dispose() {
      await product.kill()
      if (disk !== undefined) disk.remove()
      else rmSync(directory, { recursive: true, force: true })
    },
  }
}
