/** For items of the platform, which stay there: those that the store refuses are left out, counted and read again next time. */
import { storeInParts } from './store-in-parts.ts'

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
      isToBlame: () => Promise.resolve(false),
    })
  }
  return refused
}

/** For the owner, at the end of a run; nothing where the store has taken everything. */
export function toRefusedNote(refused: number): { note?: string } {
  if (refused === 0) return {}
  return { note: `${refused} of the items that were read could not be stored: the store refuses them.` }
}
