/** Long loops in slices: other work of this thread gets its turn in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A turn ends after so many ms, looked at after so many rows. */
const turnMs = 8
export const rowsInSlice = 512
/** Of all loops together: one that begins where another ended goes on in its turn. */
let turnBeganAt = -Infinity

export async function inSlices(size: number, each: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < size; from += rowsInSlice) {
    if (performance.now() - turnBeganAt >= turnMs) {
      await nextTurn()
      turnBeganAt = performance.now()
    }
    each(from, Math.min(size, from + rowsInSlice))
  }
}

export { nextTurn }
