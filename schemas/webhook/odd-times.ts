/** Times of an event that are no times of today, as drift: seconds that were sent for milliseconds, and clocks far ahead. */
import { assignmentFieldList, type FieldOfType } from './event.ts'
import type { DeliveredEvent } from './parse-delivery.ts'

const year2000 = Date.UTC(2000, 0)
const dayMs = 86_400_000
const times = assignmentFieldList.flatMap(([name, { type, mayBeAhead = false }]) =>
  type === 'time' ? [{ name: name as FieldOfType<'time'>, mayBeAhead }] : [],
)

/** Fields with a word about the end, such as `timestamp (before 2000)` and `timestamp (ahead)`. */
export function findOddTimes({ timestamp, wire }: DeliveredEvent, receivedAt: number): string[] {
  const sent = times.flatMap(({ name, mayBeAhead }) => {
    const at = wire.challengeAssignment?.[name]
    return at == null ? [] : [{ path: `challengeAssignment.${name}`, at, mayBeAhead }]
  })
  const all = [{ path: 'timestamp', at: timestamp, mayBeAhead: false }, ...sent]
  return all.flatMap(({ path, at, mayBeAhead }) => {
    if (at < year2000) return [`${path} (before 2000)`]
    return !mayBeAhead && at > receivedAt + dayMs ? [`${path} (ahead)`] : []
  })
}
