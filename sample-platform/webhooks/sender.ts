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
const timeoutMs = 30_000

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

export class Sender {
  readonly counts: DeliveryCounts = { sent: 0, acknowledged: 0, refused: {}, unreachable: 0, retries: 0 }
  private readonly options: SenderOptions
  private readonly concurrency: number
  private readonly url: URL
  private readonly agent: http.Agent
  private readonly disturber: ReturnType<typeof createDisturber>
  private readonly closing = new AbortController()
  private reportedAt = 0

  constructor(options: SenderOptions) {
    this.options = options
    this.concurrency = options.concurrency ?? 32
    this.url = new URL(options.url)
    const { Agent } = this.url.protocol === 'https:' ? https : http
    this.agent = new Agent({ keepAlive: true, maxSockets: this.concurrency, scheduling: 'fifo' })
    this.disturber = createDisturber(options.seed ?? 'sender', options.faults ?? {})
  }

  /**
   * Resolves when the last delivery is answered or given up, with the counts of all deliveries so far. Takes events only
   * as fast as it sends them. Events that faults hold back are sent at the end, or, with `hold`, during a later call.
   */
  async deliver(events: Iterable<LifeEvent>, { hold } = { hold: false }): Promise<DeliveryCounts> {
    // Lanes: deliveries of one lane are sent one after another. An assignment always uses the same lane.
    const lanes: Promise<void>[] = Array.from({ length: this.concurrency }, () => Promise.resolve())
    let underWay = 0
    let wake: (() => void) | undefined
    const sendAfter = async (previous: Promise<void> | undefined, body: string) => {
      await previous
      if (!this.closing.signal.aborted) await this.send(body)
      underWay--
      wake?.()
    }
    for (const { key, body } of this.disturb(events, hold)) {
      if (this.closing.signal.aborted) break
      // A few may wait in their lanes, so that one slow lane does not stop the others; the number is bounded.
      if (underWay >= this.concurrency * 4) await new Promise<void>((resolve) => (wake = resolve))
      const lane = toHash(key) % this.concurrency
      underWay++
      lanes[lane] = sendAfter(lanes[lane], body)
    }
    await Promise.all(lanes)
    return this.counts
  }

  /** Gives up waiting retries and closes the connections. */
  close(): void {
    this.closing.abort()
    this.agent.destroy()
  }

  private *disturb(events: Iterable<LifeEvent>, hold: boolean): Generator<LifeEvent> {
    for (const event of events) yield* this.disturber.pass(event)
    if (!hold) yield* this.disturber.rest()
  }

  private async send(body: string): Promise<void> {
    const { counts, options, closing } = this
    counts.sent++
    let status = await this.post(body)
    for (let pauseMs = firstPauseMs; options.retry && isWorthRetrying(status); pauseMs *= 2) {
      counts.retries++
      const { signal } = closing
      await sleep(Math.min(longestPauseMs, pauseMs), undefined, { signal }).catch(() => undefined)
      if (signal.aborted) break
      status = await this.post(body)
    }
    if (status === undefined) counts.unreachable++
    else if (status >= 200 && status < 300) counts.acknowledged++
    else counts.refused[status] = (counts.refused[status] ?? 0) + 1
    if (performance.now() - this.reportedAt < progressEveryMs) return
    this.reportedAt = performance.now()
    options.onProgress?.(counts)
  }

  /** The status of the answer, which is read to its end. `undefined`: no answer. Node's fetch costs several times as much. */
  private post(body: string): Promise<number | undefined> {
    const bytes = Buffer.from(body)
    const headers = {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'user-agent': 'stand-in-platform',
    }
    const { request } = this.url.protocol === 'https:' ? https : http
    return new Promise((resolve) => {
      const options = { agent: this.agent, method: 'POST', timeout: timeoutMs, headers }
      const sending = request(this.url, options, (answer) => {
        answer.on('error', () => resolve(undefined))
        answer.on('end', () => resolve(answer.statusCode))
        answer.resume()
      })
      sending.on('timeout', () => sending.destroy())
      sending.on('error', () => resolve(undefined))
      sending.end(bytes)
    })
  }
}

function isWorthRetrying(status: number | undefined): boolean {
  return status === undefined || status >= 500 || status === 429 || status === 408
}
