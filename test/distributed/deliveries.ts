/** Deliveries that touch everything the consumer keeps, again and again: few assignments and people, many events of each. */
import { toEventId, parseDelivery, toLogKey } from '../../schemas/webhook/parse-delivery.ts'
import type { LogRecord } from '../../services/event-log/event-log.ts'
import { chance, createRandom, integer, pick, type Random } from '../../sample-platform/random.ts'
import { marker } from '../support/data/markers.ts'
import { day, monday, toBody } from '../support/data/records.ts'

export type Deliveries = { next(): Uint8Array }

/** How many there are to be touched: few for conflicts, many for a load like the real one. */
export type Population = { assignments: number; people: number }

/** The same ones for the same seed. */
export function createDeliveries(
  seed: string,
  population: Population = { assignments: 240, people: 40 },
): Deliveries {
  const random = createRandom(seed)
  const recent: Uint8Array[] = []
  let sequence = 0
  return {
    next() {
      // A repeat of a recent one, a body that cannot be used, or something new.
      if (recent.length > 0 && chance(random, 0.05)) return pick(random, recent)
      const body = chance(random, 0.02)
        ? Buffer.from(`{"broken": ${sequence++}`)
        : toEvent(random, sequence++, population)
      recent.push(body)
      if (recent.length > 200) recent.shift()
      return body
    },
  }
}

function toEvent(random: Random, sequence: number, { assignments, people }: Population): Uint8Array {
  const number = integer(random, 0, assignments - 1)
  const kind = pick(random, ['Created', 'Progress', 'Progress', 'Progress', 'Completed', 'Deleted'] as const)
  // Any time will do: a late event is as usual as a new one.
  const timestamp = monday + integer(random, 0, 60) * day + sequence
  const assignment = {
    completionPercentage: integer(random, 0, 100),
    isCompleted: kind === 'Completed',
    dueDate: monday + integer(random, 5, 50) * day,
  }
  const user = number % people
  const observed = {
    id: user + 1,
    name: `${marker.name} ${user}`,
    email: marker.email,
    isDeleted: chance(random, 0.05),
    groups: [{ id: `team-${integer(random, 0, 3)}`, name: marker.title }],
    managers: [{ id: String(1 + integer(random, 0, 4)) }],
  }
  return toBody(kind, `a${number}`, timestamp, assignment, observed)
}

export function toLogRecord(body: Uint8Array): LogRecord {
  const eventId = toEventId(body)
  return {
    key: toLogKey(parseDelivery(body), eventId),
    eventId,
    source: 'main',
    receivedAt: Date.now(),
    body,
  }
}
