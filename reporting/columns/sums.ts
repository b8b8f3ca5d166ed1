/**
 * What content hashes of rows add up to, modulo 2^64. Rows that cancel out add up to nothing, so equal sums mean equal content, however
 * rows were merged. Sums by bucket show where two contents differ.
 */
const bucketCount = 16_384
/** In the store, of the column `img`. */
export const bucketColumn = `bitAnd(img, ${bucketCount - 1})`
export const sumColumn = 'toUInt64(sum(toInt64(img) * sign))'

/** By bucket, 1 or 0. */
export type Buckets = Uint8Array
export type BucketSums = BigUint64Array

export const toBucket = (img: bigint): number => Number(img & BigInt(bucketCount - 1))
export const createBucketSums = (): BucketSums => new BigUint64Array(bucketCount)

export function toDiffering(
  some: BucketSums,
  others: BucketSums,
): { isDiffering: Buckets; differing: number[] } {
  const isDiffering = Uint8Array.from({ length: bucketCount }, (_, bucket) =>
    Number(some[bucket] !== others[bucket]),
  )
  return { isDiffering, differing: [...isDiffering.keys()].filter((bucket) => isDiffering[bucket] === 1) }
}
