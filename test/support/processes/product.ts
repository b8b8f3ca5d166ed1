/** The whole product, in either of its two ways: what tests of both start, break, ask and stop. Addresses stay the same over restarts. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type ClickHouseClient } from '@clickhouse/client'
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import type { Broker } from '../kafka/broker.ts'
import { openProxy, type Proxy } from '../network/proxy.ts'
import { openTestClickHouse, type TestClickHouse } from '../store/clickhouse-server.ts'
import { createChild, readMetrics, sumMetric, type Child } from './child.ts'
import { startEmbedded, testToken, toIngestUrl } from './embedded.ts'
import { findFreePort } from './ports.ts'
import { openDirectory } from '../store/store.ts'

export type Mode = 'embedded' | 'distributed'

export type ProductOptions = {
  /** For all processes, over the settings here. */
  env?: Record<string, string>
  /** Its data directory, also for the command line. Default: one of its own, which goes with it. */
  directory?: string
  /** For distributed. Whoever opened it closes it. */
  broker?: Broker | undefined
  /** Default 1. */
  consumers?: number
  /** Default true. */
  hasDashboards?: boolean
  /** Whether the schema is there before the first start. Default true. */
  isMigrated?: boolean
  /** Default true. */
  isStarted?: boolean
}

export type OpenedStore = { client: Pick<ClickHouseClient, 'query'>; close(): Promise<void> }

export type Product = {
  mode: Mode
  ingestUrl: string
  dashboardUrl: string
  /** For the command line. */
  env: Record<string, string> & { DATA_DIR: string }
  processes: readonly Child[]
  /** Embedded: the one process. */
  ingest: Child
  consumers: readonly Child[]
  /** Distributed: the servers, with a proxy before each process that reads ClickHouse, consumers first. */
  servers?: { clickhouse: TestClickHouse; proxies: readonly Proxy[]; topic: string }
  /** Of the log; who adds one counts it. */
  partitions: number
  start(): Promise<void>
  /** The sum over all processes; `undefined` if none reports it. */
  metric(name: string, labels?: string): Promise<number | undefined>
  /** Deliveries that wait to be stored; `undefined` while it is not known. */
  waiting(): Promise<number | undefined>
  /** Everything acknowledged before this is stored, epoch ms; `null`: it is not known. */
  completeThrough(): Promise<number | null>
  /** Embedded: as an analyst. */
  select<Row>(query: string): Promise<Row[]>
  output(): string
  stop(): Promise<void>
  /** Stops it and opens its store. */
  stopAndOpen(): Promise<OpenedStore>
  dispose(): Promise<void>
}

