/** The faults of the files of the embedded product. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { integer } from '../../../sample-platform/random.ts'
import { runCli } from '../../support/processes/cli.ts'
import type { SmallDisk } from '../../support/small-disk.ts'
import { until } from '../../support/wait.ts'
import type { ManagedProcess } from '../processes.ts'
import type { DamagedLog } from './damaged-log.ts'
import type { Fault } from './fault.ts'
import { flipBits, pickStoreFile, tearTail } from './files.ts'

type Parts = {
  product: ManagedProcess
  data: string
  env: Record<string, string>
  waiting(): Promise<number | undefined>
}

export function logFaults({ product, data }: Parts, log: DamagedLog): Fault[] {
  return [
    {
      name: 'torn tail of the log',
      async apply(random) {
        await product.kill()
        tearTail(join(data, 'log'), random)
        await product.start()
      },
    },
    {
      name: 'flipped bytes in the log',
      async apply(random) {
        await product.kill()
        await log.damage(random)
      },
    },
  ]
}

/** `onLost`: the store is filled again from the log. */
export function storeFaults({ product, data, env }: Parts, onLost: () => void): Fault[] {
  const store = join(data, 'clickhouse')
  return [
    {
      name: 'flipped bytes in the store',
      async apply(random) {
        await product.kill()
        const file = pickStoreFile(store, random)
        if (file !== undefined) flipBits(file, random, integer(random, 1, 20))
        onLost()
        const { code, out, err } = await runCli(['store', 'rebuild'], env)
        // 3: rows could not be read; those that the log has are stored again.
        if (code !== 0 && code !== 3) throw new Error(`rollcall store rebuild ended with ${code}:\n${out}${err}`)
        await product.start()
      },
    },
    {
      name: 'lost store',
      async apply() {
        await product.kill()
        onLost()
        rmSync(store, { recursive: true })
        await product.start()
      },
    },
  ]
}

/** Free bytes too few for a segment of the log, and some for a few more deliveries. */
const mostFreeBytes = 3_000_000

export function diskFaults({ product }: Parts, disk: SmallDisk): Fault[] {
  return [
    {
      name: 'disk full while running',
      async apply(random) {
        disk.fill(integer(random, 0, mostFreeBytes))
        await sleep(integer(random, 500, 4_000))
        disk.makeRoom()
      },
    },
    {
      name: 'disk full at the start',
      async apply() {
        await product.kill()
        disk.fill(0)
        product.spawn()
        const code = await product.untilEnd()
        disk.makeRoom()
        if (code !== 2) throw new Error(`A start on a full disk ended with ${code}:\n${product.output().slice(-2_000)}`)
        await until(async () => product.start().then(() => true))
      },
    },
  ]
}
