/**
 * Chance that repeats itself: everything the stand-in platform invents comes from these streams, so the same seed gives
 * the same bytes. A stream is one number, because there is one per assignment and there may be millions of them.
 */
export type Random = { state: number }

/** A stream of its own for every name: numbers drawn from one never shift those drawn from another. */
export function createRandom(seed: string, index = 0): Random {
  return { state: mix(toHash(seed) + Math.imul(index, 0x9e3779b1)) }
}

export function toHash(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
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

/** A whole number, both ends possible. */
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

/** How long people take: half of them shorter than the median, with a long tail. */
export function lognormal(random: Random, median: number, sigma: number): number {
  return median * Math.exp(normal(random, 0, sigma))
}

export function exponential(random: Random, mean: number): number {
  return -mean * Math.log(1 - draw(random))
}

/** UUID-like text; different for every index of one kind, because the first word is a bijection of the index. */
export function toUuid(kind: string, index: number): string {
  const salt = toHash(kind)
  const random: Random = { state: salt ^ Math.imul(index, 0x85ebca6b) }
  const word = () => Math.floor(draw(random) * 4_294_967_296)
  const [b, c, d] = [word(), word(), word()]
  const hex = (value: number) => value.toString(16).padStart(8, '0')
  const middle = hex(b)
  const end = hex(((c & 0x3fffffff) | 0x80000000) >>> 0)
  return `${hex(mix(index + salt))}-${middle.slice(0, 4)}-4${middle.slice(5)}-${end.slice(0, 4)}-${end.slice(4)}${hex(d)}`
}

/** Murmur's finaliser: a bijection on 32 bits. */
function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
