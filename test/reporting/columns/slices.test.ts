import { afterEach, expect, it, vi } from 'vitest'
import { inSlices } from '../../../reporting/columns/slices.ts'

afterEach(() => vi.restoreAllMocks())

it('gives other work a turn after 8 ms, also where one loop follows another', async () => {
  // Not ahead of the real clock: other files of this process have turns by it, too.
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  let [turnBeganAt, longest, rows, isOver] = [now, 0, 0, false]
  const otherWork = () => {
    longest = Math.max(longest, now - turnBeganAt)
    turnBeganAt = now
    if (!isOver) setImmediate(otherWork)
  }
  setImmediate(otherWork)
  // Blocks as they are read one after the other: each takes 5 ms, 1 ms for 1,000 rows.
  for (let block = 0; block < 20; block++) {
    await inSlices(5_000, () => {
      rows++
      now += 1 / 1_000
    })
  }
  isOver = true
  expect(rows).toBe(100_000)
  // A turn is looked at after 512 rows, and the last block ends in it.
  expect(longest).toBeGreaterThan(8)
  expect(longest).toBeLessThan(9)
})
