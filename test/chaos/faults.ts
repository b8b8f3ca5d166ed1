/** The list of faults. Each breaks something and mends it; everything after that is the product's own doing. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kafka, logLevel } from 'kafkajs'
import { chance, integer, pick, type Random } from '../../sample-platform/random.ts'
import type { OwnBroker } from '../support/kafka/broker.ts'
import type { Cut, Proxy } from '../support/network/proxy.ts'
import { readMetrics, type Child } from '../support/processes/child.ts'
import { stopCleanly, type Product } from '../support/processes/product.ts'
import type { SmallDisk } from '../support/small-disk.ts'
import { until } from '../support/wait.ts'
import type { Target } from './target.ts'

export type Fault = {
  name: string
  /** Throws where the product does not do its part, such as starting again. */
  apply(random: Random): Promise<void>
}

// They change the counts that the ledger may say.
export const partitionAdded = 'a partition added'
export const lostStore = 'lost store'

const longestMs = 4_000
/** Free bytes too few for some more deliveries, and some for a few. */
const mostFreeBytes = { log: 3_000_000, spool: 300_000 }

/** Breaks for a random time. */
function away(
  name: string,
  breaks: (random: Random) => unknown,
  mends: () => unknown,
  mostMs = longestMs,
): Fault {
  return {
    name,
    async apply(random) {
      await breaks(random)
      await sleep(integer(random, 200, mostMs))
      await mends()
    },
  }
}

export function listFaults({ product, broker, disk, brokerDisk }: Target): Fault[] {
  return [
    ...product.processes.flatMap(ofProcess),
    ...(broker === undefined
      ? [...ofEmbedded(product), ...(disk ? ofDisk(product, disk) : [])]
      : [
          ...ofServers(product, broker),
          ...ofConsumers(product, broker),
          ...ofSpool(product, broker),
          ...(disk && brokerDisk ? ofDisks(product, broker, disk, brokerDisk) : []),
        ]),
  ]
}

function ofProcess(child: Child): Fault[] {
  return [
    {
      name: `kill -9 of ${child.name}`,
      async apply() {
        await child.kill()
        await child.start()
      },
    },
    {
      name: `kill -9 of ${child.name} while it starts`,
      async apply(random) {
        await child.kill()
        for (let left = integer(random, 1, 3); left > 0; left--) {
          child.spawn()
          await sleep(integer(random, 0, 2_500))
          await child.kill()
        }
        await child.start()
      },
    },
    {
      name: `restart of ${child.name}`,
      async apply() {
        await stopCleanly(child)
        await child.start()
      },
    },
    away(
      `frozen ${child.name}`,
      () => child.process.kill('SIGSTOP'),
      () => child.process.kill('SIGCONT'),
      2_500,
    ),
  ]
}

// Embedded

const endless = `SELECT length(extractAll(repeat('a', 1000000), '(.?){1000}'))`

/** A connection of its own: filling a disk takes longer than one that is idle is kept. */
async function ask({ dashboardUrl }: Product, body: string): Promise<number> {
  const url = `${dashboardUrl}/api/sql`
  const answer = await fetch(url, { method: 'POST', body, headers: { connection: 'close' } })
  await answer.arrayBuffer()
  return answer.status
}

const untilAsked = (product: Product, body: string, status: number) =>
  until(
    () => ask(product, body).catch(() => undefined),
    (answer) => answer === status,
    { describe: product.output },
  )

function ofEmbedded(product: Product): Fault[] {
  const { ingest: child } = product
  const data = product.env.DATA_DIR
  /** Of statements, on this data directory. */
  const countProcesses = () => {
    try {
      return execFileSync('pgrep', ['-fc', `sql-process.js.*${data}`], { encoding: 'utf8' }).trim()
    } catch {
      return '0'
    }
  }
  return [
    {
      name: 'torn tail of the log',
      async apply(random) {
        await child.kill()
        tearTail(join(data, 'log'), random)
        await child.start()
      },
    },
    {
      // It is filled again from the log.
      name: lostStore,
      async apply() {
        await child.kill()
        rmSync(join(data, 'clickhouse'), { recursive: true })
        await child.start()
      },
    },
    {
      name: 'a statement that never ends',
      async apply() {
        await untilAsked(product, endless, 408)
        await untilAsked(product, 'SELECT 1', 200)
      },
    },
    ...(['stop', 'kill -9'] as const).map((how): Fault => ({
      name: `a ${how} while a statement runs`,
      async apply() {
        const running = ask(product, endless).catch(() => undefined)
        await until(countProcesses, (count) => count !== '0')
        if (how === 'stop') await stopCleanly(child)
        else await child.kill()
        await running
        await until(countProcesses, (count) => count === '0')
        await child.start()
        if (existsSync(join(data, 'sql'))) throw new Error('The start left the snapshot of a statement')
        await untilAsked(product, 'SELECT 1', 200)
      },
    })),
  ]
}

