/** The faults of the servers, and of the spool before them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Kafka, logLevel } from 'kafkajs'
import { chance, integer, pick } from '../../../sample-platform/random.ts'
import type { TestClickHouse } from '../../support/store/clickhouse-server.ts'
import type { Proxy } from '../../support/network/proxy.ts'
import type { SmallDisk } from '../../support/small-disk.ts'
import { until } from '../../support/wait.ts'
import { sumMetric, type ManagedProcess } from '../processes.ts'
import { partitionAdded, type Fault } from './common.ts'
import { tearTail } from './files.ts'

export type Broker = {
  address: string
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  startAgain(): Promise<void>
  dispose(): Promise<void>
}

const longestAbsenceMs = 4_000
/** Free bytes too few for some more deliveries, and some for a few. */
const mostFreeBytes = 500_000

type StartParts = {
  ingest: ManagedProcess
  consumers: readonly ManagedProcess[]
  broker: Broker
  proxy: Proxy
}

type SpoolParts = Pick<StartParts, 'ingest' | 'broker'> & {
  spool: string
  /** The spool's, where one could be made. */
  disk: SmallDisk | undefined
}

export function brokerFaults(broker: Broker): Fault[] {
  return (['SIGKILL', 'SIGTERM'] as const).map((signal) => ({
    name: `broker away (${signal})`,
    async apply(random) {
      await broker.end(signal)
      await sleep(integer(random, 200, longestAbsenceMs))
      await broker.startAgain()
    },
  }))
}

/** `addOne` counts it, and says how many there are then. */
export function partitionFault(address: () => string, topic: string, addOne: () => number): Fault {
  return {
    name: partitionAdded,
    async apply() {
      const admin = new Kafka({ brokers: [address()], logLevel: logLevel.NOTHING }).admin()
      await admin.connect()
      await admin.createPartitions({ topicPartitions: [{ topic, count: addOne() }] })
      await admin.disconnect()
    },
  }
}

export function clickHouseFaults(proxy: Proxy, clickhouse: TestClickHouse): Fault[] {
  return [
    {
      name: 'ClickHouse out of reach',
      async apply(random) {
        await proxy.refuse()
        await sleep(integer(random, 200, longestAbsenceMs))
        await proxy.accept()
      },
    },
    {
      name: 'inserts cut before and after they are done',
      async apply(random) {
        let left = integer(random, 1, 3)
        const cuts = new Promise<void>((resolve) => {
          proxy.onInsert = () => {
            if (!chance(random, 0.4)) return undefined
            if (--left <= 0) resolve()
            return chance(random, 0.5) ? 'before' : 'after'
          }
        })
        await cuts
        proxy.onInsert = () => undefined
      },
    },
    {
      name: 'events cut off on their way',
      async apply() {
        await new Promise<void>((resolve) => {
          proxy.onInsert = (table) => {
            if (table !== 'event_rows') return undefined
            proxy.onInsert = () => undefined
            resolve()
            return 'before'
          }
        })
      },
    },
    ...(clickhouse.kind === 'given'
      ? []
      : [
          {
            name: 'ClickHouse killed',
            async apply(random) {
              await clickhouse.kill()
              await sleep(integer(random, 0, longestAbsenceMs))
              await clickhouse.start()
            },
          } satisfies Fault,
        ]),
  ]
}

export function awayAtStartFaults({ ingest, consumers, broker, proxy }: StartParts): Fault[] {
  return [
    {
      name: 'broker away while ingest starts',
      async apply() {
        await broker.end('SIGKILL')
        await ingest.kill()
        // It gives up waiting for the broker, and acknowledges from its spool.
        await ingest.start()
        await untilSpooled(ingest)
        await broker.startAgain()
      },
    },
    {
      name: 'broker away while a consumer starts',
      async apply(random) {
        const consumer = pick(random, consumers)
        await broker.end('SIGKILL')
        await consumer.kill()
        consumer.spawn()
        await sleep(integer(random, 0, longestAbsenceMs))
        await broker.startAgain()
        await untilStarted(consumer)
      },
    },
    {
      name: 'ClickHouse away while a consumer starts',
      async apply(random) {
        const consumer = pick(random, consumers)
        await proxy.refuse()
        await consumer.kill()
        consumer.spawn()
        await sleep(integer(random, 0, longestAbsenceMs))
        await proxy.accept()
        await untilStarted(consumer)
      },
    },
  ]
}

/** As an orchestrator does it: what ends because a server is away is started again. */
async function untilStarted(process: ManagedProcess): Promise<void> {
  await process.untilReady().catch(async () => process.start())
}

const untilSpooled = async (ingest: ManagedProcess) =>
  until(async () => (sumMetric(await ingest.metrics(), 'rollcall_spool_records') ?? 0) > 0, Boolean, {
    describe: ingest.output,
  })

export function spoolFaults({ ingest, broker, spool, disk }: SpoolParts): Fault[] {
  const faults: Fault[] = [
    {
      name: 'torn tail of the spool',
      async apply(random) {
        await broker.end('SIGKILL')
        await untilSpooled(ingest)
        await ingest.kill()
        tearTail(spool, random)
        await ingest.start()
        await broker.startAgain()
      },
    },
  ]
  if (disk === undefined) return faults
  return [
    ...faults,
    {
      name: 'disk of the spool full',
      async apply(random) {
        await broker.end('SIGKILL')
        await untilSpooled(ingest)
        disk.fill(integer(random, 0, mostFreeBytes))
        await sleep(integer(random, 500, longestAbsenceMs))
        // Either of them may come back first.
        if (chance(random, 0.5)) disk.makeRoom()
        await broker.startAgain()
        await until(async () => sumMetric(await ingest.metrics(), 'rollcall_spool_records') === 0, Boolean, {
          describe: ingest.output,
        })
        disk.makeRoom()
      },
    },
  ]
}
