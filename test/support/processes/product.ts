/** The product as a user starts it, in either of its two ways: the parts that a test of both needs. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { openEmbeddedClickHouse } from '../../../services/clickhouse/open-embedded.ts'
import { openTestClickHouse } from '../store/clickhouse-server.ts'
import { createDistributed } from './distributed.ts'
import { startEmbedded } from './embedded.ts'

export type Row = Record<string, unknown>
export type Product = {
  ingestUrl: string
  dashboardUrl: string
  /** The metrics of all its processes, one after another. */
  metrics(): Promise<string>
  /** The output of all its processes. */
  output(): string
  /** Stops every process, checks that all ended well, and gives the answers of the store to these statements. */
  stopAndRead<Name extends string>(statements: Record<Name, string>): Promise<Record<Name, Row[]>>
  /** For a test that failed on its way. */
  dispose(): Promise<void>
}

export async function startEmbeddedProduct(env: Record<string, string> = {}): Promise<Product> {
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-embedded-'))
  const embedded = await startEmbedded(directory, env)
  return {
    ...embedded,
    metrics: async () => (await fetch(`${embedded.adminUrl}/metrics`)).text(),
    async stopAndRead(statements) {
      const code = await embedded.stop()
      if (code !== 0) throw new Error(`It ended with ${code}:\n${embedded.output()}`)
      const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
      const rows = await readAll(clickhouse.reader, statements)
      await clickhouse.close()
      return rows
    },
    async dispose() {
      await embedded.kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export async function startDistributedProduct(
  brokers: readonly string[],
  env: Record<string, string> = {},
): Promise<Product> {
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-distributed-'))
  const clickhouse = await openTestClickHouse({ isMigrated: true })
  const distributed = await createDistributed({ directory, brokers, clickhouse, env })
  // All at once, as an orchestrator does: who depends on another waits for it.
  const [ingest, consumer, dashboards] = await Promise.all([
    distributed.startIngest(),
    distributed.startConsumer(),
    distributed.startDashboards(),
  ])
  const children = [ingest, consumer, dashboards]
  return {
    ingestUrl: distributed.ingestUrl,
    dashboardUrl: dashboards.url,
    output: () => children.map((child) => child.output()).join('\n'),
    async metrics() {
      const texts = children.map(async ({ adminUrl }) => (await fetch(`${adminUrl}/metrics`)).text())
      return (await Promise.all(texts)).join('\n')
    },
    async stopAndRead(statements) {
      for (const child of children) {
        const code = await child.stop()
        if (code !== 0) throw new Error(`A process ended with ${code}:\n${child.output()}`)
      }
      const client = createClient(clickhouse)
      const rows = await readAll(client, statements)
      await client.close()
      return rows
    },
    async dispose() {
      await distributed.killAll()
      await clickhouse.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function readAll<Name extends string>(
  client: Pick<ReturnType<typeof createClient>, 'query'>,
  statements: Record<Name, string>,
): Promise<Record<Name, Row[]>> {
  const answers: Record<string, Row[]> = {}
  for (const [name, query] of Object.entries<string>(statements)) {
    const answer = await client.query({ query, format: 'JSONEachRow' })
    answers[name] = await answer.json<Row>()
  }
  return answers as Record<Name, Row[]>
}
