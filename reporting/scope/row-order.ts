/** The orders of rows: the keys to sort by, and the place in an order where a page begins. */
import { z } from 'zod'

/** The keys that rows are sorted by; unknown values come last, ties go by assignment id. */
export const rowSorts = ['created', 'due', 'days_late', 'waiting', 'grade', 'person'] as const
export type RowSort = (typeof rowSorts)[number]

export type RowOrder = { by: RowSort; descending: boolean }

export const newestFirst: RowOrder = { by: 'created', descending: true }

/** A row's place in an order: what it is sorted by, and its id. */
export type RowCursor = { key: number | string; assignmentId: string }

/** `sort=due`, `sort=-due`: ascending and descending. */
export function parseRowOrder(text: string): RowOrder | undefined {
  const name = text.replace(/^-/, '')
  const by = rowSorts.find((sort) => sort === name)
  return by === undefined ? undefined : { by, descending: text.startsWith('-') }
}

const cursorSchema = z.tuple([z.union([z.number(), z.string().max(10_000)]), z.string().min(1).max(10_000)])

/** For addresses. Ids and names may hold any character, hence base64. */
export function toCursorText({ key, assignmentId }: RowCursor): string {
  return Buffer.from(JSON.stringify([key, assignmentId])).toString('base64url')
}

/** `undefined` for a text that is not a cursor of this order. */
export function parseCursor(text: string, { by }: RowOrder): RowCursor | undefined {
  try {
    const [key, assignmentId] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return (typeof key === 'string') === (by === 'person') ? { key, assignmentId } : undefined
  } catch {
    return undefined
  }
}

/** A key that is greater (or less) than any other. */
export function toLastKey({ by, descending }: RowOrder): number | string {
  if (by === 'person') return descending ? '' : '\u{10ffff}'
  return descending ? -Number.MAX_VALUE : Number.MAX_VALUE
}
