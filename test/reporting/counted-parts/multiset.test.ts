import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  sum,
  toMedians,
  toMultiset,
  toQuantiles,
  type Multiset,
} from '../../../reporting/metrics/counted-parts/multiset.ts'

const valueArb = fc.integer({ min: 0, max: 30 })
const toSorted = (values: readonly number[]) => Float64Array.from(values).sort()
const toSet = (added: readonly number[], removed: readonly number[] = []) =>
  toMultiset(toSorted(added), toSorted(removed))

/** Value by value, without order or types that help. */
function toPairs({ values, counts, size }: Multiset) {
  return { pairs: [...values].map((value, index) => [value, counts[index]]), size }
}

function countNaively(added: readonly number[], removed: readonly number[]) {
  const counts = new Map<number, number>()
  for (const value of added) counts.set(value, (counts.get(value) ?? 0) + 1)
  for (const value of removed) counts.set(value, (counts.get(value) ?? 0) - 1)
  const pairs = [...counts].filter(([, count]) => count !== 0).sort(([a], [b]) => a - b)
  return { pairs, size: added.length - removed.length }
}

describe('a set of counted numbers', () => {
  test('holds what was added less what was removed, whatever the order', () => {
    const listArb = fc.array(valueArb, { maxLength: 40 })
    fc.assert(
      fc.property(listArb, listArb, listArb, listArb, (added, removed, more, less) => {
        const set = toSet(added, removed)
        expect(toPairs(set)).toEqual(countNaively(added, removed))
        const other = toSet(more, less)
        expect(toPairs(sum(set, other))).toEqual(countNaively([...added, ...more], [...removed, ...less]))
        expect(toPairs(sum(set, other, -1))).toEqual(countNaively([...added, ...less], [...removed, ...more]))
        expect(toPairs(sum(sum(set, other), other, -1))).toEqual(toPairs(set))
      }),
    )
  })

  test('has the middle of its numbers, or the two that stand there', () => {
    fc.assert(
      fc.property(fc.array(valueArb, { minLength: 1, maxLength: 40 }), (values) => {
        const sorted = toSorted(values)
        const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
        expect(toMedians(toSet(values))).toEqual([lower, upper])
      }),
    )
    expect(toMedians(toSet([]))).toEqual([null, null])
  })
})

describe('Kaplan-Meier estimates', () => {
  test('are those of the definition, one wait at a time', () => {
    const now = 1_000
    fc.assert(
      fc.property(fc.array(valueArb, { maxLength: 60 }), fc.array(valueArb, { maxLength: 60 }), (ended, goingOn) => {
        const since = goingOn.map((wait) => now - wait)
        expect(toQuantiles(toSet(ended), toSet(since), now, [0.5, 0.1])).toEqual(estimate(ended, goingOn, [0.5, 0.1]))
      }),
    )
  })

  test('are unknown while fewer have ended', () => {
    expect(toQuantiles(toSet([5]), toSet([10, 10]), 20, [0.5, 0.1])).toEqual([null, null])
    expect(toQuantiles(toSet([]), toSet([]), 20, [0.5, 0.1])).toEqual([null, null])
  })
})

/** METRICS.md word for word: survival falls at each end by the share of those who still waited. */
function estimate(ended: readonly number[], goingOn: readonly number[], limits: readonly number[]): (number | null)[] {
  const times = [...new Set(ended)].sort((a, b) => a - b)
  return limits.map((limit) => {
    let survival = 1
    for (const time of times) {
      const atRisk = [...ended, ...goingOn].filter((wait) => wait >= time).length
      survival *= 1 - ended.filter((wait) => wait === time).length / atRisk
      if (survival <= limit + 1e-9) return time
    }
    return null
  })
}
