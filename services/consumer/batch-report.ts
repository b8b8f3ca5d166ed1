/** A summary of a stored batch: for the ledger, which is kept with the position, and for telemetry. */
import type { Prepared } from './rows.ts'

export type BatchReport = {
  partition: number
  records: number
  stored: number
  repeated: number
  failed: number
  /** Fields that did not fit the specification, each with its number of events. */
  drift: Map<string, number>
  durationMs: number
}

const hourMs = 3_600_000

/** `repeated`: offsets of deliveries that bring what an earlier delivery has brought. */
function countOutcomes(items: readonly Prepared[], repeated: ReadonlySet<number>) {
  const again = items.filter(({ record }) => repeated.has(record.offset)).length
  const stored = items.filter((item) => item.outcome === 'event' && !repeated.has(item.record.offset)).length
  return { stored, repeated: again, failed: items.length - again - stored }
}

/** Deliveries per token name and hour of receipt. */
export function toLedger(prepared: readonly Prepared[], repeated: ReadonlySet<number>): unknown[] {
  const toHour = ({ record }: Prepared) => Math.floor(record.receivedAt / hourMs)
  return [...Map.groupBy(prepared, ({ record }) => record.source)].flatMap(([source, delivered]) =>
    // A DateTime counts seconds.
    [...Map.groupBy(delivered, toHour)].map(([hour, items]) => ({
      source,
      hour: (hour * hourMs) / 1000,
      ...countOutcomes(items, repeated),
    })),
  )
}

export function toReport(
  partition: number,
  prepared: readonly Prepared[],
  repeated: ReadonlySet<number>,
  durationMs: number,
): BatchReport {
  const drift = new Map<string, number>()
  for (const item of prepared) {
    if (item.outcome === 'failed') continue
    for (const field of item.drift) drift.set(field, (drift.get(field) ?? 0) + 1)
  }
  return { partition, records: prepared.length, ...countOutcomes(prepared, repeated), drift, durationMs }
}
