/** Values of statements: instants as text, and flags. */
import { z } from 'zod'

/** ISO 8601 in UTC, with milliseconds. */
export function toInstant(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** An instant from epoch ms, as statements give it. */
export const instantSchema = z.number().transform(toInstant)

/** A flag as statements give it: true and false, or 1 and 0. */
export const flagSchema = z.union([z.boolean(), z.number()]).transform(Boolean)

/** 0 and null are "none". */
export function toInstantOrNull(epochMs: number | null): string | null {
  return epochMs === null || epochMs === 0 ? null : toInstant(epochMs)
}

/** So that questions about the last days are the same for an hour. */
export function toStartOfHour(epochMs: number): number {
  return Math.floor(epochMs / 3_600_000) * 3_600_000
}
