/**
 * Stored deliveries, to be stored again when an error does not say whose fault it is: that changes nothing, and shows
 * whether the store takes a delivery of the same kind now. If it does, the refused one is at fault.
 */
import type { PositionedRecord } from '../../event-log/event-log.ts'
import type { Prepared } from '../rows.ts'

export type Control = { partition: number; record: PositionedRecord }

/** They are kept in memory, one of each kind. */
const maxBodyBytes = 65_536

export function createControls() {
  const byKind = new Map<string, Control & { kinds: Set<string> }>()
  return {
    note(partition: number, stored: readonly Prepared[]): void {
      for (const prepared of stored) {
        if (prepared.record.body.byteLength > maxBodyBytes) continue
        const kinds = toKinds(prepared)
        byKind.set([...kinds].join(), { partition, record: prepared.record, kinds })
      }
    },
    /** Those that go into every table into which this one goes; `undefined`: any. */
    like(prepared: Prepared | undefined): Control[] {
      const needed = prepared === undefined ? [] : [...toKinds(prepared)]
      return [...byKind.values()].filter(({ kinds }) => needed.every((kind) => kinds.has(kind)))
    },
  }
}

export function isLike(other: Prepared, prepared: Prepared | undefined): boolean {
  const kinds = toKinds(other)
  return prepared === undefined || [...toKinds(prepared)].every((kind) => kinds.has(kind))
}

/** Into which tables it goes, as far as deliveries differ in that. */
function toKinds(prepared: Prepared): Set<string> {
  if (prepared.outcome === 'failed') return new Set(['failed'])
  const { row, observation, names } = prepared
  return new Set([
    'event',
    ...(row['assignment_id'] === '' ? [] : ['assignment']),
    ...(observation === undefined ? [] : ['person']),
    ...(observation?.managers?.length || observation?.directReports?.length ? ['link'] : []),
    ...(names.length === 0 ? [] : ['names']),
  ])
}
