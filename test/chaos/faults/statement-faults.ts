/** The faults by analysts in the embedded product: statements that never end, and a disk without room for them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { integer } from '../../../sample-platform/random.ts'
import type { SmallDisk } from '../../support/small-disk.ts'
import { until } from '../../support/wait.ts'
import type { ManagedProcess } from '../processes.ts'
import type { Fault } from './fault.ts'

const endless = `SELECT length(extractAll(repeat('a', 1000000), '(.?){1000}'))`
/** Less than statements need, more than deliveries do. */
const tooFewBytes = 50 * 1024 ** 2

type Parts = {
  product: ManagedProcess
  /** The address of `/api/sql`. */
  url: string
  disk: SmallDisk | undefined
}

export function statementFaults({ product, url, disk }: Parts): Fault[] {
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
    if (status !== wanted) throw new Error(`The statement was answered ${status}, not ${wanted}: ${body}\n${text}`)
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