function ofDisk(product: Product, disk: SmallDisk): Fault[] {
  const { ingest: child } = product
  return [
    away(
      'disk full while running',
      (random) => disk.fill(integer(random, 0, mostFreeBytes.log)),
      disk.makeRoom,
    ),
    {
      name: 'disk full at the start',
      async apply() {
        await child.kill()
        disk.fill(0)
        const said = await child.start().then(
          () => 'It started',
          (error: Error) => error.message,
        )
        disk.makeRoom()
        if (!/ended with 2:[^]*The disk of \S+ (?:is full|has \d\.\d MiB left).*Make room/.test(said))
          throw new Error(`A start on a full disk: ${said.slice(-1_000)}`)
        await until(async () => child.start().then(() => true))
      },
    },
    {
      name: 'no room for statements',
      async apply() {
        await untilAsked(product, 'SELECT 1', 200)
        // Less than statements need, more than deliveries do.
        disk.fill(50 * 1024 ** 2)
        await untilAsked(product, 'SELECT 1', 507)
        disk.makeRoom()
        await untilAsked(product, 'SELECT 1', 200)
      },
    },
  ]
}

/** As a crash leaves a write-ahead file: something begun behind the synced part. */
function tearTail(logDirectory: string, random: Random): void {
  const file = join(logDirectory, 'log.sqlite-wal')
  if (!existsSync(file) || statSync(file).size === 0) return
  const garbage = Array.from({ length: integer(random, 1, 9_000) }, () => integer(random, 0, 255))
  appendFileSync(file, Buffer.from(garbage))
}

// Distributed

function ofServers(product: Product, broker: OwnBroker): Fault[] {
  const { clickhouse, proxies, topic } = product.servers!
  const onAll = (act: (proxy: Proxy) => unknown) => Promise.all(proxies.map(act))
  /** Asks about inserts, of whatever consumer, until `ask` has called `done`. */
  async function cutInserts(ask: (table: string, done: () => void) => Cut): Promise<void> {
    await new Promise<void>((resolve) => {
      for (const proxy of proxies) proxy.onInsert = (table) => ask(table, resolve)
    })
    for (const proxy of proxies) proxy.onInsert = () => undefined
  }
  return [
    away('broker away (SIGKILL)', broker.kill, broker.startAgain),
    away('broker away (SIGTERM)', broker.stop, broker.startAgain),
    {
      name: partitionAdded,
      async apply() {
        const admin = new Kafka({ brokers: broker.brokers, logLevel: logLevel.NOTHING }).admin()
        await admin.connect()
        await admin.createPartitions({ topicPartitions: [{ topic, count: ++product.partitions }] })
        await admin.disconnect()
      },
    },
    away(
      'ClickHouse out of reach',
      () => onAll((proxy) => proxy.refuse()),
      () => onAll((proxy) => proxy.accept()),
    ),
    ...(clickhouse.kind === 'given' ? [] : [away('ClickHouse killed', clickhouse.kill, clickhouse.start)]),
    away(
      'three of ten answers of ClickHouse reset',
      (random) => onAll((proxy) => (proxy.onAnswer = () => (chance(random, 0.3) ? 'reset' : undefined))),
      () => onAll((proxy) => (proxy.onAnswer = () => undefined)),
    ),
    {
      name: 'inserts cut before and after they are done',
      apply: (random) => {
        let left = integer(random, 1, 3)
        return cutInserts((_, done) => {
          if (!chance(random, 0.4)) return undefined
          if (--left <= 0) done()
          return chance(random, 0.5) ? 'before' : 'after'
        })
      },
    },
    {
      name: 'events cut off on their way',
      apply: () => {
        let isDone = false
        return cutInserts((table, done) => {
          if (table !== 'event_rows' || isDone) return undefined
          isDone = true
          done()
          return 'before'
        })
      },
    },
  ]
}

/** The writes of a batch, in about this order, the position last of all. */
const steps =
  'event_rows event_bodies failed_event_rows names user_observations user_versions link_versions closed_versions open_versions log_positions'

