/** The product under attack: on disks that can be full, and with a broker of its own. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openOwnBroker, type OwnBroker } from '../support/kafka/broker.ts'
import { openProduct, type Mode, type Product } from '../support/processes/product.ts'
import { canMount, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import type { MutantName } from './preload/mutants.ts'

export type Target = {
  product: Product
  /** Distributed. */
  broker?: OwnBroker
  /** Of the data directory; none where mounting is not allowed. */
  disk?: SmallDisk
  brokerDisk?: SmallDisk
  dispose(): Promise<void>
}

const mutants = pathToFileURL(join(import.meta.dirname, 'preload/mutants.ts')).href

const limits = {
  LOG_LEVEL: 'info',
  KAFKA_SESSION_TIMEOUT_MS: '8000',
  SHUTDOWN_TIMEOUT_MS: '24000',
  SPOOL_MAX_BYTES: String(1024 ** 2),
  // A statement that never ends delays a fault for as long; it may write less than the disk has.
  SQL_MAX_SECONDS: '5',
  SQL_MAX_MEMORY_BYTES: String(64 * 1024 ** 2),
}

export async function openTarget(mode: Mode, mutant?: MutantName): Promise<Target> {
  const isDistributed = mode === 'distributed'
  const disks = (isDistributed ? (['96m', '256m'] as const) : (['1024m'] as const)).map((size) =>
    canMount ? mountSmallDisk(size) : undefined,
  )
  const [disk, brokerDisk] = disks
  const broker = isDistributed ? await openOwnBroker({ parent: brokerDisk?.directory }) : undefined
  const close = async () => {
    await broker?.dispose()
    for (const each of disks) each?.remove()
  }
  const product = await openProduct(mode, {
    broker,
    consumers: 2,
    hasDashboards: false,
    env: mutant ? { ...limits, CHAOS_MUTANT: mutant, NODE_OPTIONS: `--import=${mutants}` } : limits,
    ...(disk && { directory: join(disk.directory, 'data') }),
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    product,
    ...(broker && { broker }),
    ...(disk && { disk }),
    ...(brokerDisk && { brokerDisk }),
    async dispose() {
      await product.dispose()
      await close()
    },
  }
}
