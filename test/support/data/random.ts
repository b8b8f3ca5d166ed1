/** Pseudo-random numbers that repeat, so one question has one answer: mulberry32. */
export type Random = {
  /** From 0 to 1. */
  uniform(): number
  poisson(mean: number): number
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function uniform(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 4_294_967_296
  }
  function normal(): number {
    return Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  }
  function poisson(mean: number): number {
    // For large means the normal distribution is close enough, and faster.
    if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))
    let n = 0
    for (let product = uniform(); product > Math.exp(-mean); product *= uniform()) n++
    return n
  }
  return { uniform, poisson }
}
