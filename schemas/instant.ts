/** Instants as text. */

/** ISO 8601 in UTC, with milliseconds. */
export function toInstant(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** 0 and null are "none". */
export function toInstantOrNull(epochMs: number | null): string | null {
  return epochMs === null || epochMs === 0 ? null : toInstant(epochMs)
}
