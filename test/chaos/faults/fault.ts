import type { Random } from '../../../sample-platform/random.ts'

/** One kind of fault. It ends with the product running again; everything after that is the product's own doing. */
export type Fault = {
  name: string
  /** Throws where the product does not do its part, such as starting again. */
  apply(random: Random): Promise<void>
}

/** It changes the counts that the ledger may say. */
export const partitionAdded = 'a partition added'
