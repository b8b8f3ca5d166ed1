/** Faults that every process knows. */
import { setTimeout as sleep } from 'node:timers/promises'
import { integer, type Random } from '../../../sample-platform/random.ts'
import type { ManagedProcess } from '../processes.ts'

const longestFreezeMs = 2_500
const mostStartsCut = 3
const longestStartMs = 2_500

export function commonFaults(processes: readonly ManagedProcess[]): Fault[] {
  return processes.flatMap(
    (process) =>
      [
        {
          name: `kill -9 of ${process.name}`,
          async apply() {
            await process.kill()
            await process.start()
          },
        },
        {
          name: `kill -9 of ${process.name} while it starts`,
          async apply(random) {
            await process.kill()
            for (let left = integer(random, 1, mostStartsCut); left > 0; left--) {
              process.spawn()
              await sleep(integer(random, 0, longestStartMs))
              await process.kill()
            }
            await process.start()
          },
        },
        {
          name: `restart of ${process.name}`,
          async apply() {
            await process.stop()
            await process.start()
          },
        },
        {
          name: `frozen ${process.name}`,
          apply: async (random) => process.freeze(integer(random, 200, longestFreezeMs)),
        },
      ] satisfies Fault[],
  )
}

/** One kind of fault. It ends with the product running again; everything after that is the product's own doing. */
export type Fault = {
  name: string
  /** Throws where the product does not do its part, such as starting again. */
  apply(random: Random): Promise<void>
}

// They change the counts that the ledger may say.
export const partitionAdded = 'a partition added'
export const lostStore = 'lost store'
