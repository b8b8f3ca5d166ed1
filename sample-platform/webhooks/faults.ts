/**
 * Faults between a platform and its receiver, on purpose and repeatable: the same seed disturbs the same events in the
 * same way. Shares are probabilities per event, 0..1.
 */
import { hourMs } from '../company/calendar.ts'
import type { LifeEvent } from '../company/life.ts'
import { createQueue } from '../queue.ts'
import { between, chance, createRandom, integer, type Random } from '../random.ts'

export type FaultOptions = {
  /** Sent again, byte for byte, some events later. */
  duplicates?: number
  /** Overtaken by up to 20 later events. */
  reordering?: number
  /** Held back for up to 48 hours of the platform's time. */
  delay?: number
  /** Never sent. */
  loss?: number
  /** A broken copy is sent beside the event: cut off, not JSON, or without a required field. */
  malformed?: number
  /** Outage of webhooks: nothing is sent, now or later. Called with the event's own time. */
  isDown?: ((at: number) => boolean) | undefined
}

export type Posting = {
  kind: 'event' | 'duplicate' | 'malformed'
  /** Events of one key stay in order, as far as they still are. */
  key: string
  /** The event's own time. */
  at: number
  eventType: string
  body: string
}

export type FaultCounts = ReturnType<typeof createFaultCounts>

/** A life as the network passes it on. `faults` is called at every event; `counts` is filled in. */
export function createDisturber(seed: string, faults: () => FaultOptions, counts: FaultCounts) {
  const random = createRandom(`${seed}/faults`)
  /** Two queues hold back later events: one counts events, the other the platform's time. */
  const byCount = createQueue<Posting>()
  const byTime = createQueue<Posting>()
  let number = 0

  /** The postings of now: the event, nothing, or also earlier events that were held back. */
  function pass(event: LifeEvent): Posting[] {
    const { duplicates = 0, reordering = 0, delay = 0, loss = 0, malformed = 0, isDown } = faults()
    const { at, key, eventType, body } = event
    number++
    const postings = [...byCount.take(number), ...byTime.take(at)].map(({ item }) => item)
    const posting: Posting = { kind: 'event', at, key, eventType, body }
    if (isDown?.(at) === true) {
      counts.lost++
      return postings
    }
    if (chance(random, malformed)) {
      counts.malformed++
      postings.push({ ...posting, kind: 'malformed', body: toMalformed(body, random) })
    }
    if (chance(random, loss)) {
      counts.lost++
      return postings
    }
    if (chance(random, duplicates)) {
      counts.duplicated++
      byCount.add({ ...posting, kind: 'duplicate' }, number + integer(random, 1, 200))
    }
    if (chance(random, delay)) {
      counts.delayed++
      byTime.add(posting, at + between(random, 0.02, 1) * 48 * hourMs)
    } else if (chance(random, reordering)) {
      counts.reordered++
      byCount.add(posting, number + integer(random, 1, 20))
    } else {
      postings.push(posting)
    }
    return postings
  }

  return { pass, rest: () => [...byCount.take(Infinity), ...byTime.take(Infinity)].map(({ item }) => item) }
}

export function createFaultCounts() {
  return { lost: 0, duplicated: 0, malformed: 0, reordered: 0, delayed: 0 }
}

function toMalformed(body: string, random: Random): string {
  const event = JSON.parse(body) as Record<string, unknown>
  const breakages = [
    () => body.slice(0, integer(random, 1, body.length - 1)),
    () => `payload=${encodeURIComponent(body.slice(0, 200))}`,
    () => JSON.stringify([event]),
    () => JSON.stringify({ ...event, eventType: undefined }),
    () => JSON.stringify({ ...event, timestamp: 'yesterday' }),
    () => JSON.stringify({ ...event, timestamp: null }),
    () =>
      JSON.stringify({
        ...event,
        challengeAssignment: { ...Object(event['challengeAssignment']), id: null },
      }),
    () => '',
  ]
  return (breakages[integer(random, 0, breakages.length - 1)] as () => string)()
}
