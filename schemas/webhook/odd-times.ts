/** Times of an event that are no times of today, as drift: seconds that were sent for milliseconds, and clocks far ahead. */
import type { DeliveredEvent } from './parse-delivery.ts'

const year2000 = Date.UTC(2000, 0)
const dayMs = 86_400_000
/** A due date may lie ahead. */
const past = ['completedAt', 'createdAt', 'firstViewedAt', 'lastViewedAt', 'updatedAt'] as const
const anyTime = ['dueDate', 'reviewersDueDate'] as const

/** Fields with a word about the end, such as `timestamp (before 2000)` and `timestamp (ahead)`. */
export function findOddTimes({ timestamp, wire }: DeliveredEvent, receivedAt: number): string[] {
  const { challengeAssignment: sent } = wire
  const toTimes = (names: readonly (typeof past | typeof anyTime)[number][]) =>
    names.flatMap((name): [string, number][] => {
      const at = sent?.[name]
      return at == null ? [] : [[`challengeAssignment.${name}`, at]]
    })
  const passed: [string, number][] = [['timestamp', timestamp], ...toTimes(past)]
  return [
    ...[...passed, ...toTimes(anyTime)].filter(([, at]) => at < year2000).map(([name]) => `${name} (before 2000)`),
    ...passed.filter(([, at]) => at > receivedAt + dayMs).map(([name]) => `${name} (ahead)`),
  ]
}