export async function openProduct(mode: Mode, options: ProductOptions = {}): Promise<Product> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'rollcall-product-'))
  const parts =
    mode === 'embedded' ? await openEmbedded(directory, options) : await openDistributed(directory, options)
  const { processes } = parts
  const readAll = async () => (await Promise.all(processes.map(readMetrics))).join('\n')
  const product: Product = {
    mode,
    ...parts,
    async start() {
      await Promise.all(processes.map((each) => each.start()))
    },
    metric: async (name, labels) => sumMetric(await readAll(), name, labels),
    async waiting() {
      const text = await readAll()
      const spooled = mode === 'embedded' ? 0 : sumMetric(text, 'rollcall_spool_records')
      const known = new Set(text.match(/^rollcall_consumer_lag_records\{partition="\d+"/gm))
      const lag = sumMetric(text, 'rollcall_consumer_lag_records')
      return spooled === undefined || known.size < product.partitions ? undefined : spooled + (lag ?? 0)
    },
    output: () => processes.map((each) => `${each.name}:\n${each.output()}`).join('\n'),
    async stop() {
      for (const each of processes) await stopCleanly(each)
    },
    async stopAndOpen() {
      await product.stop()
      return parts.open()
    },
    async dispose() {
      for (const each of processes) await each.kill()
      await parts.close()
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  if (mode === 'embedded' || options.isStarted === false) return product
  await product.start().catch(async (error: unknown) => {
    await product.dispose()
    throw error
  })
  return product
}

/** By itself, with 0. */
export async function stopCleanly(child: Child): Promise<void> {
  const code = await child.stop()
  if (code !== 0 || child.output().includes('The stop took too long'))
    throw new Error(`${child.name} was stopped and ended with ${code}:\n${child.output().slice(-4_000)}`)
}

async function openEmbedded(directory: string, { env = {} }: ProductOptions) {
  const embedded = await startEmbedded(directory, env)
  const { ingestUrl, dashboardUrl } = embedded
  return {
    ingestUrl,
    dashboardUrl,
    env: { DATA_DIR: directory, INGEST_TOKENS: `main=${testToken}`, ...env },
    processes: [embedded],
    ingest: embedded,
    consumers: [embedded],
    partitions: 1,
    async select<Row>(query: string) {
      const body = `${query} FORMAT JSONEachRow`
      const answer = await fetch(`${dashboardUrl}/api/sql`, { method: 'POST', body })
      const text = await answer.text()
      if (!answer.ok) throw new Error(text)
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row)
    },
    async completeThrough() {
      const answer = await fetch(`${dashboardUrl}/api/metrics`)
      const { complete_through } = (await answer.json()) as MetricsAnswer
      return complete_through === null ? null : Date.parse(complete_through)
    },
    async open(): Promise<OpenedStore> {
      const { reader, close } = await openDirectory(join(directory, 'clickhouse'))
      return { client: reader, close }
    },
    close: async () => {},
  }
}

async function openDistributed(directory: string, options: ProductOptions) {
  const { broker, consumers: count = 1, hasDashboards = true, isMigrated = true } = options
  if (broker === undefined) throw new Error('The distributed product needs a broker')
  const clickhouse = await openTestClickHouse({ isMigrated })
  // On a busy machine, a kept connection may be closed when it is used.
  const client = createClient({ ...clickhouse, keep_alive: { enabled: false } })
  const topic = `test-${randomBytes(6).toString('hex')}`
  const partitions = 3
  const env = {
    KAFKA_BROKERS: broker.brokers.join(','),
    KAFKA_TOPIC: topic,
    KAFKA_GROUP_ID: topic,
    KAFKA_PARTITIONS: String(partitions),
    KAFKA_REPLICATION_FACTOR: '1',
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: clickhouse.username,
    CLICKHOUSE_PASSWORD: clickhouse.password,
    DATA_DIR: directory,
    LOG_LEVEL: 'info',
    ...options.env,
  }
  const proxies: Proxy[] = []
  const create = async (name: string, main: string, own: Record<string, string>) =>
    createChild(name, main, { ...env, ADMIN_PORT: String(await findFreePort()), ...own })
  const createReading = async (name: string, main: string, own: Record<string, string>) => {
    const proxy = await openProxy(clickhouse.url)
    proxies.push(proxy)
    return create(name, main, { CLICKHOUSE_URL: proxy.url, ...own })
  }
  const [INGEST_PORT, DASHBOARD_PORT] = [String(await findFreePort()), String(await findFreePort())]
  const ingestEnv = { INGEST_PORT, INGEST_TOKENS: `main=${testToken}` }
  const ingest = await create('ingest', 'services/ingest/main.ts', ingestEnv)
  const consumers: Child[] = []
  for (let n = 1; n <= count; n++) {
    const own = { INGEST_ADMIN_URLS: ingest.adminUrl }
    consumers.push(await createReading(`consumer ${n}`, 'services/consumer-process/main.ts', own))
  }
  const processes = [ingest, ...consumers]
  if (hasDashboards)
    processes.push(await createReading('dashboards', 'dashboards/main.ts', { DASHBOARD_PORT }))
  const select = async <Row>(query: string) =>
    (await client.query({ query, format: 'JSONEachRow' })).json<Row>() as Promise<Row[]>
  return {
    ingestUrl: toIngestUrl(INGEST_PORT),
    dashboardUrl: `http://127.0.0.1:${DASHBOARD_PORT}`,
    env,
    processes,
    ingest,
    consumers,
    partitions,
    servers: { clickhouse, proxies, topic },
    select,
    async completeThrough() {
      const query = 'SELECT toUnixTimestamp64Milli(complete_through) AS at FROM rollcall.complete_through'
      const [row] = await select<{ at: number | string | null }>(query)
      return row?.at == null ? null : Number(row.at)
    },
    open: async (): Promise<OpenedStore> => ({ client, close: async () => {} }),
    async close() {
      await client.close()
      for (const proxy of proxies) await proxy.close()
      await clickhouse.stop()
    },
  }
}
