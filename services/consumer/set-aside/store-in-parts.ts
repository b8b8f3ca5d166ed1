/**
 * One unstorable delivery never delays another. A batch that the store refuses for its content is halved until the
 * culprit stands alone; that one is set aside, and the rest continues. Errors of availability are thrown and waited out.
 */
import { toFailure } from '../../clickhouse/errors/failure.ts'

export type Parts<Item> = {
  /** Stores these and records their position, so that a crash continues behind them. */
  store(items: readonly Item[]): Promise<void>
  /** Keeps, some other way, items that the store will not take, and records that. */
  setAside(item: Item, refusal: unknown): Promise<void>
  /** After an error that may be anyone's fault: whether it is this item's. */
  isToBlame(item: Item): boolean
}

/** Stores them in their order. Items recorded before it throws stay so. */
export async function storeInParts<Item>(items: readonly Item[], parts: Parts<Item>): Promise<void> {
  const { store, setAside, isToBlame } = parts
  try {
    return await store(items)
  } catch (error) {
    const failure = toFailure(error)
    if (failure !== 'content' && failure !== 'unclear') throw error
    const [only] = items
    if (only === undefined) throw error
    if (items.length === 1) {
      if (failure === 'unclear' && !isToBlame(only)) throw error
      return setAside(only, error)
    }
  }
  const middle = Math.ceil(items.length / 2)
  await storeInParts(items.slice(0, middle), parts)
  await storeInParts(items.slice(middle), parts)
}

// For items of the platform, which stay there: those that the store refuses are left out, counted and read again next time.

/** A statement names the ids that it stores; of a list without pages they would be too long for a server. */
const itemsPerStep = 2_000

/** Stores the items that the store takes. Returns how many it refuses. Waits for nothing: other errors are thrown. */
export async function storeWhatCanBe<Item>(
  items: readonly Item[],
  store: (items: readonly Item[]) => Promise<void>,
): Promise<number> {
  let refused = 0
  for (let at = 0; at < items.length; at += itemsPerStep) {
    await storeInParts(items.slice(at, at + itemsPerStep), {
      store,
      setAside() {
        refused++
        return Promise.resolve()
      },
      isToBlame: () => false,
    })
  }
  return refused
}

/** For the owner, at the end of a run; nothing where the store has taken everything. */
export function toRefusedNote(refused: number): { note?: string } {
  if (refused === 0) return {}
  return { note: `${refused} of the items that were read could not be stored: the store refuses them.` }
}
