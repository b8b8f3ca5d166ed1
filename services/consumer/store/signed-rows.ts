/**
 * Writing to tables of signed rows. What is inserted is always *target - content*: the difference between what the fold
 * says and what the table holds for the touched keys, as multisets of images; never "what was believed to be written". So
 * replays, crashes between two steps and double writes all heal at the next touch.
 */
import { hash } from 'node:crypto'

/** A row and the hash of its content. `sign` is added when written. */
export type ImageRow = Record<string, unknown> & { img: string }

/** What the table holds: an image and how often (`sum(sign)`, never 0; 1 where all is well). */
export type HeldRow = ImageRow & { n: number }

/** First 64 bits of SHA-1 over the content: not a secret, only equal for equal rows. */
export function toImage(content: Record<string, unknown>): ImageRow {
  const digest = hash('sha1', JSON.stringify(content), 'hex')
  return { ...content, img: BigInt(`0x${digest.slice(0, 16)}`).toString() }
}

/** The signed rows that turn what the table holds into what it should hold; empty where they are the same. */
export function toDifference(target: readonly ImageRow[], held: readonly HeldRow[]): (ImageRow & { sign: 1 | -1 })[] {
  const missing = new Map<string, { row: ImageRow; n: number }>()
  for (const row of target) missing.set(row.img, { row, n: (missing.get(row.img)?.n ?? 0) + 1 })
  for (const { n, ...row } of held) {
    missing.set(row.img, { row, n: (missing.get(row.img)?.n ?? 0) - n })
  }
  return [...missing.values()].flatMap(({ row, n }) =>
    Array.from({ length: Math.abs(n) }, () => ({ ...row, sign: n > 0 ? (1 as const) : (-1 as const) })),
  )
}
