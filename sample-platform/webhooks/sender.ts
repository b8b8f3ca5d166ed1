/**
 * Delivers webhooks over HTTP like the platform: one POST per event, by default without retry. It counts the answers, so
 * that "acknowledged" can be compared with what the receiver stored.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { wants, type Subscription, type Subscriptions } from '../api/subscriptions.ts'
import type { LifeEvent } from '../company/life.ts'
import { toHash } from '../random.ts'
import { createDisturber, createFaultCounts, type FaultOptions, type Posting } from './faults.ts'

/** The pause after the first failure, doubled after each. */
const firstPauseMs = 100
const longestPauseMs = 10_000
const progressEveryMs = 1_000

export type SenderOptions = {
  url: string
  seed?: string
  /** Deliveries under way at once. Default 32. */
  concurrency?: number
  /** 5xx, 429, 408 and broken connections are tried again, without end. Default no, as the platform documents no retry. */
  retry?: boolean
  faults?: FaultOptions
  /** Called after each answer, at most once a second, and once at the end of `deliver`. */
  onProgress?: (counts: DeliveryCounts) => void
}

export type DeliveryCounts = ReturnType<typeof createCounts>

export type Sender = ReturnType<typeof createSender>

export function createSender(options: SenderOptions) {
  const { concurrency = 32, retry = false, faults = {}, seed = 'sender', onProgress } = options
  const url = new URL(options.url)
  const poster = createPoster(concurrency)
  const closing = new AbortController()
  const counts = createCounts()
  const disturber = createDisturber(seed, () => faults, counts)
  let reportedAt = 0

  /**
   * Resolves when the last delivery is answered or given up, with the counts of all deliveries so far. Takes events only
   * as fast as it sends them. Events that faults hold back are sent at the end, or, with `hold`, during a later call.
   */
  async function deliver(events: Iterable<LifeEvent>, { hold } = { hold: false }): Promise<DeliveryCounts> {
    // Lanes: deliveries of one lane are sent one after another. An assignment always uses the same lane.
    const lanes: Promise<void>[] = Array.from({ length: concurrency }, () => Promise.resolve())
    let underWay = 0
    let wake: (() => void) | undefined
    const after = async (previous: Promise<void> | undefined, posting: Posting) => {
      await previous
      await send(posting)
      underWay--
      wake?.()
    }
    for (const posting of disturb(events, hold)) {
      if (closing.signal.aborted) break
      // A few may wait in their lanes, so that one slow lane does not stop the others; the number is bounded.
      if (underWay >= concurrency * 4) await new Promise<void>((resolve) => (wake = resolve))
      const lane = toHash(posting.key) % concurrency
      underWay++
      lanes[lane] = after(lanes[lane], posting)
    }
    await Promise.all(lanes)
    onProgress?.(counts)
    return structuredClone(counts)
  }

  function* disturb(events: Iterable<LifeEvent>, hold: boolean): Generator<Posting> {
    for (const event of events) {
      counts.events++
      yield* disturber.pass(event)
    }
    if (!hold) yield* disturber.rest()
  }

  async function send(posting: Posting): Promise<void> {
    if (closing.signal.aborted) return
    counts.sent++
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, 2 * pauseMs)) {
      const status = await poster.post(url, posting.body)
      if (!retry || !isWorthRetrying(status)) return settle(status)
      counts.retries++
      await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined)
      if (closing.signal.aborted) return settle(status)
    }
  }

  function settle(status: number | undefined): void {
    if (status === undefined) counts.unreachable++
    else if (status >= 200 && status < 300) counts.acknowledged++
    else counts.refused[status] = (counts.refused[status] ?? 0) + 1
    const now = performance.now()
    if (onProgress === undefined || now - reportedAt < progressEveryMs) return
    reportedAt = now
    onProgress(counts)
  }

  return {
    deliver,
    counts: () => structuredClone(counts),
    /** Gives up waiting retries and closes the connections. */
    close() {
      closing.abort()
      poster.close()
    },
  }
}

/** A sender for every registration: events go to those that ask for them. */
export function createDeliveries(subscriptions: Subscriptions, options: Omit<SenderOptions, 'url'>) {
  const senders = new Map<string, Sender>()

  /** The sender of one registration at its present URL. */
  function toSender(subscription: Subscription): Sender {
    const key = `${subscription.id} ${subscription.url}`
    let sender = senders.get(key)
    if (sender === undefined) {
      sender = createSender({ ...options, url: subscription.url })
      senders.set(key, sender)
    }
    return sender
  }

  return {
    toSender,
    /** To every interested registration; resolves when all have answered, so a slow receiver slows the platform down. */
    async deliver(events: LifeEvent[], { hold }: { hold: boolean }) {
      await Promise.all(
        subscriptions.list().map(async (subscription) => {
          const ofSubscription = events.filter(({ eventType }) => wants(subscription, eventType))
          // Also without events, when nothing is held back any longer.
          if (ofSubscription.length > 0 || !hold)
            await toSender(subscription).deliver(ofSubscription, { hold })
        }),
      )
    },
    close() {
      for (const sender of senders.values()) sender.close()
    },
  }
}

function createCounts() {
  return {
    ...createFaultCounts(),
    /** Events taken from the life. */
    events: 0,
    /** Deliveries begun: events, duplicates and malformed ones, without lost ones. Retries are not counted here. */
    sent: 0,
    /** Answered with a 2xx. */
    acknowledged: 0,
    /** Finally answered otherwise, by status. */
    refused: {} as Record<number, number>,
    /** Finally without an answer. */
    unreachable: 0,
    retries: 0,
  }
}

function isWorthRetrying(status: number | undefined): boolean {
  return status === undefined || status >= 500 || status === 429 || status === 408
}

const timeoutMs = 30_000

/** Posts webhooks over keep-alive connections with `node:http`: Node's fetch costs several times as much. */
function createPoster(connections: number) {
  const options = { keepAlive: true, maxSockets: connections, scheduling: 'fifo' } as const
  const http = new HttpAgent(options)
  const https = new HttpsAgent(options)

  /** The status of the answer, which is read to its end. `undefined`: nobody answered. */
  function post(url: URL, body: string): Promise<number | undefined> {
    const bytes = Buffer.from(body)
    const headers = {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'user-agent': 'stand-in-platform',
    }
    return new Promise((resolve) => {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest
      const agent = url.protocol === 'https:' ? https : http
      const sending = send(url, { agent, method: 'POST', timeout: timeoutMs, headers }, (answer) => {
        answer.on('error', () => resolve(undefined))
        answer.on('end', () => resolve(answer.statusCode))
        answer.resume()
      })
      sending.on('timeout', () => sending.destroy())
      sending.on('error', () => resolve(undefined))
      sending.end(bytes)
    })
  }

  return {
    post,
    close() {
      http.destroy()
      https.destroy()
    },
  }
}
