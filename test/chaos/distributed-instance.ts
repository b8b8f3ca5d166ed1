/** The distributed product under attack: ingest and consumer in processes of their own, a real broker, and ClickHouse over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type ClickHouseClient } from '@clickhouse/client'
import { openTestClickHouse, type TestClickHouse } from '../support/store/clickhouse-server.ts'
import { testToken } from '../support/processes/embedded.ts'
import { chooseFiles, endJvmBroker, startJvmBroker } from '../support/kafka/jvm.ts'
import { findFreePort } from '../support/processes/ports.ts'
import { until } from '../support/wait.ts'
import { openProxy, type Proxy } from '../support/network/proxy.ts'
import { canMount, mountSmallDisk } from '../support/small-disk.ts'
import { commonFaults } from './faults/common.ts'
import {
  awayAtStartFaults,
  brokerFaults,
  partitionFault,
  clickHouseFaults,
  spoolFaults,
  type Broker,
} from './faults/distributed-faults.ts'
import type { Instance, InstanceOptions } from './instance.ts'
import type { OpenedStore } from './oracle.ts'
import { manageProcess, sumMetric, type ManagedProcess } from './processes.ts'

const firstPartitions = 3

type Servers = { broker: Broker; clickhouse: TestClickHouse; proxy: Proxy }

export async function openDistributedInstance({ mutant }: InstanceOptions): Promise<Instance> {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-chaos-'))
  const servers = await openServers(directory)
  const { broker, clickhouse, proxy } = servers
  const ingestPort = String(await findFreePort())
  // A disk of its own, which can be full. A repair puts another directory beside the spool, so it is not the disk itself.
  const disk = canMount ? mountSmallDisk('96m') : undefined
  const ingestDirectory = disk?.directory ?? directory
  const options = { mutant }
  const env = toEnv(directory, servers)
  const ingestEnv = {
    ...env,
    INGEST_PORT: ingestPort,
    INGEST_TOKENS: `main=${testToken}`,
    DATA_DIR: ingestDirectory,
  }
  const ingest = await manageProcess('ingest', {
    ...options,
    main: 'services/ingest/main.ts',
    env: ingestEnv,
  })
  const consumerEnv = { ...env, INGEST_ADMIN_URLS: ingest.adminUrl }
  const consumers = await Promise.all(
    ['a consumer', 'another consumer'].map((name) =>
      manageProcess(name, { ...options, main: 'services/consumer-process/main.ts', env: consumerEnv }),
    ),
  )
  const processes = [ingest, ...consumers]
  // The first consumer makes the schema and the topic.
  for (const process of processes) await process.start()

  const client = createClient(clickhouse)
  let partitions = firstPartitions

  async function waiting(): Promise<number | undefined> {
    const spooled = sumMetric(await ingest.metrics(), 'rollcall_spool_records')
    const lags = (await Promise.all(consumers.map((each) => each.metrics()))).flatMap(readLags)
    const known = new Set(lags.map(({ partition }) => partition))
    if (spooled === undefined || known.size < partitions) return undefined
    return lags.reduce((sum, { records }) => sum + records, spooled)
  }

  return {
    ingestUrl: `http://127.0.0.1:${ingestPort}/webhooks/${testToken}`,
    faults: [
      ...commonFaults(processes),
      ...brokerFaults(broker),
      partitionFault(
        () => broker.address,
        'chaos',
        () => (partitions += 1),
      ),
      ...clickHouseFaults(proxy, clickhouse),
      ...awayAtStartFaults({ ingest, consumers, broker, proxy }),
      ...spoolFaults({ ingest, broker, spool: join(ingestDirectory, 'spool'), disk }),
    ],
    missing: disk === undefined ? ['full disk of the spool: mounting one needs root'] : [],
    waiting,
    stored: () => sumStored(consumers),
    output: () => processes.map((each) => `${each.name}:\n${each.output().slice(-3_000)}`).join('\n'),
    async stopAndOpen(): Promise<OpenedStore> {
      // Two owners of a partition, or of two partitions with events of one assignment, may have written at once. The audit
      // repairs that twelve sessions later. The oracle reports what the audit leaves.
      await until(
        () => countImpossible(client),
        (rows) => rows === 0,
      ).catch(() => undefined)
      for (const process of processes) await process.stop()
      return { client, close: async () => client.close() }
    },
    async dispose() {
      for (const process of processes) await process.kill()
      await client.close()
      await proxy.close()
      await clickhouse.stop()
      await broker.dispose()
      disk?.remove()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Versions stored twice or only retracted, assignments with two open versions, and missing reporting lines. */
async function countImpossible(client: ClickHouseClient): Promise<number> {
  const counts = ['open_versions', 'closed_versions', 'user_versions', 'link_versions'].map(
    (table) =>
      `SELECT countIf(copies NOT IN (0, 1)) AS rows FROM (SELECT * EXCEPT (sign), sum(sign) AS copies FROM rollcall.${table} GROUP BY ALL)`,
  )
  const open = `SELECT countIf(versions NOT IN (0, 1)) AS rows
    FROM (SELECT akey, sum(sign) AS versions FROM rollcall.open_versions GROUP BY akey)`
  const unlinked = `SELECT count() AS rows FROM (SELECT DISTINCT arrayJoin(managers) AS manager_id, user_id FROM rollcall.user_observations)
    WHERE manager_id != user_id AND (manager_id, user_id) NOT IN (SELECT manager_id, report_id FROM rollcall.link_versions GROUP BY ALL HAVING sum(sign) > 0)`
  const query = `SELECT toUInt32(sum(rows)) AS rows FROM (${[...counts, open, unlinked].join(' UNION ALL ')})`
  const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ rows: number }>()
  return row?.rows ?? 0
}

async function openServers(directory: string): Promise<Servers> {
  const files = await chooseFiles(join(directory, 'broker'))
  let { address, pid } = await startJvmBroker(files)
  const broker: Broker = {
    address,
    end: (signal) => endJvmBroker(pid, signal),
    async startAgain() {
      ;({ address, pid } = await startJvmBroker(files))
    },
    dispose: () => endJvmBroker(pid, 'SIGKILL'),
  }
  const clickhouse = await openTestClickHouse({ isMigrated: true })
  return { broker, clickhouse, proxy: await openProxy(clickhouse.url) }
}

function toEnv(directory: string, { broker, clickhouse, proxy }: Servers): Record<string, string> {
  return {
    KAFKA_BROKERS: broker.address,
    KAFKA_TOPIC: 'chaos',
    KAFKA_GROUP_ID: 'chaos',
    KAFKA_PARTITIONS: String(firstPartitions),
    KAFKA_REPLICATION_FACTOR: '1',
    KAFKA_SESSION_TIMEOUT_MS: '3000',
    CLICKHOUSE_URL: proxy.url,
    CLICKHOUSE_USER: clickhouse.username,
    CLICKHOUSE_PASSWORD: clickhouse.password,
    DATA_DIR: directory,
    LOG_LEVEL: 'warn',
  }
}

function readLags(metrics: string): { partition: string; records: number }[] {
  return [...metrics.matchAll(/^rollcall_consumer_lag_records\{partition="(\d+)"\} (\d+)$/gm)].map(
    ([, partition, records]) => ({ partition: String(partition), records: Number(records) }),
  )
}

async function sumStored(consumers: readonly ManagedProcess[]): Promise<number> {
  const counts = await Promise.all(
    consumers.map(async (each) => sumMetric(await each.metrics(), 'rollcall_consumer_deliveries_total') ?? 0),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
