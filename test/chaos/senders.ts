/**
 * The load of a chaos run: honest deliveries with repeats, hostile bodies, deliveries that come late and out of order, and
 * senders that are slow. Deliveries without a receipt are sent again until they have one, as the platform does.
 */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { chance, createRandom, integer, pick, type Random } from '../../sample-platform/random.ts'
import { createDeliveries } from '../distributed/deliveries.ts'
import { sampleBodies } from '../fuzz/hostile-bodies.ts'
import { forms, sendBody, type Form } from '../fuzz/send-body.ts'
import type { Oracle } from './oracle.ts'

export type Senders = {
  /** When there is nothing more to send, or it was stopped. */
  ended: Promise<unknown>
  /** How often each status was answered. */
  statuses: Map<string, number>
  /** Bodies that were sent, repeats included. */
  sent(): number
  /** Sends the rest until it is acknowledged, then ends. */
  stop(): Promise<void>
  /** No new deliveries until it is called with false. */
  pause(isPaused: boolean): void
  /** Ends without: nothing acknowledges any more. */
  giveUp(): Promise<void>
}

/** As many deliveries are under way at once. */
const connections = 8
/** Bodies that are held back, so that they come after newer ones. */
const heldBack = 40
const mostHostileBytes = 64 * 1024
const hostileShare = 0.04
/** Many, so that a batch of a long run touches a part of them only, as a real one does. */
const population = { assignments: 3_000, people: 300 }
const oddShare = 0.04
const mostSlowBytes = 2_000
const pauseMs = 25
const retryPauseMs = 50
const [asJson, , inChunks, inSmallChunks] = forms as [Form, Form, Form, Form]
/** A second or so for a usual body. */
const slowly: Form = { ...inChunks, chunkBytes: 100, pauseMs: 100 }
const oddAndFast = [inSmallChunks, inChunks]
const odd = [...oddAndFast, slowly]

type Next = () => { body: Uint8Array; form: Form } | undefined

/** `next`: the deliveries, until it has no more. Default: the load of chaos, without an end. */
export function startSenders(
  url: string,
  seed: string,
  oracle: Oracle,
  next: Next = createLoad(seed, createRandom(`senders-${seed}`)),
): Senders {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statuses = new Map<string, number>()
  let isGoing = true
  let hasGivenUp = false
  let isPaused = false
  let sent = 0

  async function sendUntilAnswered(body: Uint8Array, form: Form): Promise<void> {
    oracle.sends(body)
    for (;;) {
      sent++
      const answer = await sendBody(url, agent, body, form).catch(() => undefined)
      oracle.hears(body, answer)
      const status = String(answer?.status)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (hasGivenUp || (answer !== undefined && answer.status !== 503)) return
      await sleep(retryPauseMs)
    }
  }

  const ended = Promise.all(
    Array.from({ length: connections }, async () => {
      while (isGoing) {
        if (isPaused) {
          await sleep(pauseMs)
          continue
        }
        const delivery = next()
        if (delivery === undefined) return
        await sendUntilAnswered(delivery.body, delivery.form)
        await sleep(pauseMs)
      }
    }),
  )
  async function stop(): Promise<void> {
    isGoing = false
    await ended
    agent.destroy()
  }

  return {
    ended,
    statuses,
    sent: () => sent,
    stop,
    pause: (paused) => void (isPaused = paused),
    giveUp() {
      hasGivenUp = true
      return stop()
    },
  }
}

function createLoad(seed: string, random: Random): Next {
  const deliveries = createDeliveries(seed, population)
  const hostile = sampleBodies(integer(random, 1, 1e9), 1_000_000)
  const waiting: Uint8Array[] = []
  function one(): Uint8Array {
    if (!chance(random, hostileShare)) return deliveries.next()
    for (const { bytes } of hostile) if (bytes.byteLength <= mostHostileBytes) return bytes
    return deliveries.next()
  }
  return () => {
    while (waiting.length < heldBack) waiting.push(one())
    const body = waiting.splice(integer(random, 0, waiting.length - 1), 1)[0] as Uint8Array
    const isOdd = chance(random, oddShare)
    return { body, form: isOdd ? pick(random, body.byteLength < mostSlowBytes ? odd : oddAndFast) : asJson }
  }
}
