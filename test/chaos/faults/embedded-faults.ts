/** The faults of the embedded product: of its files, of its disk, and by the statements of analysts. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { integer } from '../../../sample-platform/random.ts'
import type { SmallDisk } from '../../support/small-disk.ts'
import { until } from '../../support/wait.ts'
import type { ManagedProcess } from '../processes.ts'
import { lostStore, type Fault } from './common.ts'
import { tearTail } from './files.ts'

type Parts = {
  product: ManagedProcess
  data: string
  waiting(): Promise<number | undefined>
}

export function fileFaults({ product, data }: Parts): Fault[] {
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
      // It is filled again from the log.
      name: lostStore,
      async apply() {
        await product.kill()
        rmSync(join(data, 'clickhouse'), { recursive: true })
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
        if (code !== 2)
          throw new Error(`A start on a full disk ended with ${code}:\n${product.output().slice(-2_000)}`)
        await until(async () => product.start().then(() => true))
      },
    },
  ]
}

// The faults by analysts in the embedded product: statements that never end, and a disk without room for them.

const endless = `SELECT length(extractAll(repeat('a', 1000000), '(.?){1000}'))`
/** Less than statements need, more than deliveries do. */
const tooFewBytes = 50 * 1024 ** 2

type StatementParts = {
  product: ManagedProcess
  /** The address of `/api/sql`. */
  url: string
  disk: SmallDisk | undefined
}

export function statementFaults({ product, url, disk }: StatementParts): Fault[] {
  // A connection of its own: filling a disk takes longer than one that is idle is kept.
  const send = async (body: string) => {
    const answer = await fetch(url, { method: 'POST', body, headers: { connection: 'close' } })
    return { status: answer.status, text: await answer.text() }
  }
  const untilAnswered = async () =>
    until(
      () => send('SELECT 1').catch(() => undefined),
      (answer) => answer?.status === 200,
      { describe: product.output },
    )

  async function expectStatus(body: string, wanted: number): Promise<void> {
    const { status, text } = await send(body)
    if (status !== wanted)
      throw new Error(`The statement was answered ${status}, not ${wanted}: ${body}\n${text}`)
  }

  const faults: Fault[] = [
    {
      name: 'a statement that never ends',
      async apply() {
        await untilAnswered()
        await expectStatus(endless, 408)
        await untilAnswered()
      },
    },
    {
      name: 'a stop while a statement runs',
      async apply(random) {
        const running = send(endless).catch(() => undefined)
        await sleep(integer(random, 0, 3_000))
        await product.stop()
        await running
        await product.start()
        await untilAnswered()
      },
    },
  ]
  if (disk === undefined) return faults
  return [
    ...faults,
    {
      name: 'no room for statements',
      async apply() {
        await untilAnswered()
        disk.fill(tooFewBytes)
        await expectStatus('SELECT 1', 507)
        disk.makeRoom()
        await untilAnswered()
      },
    },
  ]
}
