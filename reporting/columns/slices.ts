/** Long loops in slices: other work of this thread gets its turn in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A slice ends after so many ms, looked at after so many rows. */
const sliceMs = 8
const rowsBetweenLooks = 2_048

export async function inSlices(size: number, each: (from: number, to: number) => void): Promise<void> {
  let beganAt = performance.now()
  for (let from = 0; from < size; from += rowsBetweenLooks) {
    each(from, Math.min(size, from + rowsBetweenLooks))
    if (performance.now() - beganAt < sliceMs) continue
    await nextTurn()
    beganAt = performance.now()
  }
}

export { nextTurn }
