/**
 * Delivers webhooks over HTTP like the platform: one POST per event, by default without retry. It counts the answers, so
 * that "acknowledged" can be compared with what the receiver stored.
 */
import * as http from 'node:http'
import * as https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LifeEvent } from '../company/life.ts'
import { toHash } from '../random.ts'
import { createDisturber, type FaultOptions } from './faults.ts'

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
  /** Called after an answer, at most once a second. */
  onProgress?: (counts: DeliveryCounts) => void
}

export type DeliveryCounts = {
  /** Deliveries begun. Retries are not counted here. */
  sent: number
  /** Answered with a 2xx. */
  acknowledged: number
  /** Finally answered otherwise, by status. */
  refused: Record<number, number>
  /** Finally without an answer. */
  unreachable: number
  retries: number
}

export type Sender = ReturnType<typeof createSender>

export function createSender({
  url,
  seed = 'sender',
  concurrency = 32,
  retry,
  faults,
  onProgress,
}: SenderOptions) {
  const counts: DeliveryCounts = { sent: 0, acknowledged: 0, refused: {}, unreachable: 0, retries: 0 }
  const disturber = createDisturber(seed, faults ?? {})
  const closing = new AbortController()
  const { signal } = closing
  const { Agent, request } = url.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency, scheduling: 'fifo' })
  let reportedAt = 0

  /** The status of the answer; `undefined`: no answer. Node's fetch costs twice the processor time. */
  const post = (body: string) =>
    new Promise<number | undefined>((resolve) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const sending = request(url, { agent, method: 'POST', headers, signal }, (answer) => {
        answer.on('error', () => resolve(undefined))
        answer.on('end', () => resolve(answer.statusCode))
        answer.resume()
      })
      sending.on('error', () => resolve(undefined))
      sending.end(body)
    })

  async function send(body: string): Promise<void> {
    counts.sent++
    let status = await post(body)
    for (let pauseMs = firstPauseMs; retry && isWorthRetrying(status) && !signal.aborted; pauseMs *= 2) {
      counts.retries++
      await sleep(Math.min(longestPauseMs, pauseMs), undefined, { signal }).catch(() => undefined)
      status = await post(body)
    }
    if (status === undefined) counts.unreachable++
    else if (status >= 200 && status < 300) counts.acknowledged++
    else counts.refused[status] = (counts.refused[status] ?? 0) + 1
    if (performance.now() - reportedAt < progressEveryMs) return
    reportedAt = performance.now()
    onProgress?.(counts)
  }

  function* disturb(events: Iterable<LifeEvent>, hold: boolean): Generator<LifeEvent> {
    for (const event of events) yield* disturber.pass(event)
    if (!hold) yield* disturber.rest()
  }

  return {
    counts,
    /**
     * Resolves when the last delivery is answered or given up. Takes events only as fast as it sends them. Events that
     * faults hold back are sent at the end, or, with `hold`, during a later call.
     */
    async deliver(events: Iterable<LifeEvent>, hold = false): Promise<DeliveryCounts> {
      // Deliveries of one lane are sent one after another. An assignment always uses the same lane.
      const lanes: Promise<void>[] = Array.from({ length: concurrency }, () => Promise.resolve())
      let underWay = 0
      let wake: (() => void) | undefined
      for (const { key, body } of disturb(events, hold)) {
        if (signal.aborted) break
        // A few may wait in their lanes, so that one slow lane does not stop the others; the number is bounded.
        if (underWay >= concurrency * 4) await new Promise<void>((resolve) => (wake = resolve))
        const lane = toHash(key) % concurrency
        underWay++
        lanes[lane] = lanes[lane]!.then(() => (signal.aborted ? undefined : send(body))).finally(() => {
          underWay--
          wake?.()
        })
      }
      await Promise.all(lanes)
      return counts
    },
    /** Gives up what is under way. */
    close() {
      closing.abort()
      agent.destroy()
    },
  }
}

function isWorthRetrying(status: number | undefined): boolean {
  return status === undefined || status >= 500 || status === 429 || status === 408
}
