/** The product run apart: ingest, consumers and dashboards in processes of their own, on a real broker and a ClickHouse over HTTP. */
import { randomBytes } from 'node:crypto'
import { spawnChild, untilReady, type Child } from './child.ts'
import type { TestClickHouse } from '../store/clickhouse-server.ts'
import { testToken } from './embedded.ts'
import { findFreePort } from './ports.ts'

export type DistributedOptions = {
  directory: string
  brokers: readonly string[]
  clickhouse: Pick<TestClickHouse, 'url' | 'username' | 'password'>
  /** For all processes, over the settings here. */
  env?: Record<string, string>
}

export type Distributed = {
  /** Where webhooks go, token included. */
  ingestUrl: string
  topic: string
  /** The environment that all its processes share, for the command line. */
  env: Record<string, string>
  /** Every one has a spool and ports of its own; a started one has those of the one before. */
  startIngest(): Promise<Child>
  startConsumer(env?: Record<string, string>): Promise<Child>
  /** Does not wait until it is ready: a test may end it before. */
  spawnConsumer(env?: Record<string, string>): Promise<Child>
  startDashboards(env?: Record<string, string>): Promise<Child & { url: string }>
  /** Whatever still runs; for the end of a test, also of one that failed. */
  killAll(): Promise<void>
}

export async function createDistributed(options: DistributedOptions): Promise<Distributed> {
  const { directory, brokers, clickhouse, env } = options
  const id = randomBytes(6).toString('hex')
  const topic = `test-${id}`
  const common = {
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_TOPIC: topic,
    KAFKA_GROUP_ID: topic,
    KAFKA_PARTITIONS: '3',
    KAFKA_REPLICATION_FACTOR: '1',
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: clickhouse.username,
    CLICKHOUSE_PASSWORD: clickhouse.password,
    DATA_DIR: directory,
    LOG_LEVEL: 'info',
    ...env,
  }
  const ingestPort = String(await findFreePort())
  const toEnv = async (own: Record<string, string>) => ({
    ...common,
    ADMIN_PORT: String(await findFreePort()),
    ...own,
  })
  const children: Child[] = []
  const spawn = async (main: string, own: Record<string, string>) => {
    const child = spawnChild(main, await toEnv(own))
    children.push(child)
    return child
  }
  const start = async (main: string, own: Record<string, string>) => untilReady(await spawn(main, own))

  return {
    ingestUrl: `http://127.0.0.1:${ingestPort}/webhooks/${testToken}`,
    topic,
    env: common,
    startIngest: () =>
      start('services/ingest/main.ts', {
        INGEST_PORT: ingestPort,
        INGEST_TOKENS: `main=${testToken}`,
      }),
    startConsumer: (own = {}) => start('services/consumer-process/main.ts', own),
    spawnConsumer: (own = {}) => spawn('services/consumer-process/main.ts', own),
    async startDashboards(own = {}) {
      const port = String(await findFreePort())
      const child = await start('dashboards/main.ts', { DASHBOARD_PORT: port, ...own })
      return { ...child, url: `http://127.0.0.1:${port}` }
    },
    async killAll() {
      for (const child of children) await child.kill()
    },
  }
}
