/** A summary of a stored batch: for the ledger, which is kept with the position, and for telemetry. */
import { contradictions } from '../../schemas/webhook/contradictions.ts'
import type { Prepared } from './rows.ts'

export type BatchReport = {
  partition: number
  records: number
  stored: number
  duplicates: number
  failed: number
  /** Fields that did not fit the specification, each with its number of events. */
  drift: Map<string, number>
  contradictions: Map<string, number>
  durationMs: number
}

const hourMs = 3_600_000

type Outcome = 'stored' | 'repeated' | 'failed'

/** `repeated`: offsets of deliveries that bring what an earlier delivery has brought. */
function toOutcome(item: Prepared, repeated: ReadonlySet<number>): Outcome {
  if (repeated.has(item.record.offset)) return 'repeated'
  return item.outcome === 'event' ? 'stored' : 'failed'
}

function countOutcome(items: readonly Prepared[], repeated: ReadonlySet<number>, outcome: Outcome): number {
  return items.filter((item) => toOutcome(item, repeated) === outcome).length
}

/** Deliveries per token name and hour of receipt. */
export function toLedger(prepared: readonly Prepared[], repeated: ReadonlySet<number>): unknown[] {
  const bySource = Map.groupBy(prepared, ({ record }) => record.source)
  return [...bySource].flatMap(([source, delivered]) => {
    const byHour = Map.groupBy(delivered, ({ record }) => Math.floor(record.receivedAt / hourMs))
    return [...byHour].map(([hour, items]) => ({
      source,
      // A DateTime counts seconds.
      hour: (hour * hourMs) / 1000,
      stored: countOutcome(items, repeated, 'stored'),
      repeated: countOutcome(items, repeated, 'repeated'),
      failed: countOutcome(items, repeated, 'failed'),
    }))
  })
}

export function toReport(
  partition: number,
  prepared: readonly Prepared[],
  repeated: ReadonlySet<number>,
  durationMs: number,
): BatchReport {
  const drift = new Map<string, number>()
  const contradicting = new Map<string, number>()
  for (const item of prepared) {
    if (item.outcome === 'failed') continue
    for (const field of item.drift) count(drift, field)
    if (item.contradictions === 0) continue
    for (const { bit, name } of contradictions)
      if ((item.contradictions & bit) !== 0) count(contradicting, name)
  }
  return {
    partition,
    records: prepared.length,
    stored: countOutcome(prepared, repeated, 'stored'),
    duplicates: countOutcome(prepared, repeated, 'repeated'),
    failed: countOutcome(prepared, repeated, 'failed'),
    drift,
    contradictions: contradicting,
    durationMs,
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