function ofConsumers(product: Product, broker: OwnBroker): Fault[] {
  const { ingest, consumers } = product
  const { proxies } = product.servers!
  const pairs = consumers.map((child, index) => ({ child, proxy: proxies[index] as Proxy }))
  /** Until this consumer inserts into the table; `answer` says what becomes of the insert. */
  const atInsert = (proxy: Proxy, table: string, answer: () => Cut | Promise<Cut>) =>
    new Promise<void>((resolve) => {
      proxy.onInsert = (at) => {
        if (at !== table) return undefined
        proxy.onInsert = () => undefined
        resolve()
        return answer()
      }
    })
  /** As an orchestrator does it: what ends because a server is away is started again. */
  const untilStarted = (child: Child) => child.untilReady().catch(() => child.start())
  const readPartitions = async (child: Child) =>
    new Set((await readMetrics(child)).match(/^rollcall_consumer_lag_records\{partition="\d+"/gm)).size

  return [
    {
      name: 'a consumer killed at an insert',
      async apply(random) {
        const { child, proxy } = pick(random, pairs)
        const cut = pick(random, ['before', 'after'] as const)
        const table = pick(random, steps.split(' '))
        const killed = new Promise<void>((resolve) => {
          // Before it learns of the cut.
          proxy.onCut = () => resolve(void child.process.kill('SIGKILL'))
        })
        await atInsert(proxy, table, () => cut)
        await killed
        proxy.onCut = () => {}
        await child.kill()
        await child.start()
      },
    },
    {
      // Another does its work meanwhile: the late insert must not count twice.
      name: 'a consumer frozen at an insert beyond its session',
      async apply(random) {
        const { child, proxy } = pick(random, pairs)
        const table = pick(random, ['open_versions', 'log_positions'])
        const arrives = Promise.withResolvers<undefined>()
        await atInsert(proxy, table, () => arrives.promise)
        child.process.kill('SIGSTOP')
        const others = consumers.filter((each) => each !== child)
        await until(
          async () => (await Promise.all(others.map(readPartitions))).reduce((sum, count) => sum + count, 0),
          (count) => count >= product.partitions,
        )
        const hasArrived = new Promise<void>((resolve) => {
          proxy.onInsertDone = (at) => at === table && resolve()
        })
        arrives.resolve(undefined)
        await hasArrived
        proxy.onInsertDone = () => {}
        child.process.kill('SIGCONT')
      },
    },
    {
      name: 'a consumer stopped while ClickHouse is silent',
      async apply(random) {
        const { child, proxy } = pick(random, pairs)
        await atInsert(proxy, 'event_rows', () => new Promise<Cut>(() => {}))
        await stopCleanly(child)
        await child.start()
      },
    },
    {
      name: 'everything stopped while broker and ClickHouse are away',
      async apply() {
        await broker.kill()
        for (const { proxy } of pairs) await proxy.refuse()
        await untilSpooled(product)
        await product.stop()
        for (const { proxy } of pairs) await proxy.accept()
        await broker.startAgain()
        await product.start()
      },
    },
    {
      name: 'broker away while ingest starts',
      async apply() {
        await broker.kill()
        await ingest.kill()
        // It gives up waiting for the broker, acknowledges from its spool, and ends with a full one.
        await ingest.start()
        await untilSpooled(product)
        await stopCleanly(ingest)
        await ingest.start()
        await broker.startAgain()
      },
    },
    ...(['broker', 'ClickHouse'] as const).map((server): Fault => ({
      name: `${server} away while a consumer starts`,
      async apply(random) {
        const { child, proxy } = pick(random, pairs)
        await (server === 'broker' ? broker.kill() : proxy.refuse())
        await child.kill()
        child.spawn()
        await sleep(integer(random, 0, longestMs))
        await (server === 'broker' ? broker.startAgain() : proxy.accept())
        await untilStarted(child)
      },
    })),
  ]
}

const untilSpooled = async (product: Product, fits = (records: number | undefined) => Number(records) > 0) =>
  until(() => product.metric('rollcall_spool_records'), fits, { describe: product.output })

const untilReady = ({ ingest }: Product, status: number) =>
  until(
    async () => (await fetch(`${ingest.adminUrl}/health/ready`)).status,
    (answer) => answer === status,
    { describe: ingest.output },
  )

function ofSpool(product: Product, broker: OwnBroker): Fault[] {
  const { ingest } = product
  return [
    {
      name: 'torn tail of the spool',
      async apply(random) {
        await broker.kill()
        await untilSpooled(product)
        await ingest.kill()
        tearTail(join(product.env.DATA_DIR, 'spool'), random)
        await ingest.start()
        await broker.startAgain()
      },
    },
    {
      name: 'full spool',
      async apply() {
        await broker.kill()
        await untilReady(product, 503)
        await broker.startAgain()
        await untilReady(product, 200)
      },
    },
  ]
}

function ofDisks(product: Product, broker: OwnBroker, disk: SmallDisk, brokerDisk: SmallDisk): Fault[] {
  return [
    {
      name: 'disk of the spool full',
      async apply(random) {
        await broker.kill()
        await untilSpooled(product)
        disk.fill(integer(random, 0, mostFreeBytes.spool))
        await sleep(integer(random, 500, longestMs))
        // Either of them may come back first.
        if (chance(random, 0.5)) disk.makeRoom()
        await broker.startAgain()
        await untilSpooled(product, (records) => records === 0)
        disk.makeRoom()
      },
    },
    {
      // A broker whose only directory failed ends; somebody starts it again.
      name: 'disk of the broker full',
      async apply() {
        brokerDisk.fill(0)
        await untilSpooled(product)
        brokerDisk.makeRoom()
        await broker.kill()
        await broker.startAgain()
      },
    },
  ]
}
