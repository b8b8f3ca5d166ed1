/**
 * Faults between a platform and its receiver, on purpose and repeatable: the same seed disturbs the same events in the
 * same way. Shares are probabilities per event, 0..1.
 */
import { hourMs } from '../company/calendar.ts'
import type { LifeEvent } from '../company/life.ts'
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

/** Two queues hold back later events: one counts events, the other the platform's time. */
type Waiting = { posting: Posting; release: number }

/** A life as the network passes it on. `faults` is called at every event, so they may change; `counts` is filled in. */
export function createDisturber(seed: string, faults: () => FaultOptions, counts: FaultCounts) {
  const random = createRandom(`${seed}/faults`)
  const byCount: Waiting[] = []
  const byTime: Waiting[] = []
  let number = 0

  /** The postings of now: the event, nothing, or also earlier events that were held back. */
  function pass(event: LifeEvent): Posting[] {
    const { duplicates = 0, reordering = 0, delay = 0, loss = 0, malformed = 0, isDown } = faults()
    const { at, key, eventType, body } = event
    number++
    const postings = [...take(byCount, number), ...take(byTime, at)]
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
      hold(byCount, { ...posting, kind: 'duplicate' }, number + integer(random, 1, 200))
    }
    if (chance(random, delay)) {
      counts.delayed++
      hold(byTime, posting, at + between(random, 0.02, 1) * 48 * hourMs)
    } else if (chance(random, reordering)) {
      counts.reordered++
      hold(byCount, posting, number + integer(random, 1, 20))
    } else {
      postings.push(posting)
    }
    return postings
  }

  return { pass, rest: () => [...take(byCount, Infinity), ...take(byTime, Infinity)] }
}

export function createFaultCounts() {
  return { lost: 0, duplicated: 0, malformed: 0, reordered: 0, delayed: 0 }
}

/** The soonest release is last, so that releasing is a pop. */
function hold(list: Waiting[], posting: Posting, release: number): void {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] as Waiting).release > release) low = middle + 1
    else high = middle
  }
  list.splice(low, 0, { posting, release })
}

function* take(list: Waiting[], now: number): Generator<Posting, void, undefined> {
  for (let last = list.at(-1); last !== undefined && last.release <= now; last = list.at(-1)) {
    list.pop()
    yield last.posting
  }
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
