/**
 * Which partition a key belongs to: Kafka's murmur2, as in its Java client, so that other producers agree. The client
 * library has it in big integers, at fifty times the cost.
 */
const seed = 0x9747b28c
const multiplier = 0x5bd1e995

/** Never negative; the partition is the remainder. */
export function hashKey(key: Uint8Array): number {
  const { length } = key
  let hash = seed ^ length
  let index = 0
  for (; index + 4 <= length; index += 4) {
    let word = at(key, index) | (at(key, index + 1) << 8) | (at(key, index + 2) << 16) | (at(key, index + 3) << 24)
    word = Math.imul(word, multiplier)
    word ^= word >>> 24
    hash = Math.imul(hash, multiplier) ^ Math.imul(word, multiplier)
  }
  const rest = length - index
  if (rest === 3) hash ^= at(key, index + 2) << 16
  if (rest >= 2) hash ^= at(key, index + 1) << 8
  if (rest >= 1) hash = Math.imul(hash ^ at(key, index), multiplier)
  hash = Math.imul(hash ^ (hash >>> 13), multiplier)
  return (hash ^ (hash >>> 15)) & 0x7fffffff
}

function at(key: Uint8Array, index: number): number {
  return key[index] as number
}
