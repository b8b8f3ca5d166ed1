/**
 * Writes to tables of signed rows. It always inserts *target - content*: the difference between the fold's result and the
 * table, as multisets of images; never "what was believed to be written". So replays, crashes between steps and double
 * writes repair at the next touch.
 */
import { hash } from 'node:crypto'

/** A row and the hash of its content. `sign` is added when written. */
export type ImageRow = Record<string, unknown> & { img: string }

/** A row of the table: an image and its count (`sum(sign)`, never 0; normally 1). */
export type HeldRow = ImageRow & { n: number }

/** First 64 bits of SHA-1 over the content: not a secret, only equal for equal rows. */
export function toImage(content: Record<string, unknown>): ImageRow {
  const digest = hash('sha1', JSON.stringify(content), 'hex')
  return { ...content, img: BigInt(`0x${digest.slice(0, 16)}`).toString() }
}

/** The signed rows that turn the table's content into the target; empty where they are equal. */
export function toDifference(
  target: readonly ImageRow[],
  rows: readonly HeldRow[],
): (ImageRow & { sign: 1 | -1 })[] {
  const missing = new Map<string, { row: ImageRow; n: number }>()
  for (const row of target) missing.set(row.img, { row, n: (missing.get(row.img)?.n ?? 0) + 1 })
  for (const { n, ...row } of rows) {
    missing.set(row.img, { row, n: (missing.get(row.img)?.n ?? 0) - n })
  }
  return [...missing.values()].flatMap(({ row, n }) =>
    Array.from({ length: Math.abs(n) }, () => ({ ...row, sign: n > 0 ? (1 as const) : (-1 as const) })),
  )
}
