/**
 * What content hashes of rows add up to, by halves of 32 bits. Rows that cancel out add up to nothing, so equal
 * sums mean equal content, however rows were merged. Sums by bucket show where two contents differ.
 */
export type Sum = [low: number, high: number]

const bucketCount = 16_384
/** In the store, of the column `img`. */
export const bucketColumn = `bitAnd(img, ${bucketCount - 1})`
export const sumColumns = ['bitAnd(img, 4294967295)', 'bitShiftRight(img, 32)']
  .map((half, index) => `toUInt32(sum(toInt64(${half}) * sign)) AS ${['low', 'high'][index]}`)
  .join(', ')

export function addTo(sum: Sum, low: number, high: number, sign: number): void {
  sum[0] = (sum[0] + sign * low) >>> 0
  sum[1] = (sum[1] + sign * high) >>> 0
}

/** By bucket, 1 or 0. */
export type Buckets = Uint8Array
/** By bucket, two halves each. */
export type BucketSums = Uint32Array

export const toBucket = (low: number): number => low & (bucketCount - 1)
export const createBucketSums = (): BucketSums => new Uint32Array(2 * bucketCount)

export function addToBucket(sums: BucketSums, low: number, high: number, sign: number): void {
  sums[2 * toBucket(low)]! += sign * low
  sums[2 * toBucket(low) + 1]! += sign * high
}

export function toDiffering(
  some: BucketSums,
  others: BucketSums,
): { isDiffering: Buckets; differing: number[] } {
  const isDiffering = Uint8Array.from({ length: bucketCount }, (_, bucket) =>
    Number(some[2 * bucket] !== others[2 * bucket] || some[2 * bucket + 1] !== others[2 * bucket + 1]),
  )
  return { isDiffering, differing: [...isDiffering.keys()].filter((bucket) => isDiffering[bucket] === 1) }
}
