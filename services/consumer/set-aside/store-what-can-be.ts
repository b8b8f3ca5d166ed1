/** For what is read from the platform: it is there still, so what the store refuses is left out, counted and read again next time. */
import { storeInParts } from './store-in-parts.ts'

/** Stores the items that the store takes. Returns how many it refuses. Waits for nothing: other errors are thrown. */
export async function storeWhatCanBe<Item>(
  items: readonly Item[],
  store: (items: readonly Item[]) => Promise<void>,
): Promise<number> {
  if (items.length === 0) return 0
  let refused = 0
  await storeInParts(items, {
    store,
    setAside() {
      refused++
      return Promise.resolve()
    },
    isToBlame: () => Promise.resolve(false),
  })
  return refused
}

/** For the owner, at the end of a run; nothing where the store has taken everything. */
export function toRefusedNote(refused: number): { note?: string } {
  if (refused === 0) return {}
  return { note: `${refused} of the items that were read could not be stored: the store refuses them.` }
}
