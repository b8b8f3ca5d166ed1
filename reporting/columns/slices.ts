/** Long loops in slices: other work of this thread gets its turn in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A turn ends after so many ms, looked at after so many rows. */
const turnMs = 8
const rowsInSlice = 512
/** Of all loops together: one that begins where another ended goes on in its turn. */
let turnBeganAt = -Infinity

export async function inSlices(size: number, use: (index: number) => void): Promise<void> {
  for (let from = 0; from < size; from += rowsInSlice) {
    if (performance.now() - turnBeganAt >= turnMs) {
      await nextTurn()
      turnBeganAt = performance.now()
    }
    const to = Math.min(size, from + rowsInSlice)
    for (let index = from; index < to; index++) use(index)
  }
}

export { nextTurn }
