/** What can happen to the servers, and to the spool before them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { chance, integer } from '../../../sample-platform/random.ts'
import type { TestClickHouse } from '../../support/clickhouse-server.ts'
import type { Proxy } from '../../support/proxy.ts'
import type { ManagedProcess } from '../processes.ts'
import type { Fault } from './fault.ts'
import { tearTail } from './files.ts'

export type Broker = {
  address: string
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  startAgain(): Promise<void>
  dispose(): Promise<void>
}

const longestAbsenceMs = 4_000

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

export function spoolFaults({
  ingest,
  broker,
  spool,
}: {
  ingest: ManagedProcess
  broker: Broker
  spool: string
}): Fault[] {
  return [
    {
      name: 'torn tail of the spool',
      async apply(random) {
        await broker.end('SIGKILL')
        await sleep(integer(random, 500, longestAbsenceMs))
        await ingest.kill()
        tearTail(spool, random)
        await ingest.start()
        await broker.startAgain()
      },
    },
  ]
}
