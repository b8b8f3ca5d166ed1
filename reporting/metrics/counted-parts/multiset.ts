/** Signed counts of numbers, sorted: what the waits and instants of many assignments are kept as. */

/** `values` ascend, each once; `counts` says how often, never 0; `size` is their sum. */
export type Multiset = { values: Float64Array; counts: Int32Array; size: number }

export const emptySet: Multiset = { values: new Float64Array(), counts: new Int32Array(), size: 0 }

/** From sorted numbers, each to be counted once, and sorted numbers to be taken away. */
export function toMultiset(added: Float64Array, removed: Float64Array): Multiset {
  return sum(countEqual(added, 1), countEqual(removed, -1))
}

function countEqual(sorted: Float64Array, sign: 1 | -1): Multiset {
  const values = new Float64Array(sorted.length)
  const counts = new Int32Array(sorted.length)
  let length = 0
  for (const value of sorted) {
    if (length > 0 && values[length - 1] === value) counts[length - 1]! += sign
    else {
      values[length] = value
      counts[length++] = sign
    }
  }
  return { values: values.slice(0, length), counts: counts.slice(0, length), size: sign * sorted.length }
}

/** `a` and `sign` times `b`. Takes a copy of the larger one, and of the rest in proportion to the smaller one. */
export function sum(a: Multiset, b: Multiset, sign: 1 | -1 = 1): Multiset {
  if (b.values.length === 0) return a
  if (sign === 1 && a.values.length < b.values.length) return sum(b, a)
  const values = new Float64Array(a.values.length + b.values.length)
  const counts = new Int32Array(values.length)
  let from = 0
  let length = 0
  for (let index = 0; index < b.values.length; index++) {
    const value = b.values[index]!
    const to = findFirst(a.values, value, from)
    copy(from, to)
    from = to
    let count = sign * b.counts[index]!
    if (a.values[from] === value) count += a.counts[from++]!
    if (count === 0) continue
    values[length] = value
    counts[length++] = count
  }
  copy(from, a.values.length)
  const size = a.size + sign * b.size
  // What is left over is a few numbers, not worth a copy.
  return { values: values.subarray(0, length), counts: counts.subarray(0, length), size }

  function copy(begin: number, end: number): void {
    values.set(a.values.subarray(begin, end), length)
    counts.set(a.counts.subarray(begin, end), length)
    length += end - begin
  }
}

/** The index of the first value that is not below `value`, from `from` on. */
function findFirst(values: Float64Array, value: number, from: number): number {
  // The next one is often near.
  let step = 1
  let low = from
  while (low + step < values.length && values[low + step]! < value) {
    low += step
    step *= 2
  }
  let high = Math.min(values.length, low + step)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** The lower and the upper median; `null` of nothing. */
export function toMedians(set: Multiset): [lower: number | null, upper: number | null] {
  const half = Math.ceil(set.size / 2)
  return half === 0 ? [null, null] : [findNth(set, half), findNth(set, set.size - half + 1)]
}

/** The nth smallest, counted from 1. */
function findNth({ values, counts }: Multiset, nth: number): number | null {
  let seen = 0
  for (let index = 0; index < values.length; index++) {
    seen += counts[index]!
    if (seen >= nth) return values[index]!
  }
  return null
}

/**
 * Exact Kaplan-Meier estimates: the waits at which survival falls to each limit (from high to low), with a tolerance of 1e-9; `null`
 * where it does not. `ended` are waits in ms; `since`: when those began that still go on, epoch ms. Ends come before censorings of the
 * same length. Between two censorings the factors (r - d) / r cancel out to (last r - last d) / first r, so ends are only counted.
 */
export function toQuantiles(
  ended: Multiset,
  since: Multiset,
  now: number,
  limits: readonly number[],
): (number | null)[] {
  const { values, counts } = ended
  const found: number[] = []
  let survival = 1
  let atRisk = ended.size + since.size
  let index = 0
  // The last to begin has waited least.
  for (let youngest = since.values.length - 1; index < values.length && found.length < limits.length; youngest--) {
    const age = youngest < 0 ? Infinity : now - since.values[youngest]!
    const first = index
    let ends = 0
    while (index < values.length && values[index]! <= age) ends += counts[index++]!
    if (ends !== 0) {
      const after = survival * (1 - ends / atRisk)
      const isFallen = (limit: number, left: number) => left <= limit + 1e-9
      let passed = 0
      for (let at = first; found.length < limits.length && isFallen(limits[found.length]!, after); at++) {
        passed += counts[at]!
        while (found.length < limits.length && isFallen(limits[found.length]!, survival * (1 - passed / atRisk))) {
          found.push(values[at]!)
        }
      }
      survival = after
    }
    atRisk -= ends + (since.counts[youngest] ?? 0)
  }
  return limits.map((_, limit) => found[limit] ?? null)
}
