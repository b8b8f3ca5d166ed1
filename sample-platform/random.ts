/** Repeatable randomness: everything the stand-in platform invents comes from these streams. The same seed gives the same bytes. */
import { createHash } from 'node:crypto'

export type Random = { state: number }

/** One stream per name and index: numbers drawn from one never shift those drawn from another. */
export function createRandom(seed: string, index = 0): Random {
  return { state: toHash(`${seed}/${index}`) }
}

export function toHash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE()
}

/** Uniform in [0, 1): mulberry32. */
export function draw(random: Random): number {
  random.state = (random.state + 0x6d2b79f5) | 0
  let t = Math.imul(random.state ^ (random.state >>> 15), 1 | random.state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

export function chance(random: Random, probability: number): boolean {
  return draw(random) < probability
}

export function between(random: Random, from: number, to: number): number {
  return from + draw(random) * (to - from)
}

/** A whole number, both ends included. */
export function integer(random: Random, from: number, to: number): number {
  return from + Math.floor(draw(random) * (to - from + 1))
}

export function pick<T>(random: Random, list: readonly T[]): T {
  if (list.length === 0) throw new RangeError('cannot pick from an empty list')
  return list[Math.floor(draw(random) * list.length)] as T
}

export function normal(random: Random, mean: number, deviation: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draw(random)))
  return mean + deviation * radius * Math.cos(2 * Math.PI * draw(random))
}

/** How long people take: half of them less than the median, with a long tail. */
export function lognormal(random: Random, median: number, sigma: number): number {
  return median * Math.exp(normal(random, 0, sigma))
}

export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - draw(random))
}

/** A UUID that is always the same for a kind and an index. */
export function toUuid(kind: string, index: number): string {
  const hex = createHash('sha256').update(`${kind}/${index}`).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}
