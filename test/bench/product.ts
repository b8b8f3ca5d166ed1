/** The product, as a process, over a store that a benchmark has made, and its answers over HTTP. */
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pages } from '../../dashboards/navigation.ts'
import { startPlatform } from '../../sample-platform/start.ts'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { day } from '../support/data/records.ts'
import { startEmbedded } from '../support/processes/embedded.ts'
import { makeBigStore } from './big-store.ts'

export type Product = Awaited<ReturnType<typeof openProduct>>

/** With so many assignments; 0: with the sample company of the demo. */
export async function openProduct(assignments: number) {
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-product-'))
  if (assignments > 0) {
    const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
    await migrate(clickhouse.writer)
    await makeBigStore(clickhouse.writer, assignments, { now: Date.now() })
    await clickhouse.close()
  }
  // The first start of an installation also compiles the sources, which later ones find.
  const first = await startEmbedded(directory)
  if (assignments === 0) {
    const to = Date.now()
    const company = { seed: 'rollcall', people: 240, from: to - 180 * day, to }
    const platform = await startPlatform({ ...company, url: first.ingestUrl, retry: true })
    await platform.deliverHistory()
    await platform.close()
  }
  await first.stop()
  const startedAt = performance.now()
  const embedded = await startEmbedded(directory)
  const readyMs = performance.now() - startedAt

  /** Not by fetch, which unpacks the answer. */
  function read(path: string, encoding = 'identity'): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      get(new URL(path, embedded.dashboardUrl), { headers: { 'accept-encoding': encoding } }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(Buffer.concat(parts))
          else reject(new Error(`${path} answered ${answer.statusCode}`))
        })
      }).on('error', reject)
    })
  }

  return {
    ...embedded,
    /** From its start until it answers. */
    readyMs,
    read,
    /** The pages of the navigation that answer here (nobody signs in), and one of each kind of object that they lead to. */
    async findPages(): Promise<string[]> {
      const found: string[] = []
      for (const { path } of pages) {
        const page = await read(path).catch(() => null)
        if (page === null) continue
        found.push(path)
        const one = new RegExp(`href="(${path}/[^"/?#.]+)["?]`).exec(page.toString())?.[1]
        if (one !== undefined && path !== '/') found.push(one)
      }
      return found
    },
    /** Until no scheduled job has run for ten seconds: a store that was never audited is at the first start. */
    async rest(): Promise<void> {
      for (let seconds = 0; seconds < 10; seconds++) {
        await setTimeout(1_000)
        const metrics = await (await fetch(`${embedded.adminUrl}/metrics`)).text()
        if (/^rollcall_job_running\{.*\} 1$/m.test(metrics)) seconds = -1
      }
    },
    async close() {
      await embedded.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Without the id of an object. */
export const toPageName = (path: string): string =>
  path === '/' ? 'Home' : path.replace(/\?.*/, '').replace(/^(\/(?!api\/)\w+)\/.+$/, '$1/:id')
