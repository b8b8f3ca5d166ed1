/**
 * Faults between a platform and its receiver, on purpose and repeatable: the same seed disturbs the same events in the
 * same way. Shares are probabilities per event, 0..1.
 */
import { hourMs } from '../company/calendar.ts'
import type { LifeEvent } from '../company/life.ts'
import { createQueue } from '../queue.ts'
import { between, chance, createRandom, integer, pick, type Random } from '../random.ts'

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

/** The events as the network passes them on. */
export function createDisturber(seed: string, options: FaultOptions) {
  const { duplicates = 0, reordering = 0, delay = 0, loss = 0, malformed = 0, isDown } = options
  const random = createRandom(`${seed}/faults`)
  /** Two queues hold back later events: one counts events, the other the platform's time. */
  const byCount = createQueue<LifeEvent>()
  const byTime = createQueue<LifeEvent>()
  let number = 0
  let lost = 0

  const take = (count: number, at: number) =>
    [...byCount.take(count), ...byTime.take(at)].map(({ item }) => item)

  return {
    /** What is sent now: the event, nothing, or also earlier events that were held back. */
    pass(event: LifeEvent): LifeEvent[] {
      const sent = take(++number, event.at)
      const isLost = isDown?.(event.at) === true
      if (!isLost && chance(random, malformed)) sent.push({ ...event, body: toMalformed(event.body, random) })
      if (isLost || chance(random, loss)) {
        lost++
        return sent
      }
      if (chance(random, duplicates)) byCount.add(event, number + integer(random, 1, 200))
      if (chance(random, delay)) byTime.add(event, event.at + between(random, 0.02, 1) * 48 * hourMs)
      else if (chance(random, reordering)) byCount.add(event, number + integer(random, 1, 20))
      else sent.push(event)
      return sent
    },
    /** Everything that is held back. */
    rest: () => take(Infinity, Infinity),
    lost: () => lost,
  }
}

function toMalformed(body: string, random: Random): string {
  const event = JSON.parse(body) as Record<string, unknown>
  const assignment = { ...Object(event['challengeAssignment']), id: null }
  return pick(random, [
    body.slice(0, integer(random, 1, body.length - 1)),
    `payload=${encodeURIComponent(body.slice(0, 200))}`,
    JSON.stringify([event]),
    JSON.stringify({ ...event, eventType: undefined }),
    JSON.stringify({ ...event, timestamp: 'yesterday' }),
    JSON.stringify({ ...event, timestamp: null }),
    JSON.stringify({ ...event, challengeAssignment: assignment }),
    '',
  ])
}
