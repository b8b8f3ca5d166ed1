import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOfTimeMs } from '../../schemas/metrics/state-bits.ts'
import { foldLink, type LinkStatement } from '../../services/consumer/fold/fold-link.ts'

const statements = fc.uniqueArray(
  fc.record({ statedAtMs: fc.integer({ min: 1, max: 8 }), isThere: fc.boolean() }),
  { maxLength: 6, selector: ({ statedAtMs }) => statedAtMs },
)

/** METRICS.md, “People as of T”, word by word. */
function isThereAt(all: readonly LinkStatement[], ms: number): boolean | undefined {
  const ordered = all.toSorted((a, b) => a.statedAtMs - b.statedAtMs)
  return (ordered.findLast(({ statedAtMs }) => statedAtMs <= ms) ?? ordered[0])?.isThere
}

test('a person reports to a manager from when one statement says so until another says otherwise', () => {
  fc.assert(
    fc.property(statements, (all) => {
      const versions = foldLink(all)
      const ends = versions.slice(1).map(({ validFromMs }) => validFromMs)
      expect(versions.map(({ validToMs }) => validToMs)).toEqual(
        all.length === 0 ? [] : [...ends, endOfTimeMs],
      )
      const earliest = Math.min(...all.map(({ statedAtMs }) => statedAtMs))
      expect(versions.every(({ statedAtMs }) => statedAtMs === earliest)).toBe(true)
      for (let ms = 0; ms <= 9; ms += 1) {
        const version = versions.find(({ validFromMs, validToMs }) => validFromMs <= ms && ms < validToMs)
        expect(version?.isThere).toBe(isThereAt(all, ms))
      }
    }),
    { numRuns: 500, seed: 1 },
  )
})
