/**
 * Delivers webhooks over HTTP like the platform: one POST per event, by default without retry. It counts the answers, so
 * that "acknowledged" can be compared with what the receiver stored.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createDisturber, createFaultCounts, type FaultCounts, type FaultOptions, type Posting } from './faults.ts'
import type { LifeEvent } from '../company/life.ts'
import { createPoster, type PostAnswer } from './post.ts'
import { between, createRandom, toHash } from '../random.ts'

type RetryOptions = {
  /** Tries per delivery, including the first. Default: no limit. */
  maxAttempts?: number
  /** Pause after the first failure, doubled after each, with jitter. Defaults 100 ms and 10 s. `Retry-After` wins. */
  firstDelayMs?: number
  maxDelayMs?: number
}

export type SenderOptions = {
  url: string
  seed?: string
  /** Deliveries under way at once. Default 32. */
  concurrency?: number
  /**
   * `assignment` (default): events of one assignment one after another, each after the previous answer. `none`: in any
   * order, as platforms that promise no order do.
   */
  order?: 'assignment' | 'none'
  /** 5xx, 429, 408 and broken connections are tried again. Default `never`, as the platform documents no retry. */
  retry?: 'never' | RetryOptions
  /** How long to wait for an answer. Default 30 s. */
  timeoutMs?: number
  headers?: Record<string, string>
  /** A function is called at every event. */
  faults?: FaultOptions | (() => FaultOptions)
  /** Keep the receipt of every acknowledged delivery. Default false. */
  keepReceipts?: boolean
  /** Called after each answer, at most every `progressEveryMs` (default 250) and once at the end of `deliver`. */
  onProgress?: (counts: DeliveryCounts) => void
  progressEveryMs?: number
}

export type DeliveryCounts = FaultCounts & {
  /** Events taken from the life. */
  events: number
  /** Deliveries begun: events, duplicates and malformed ones, without lost ones. Retries are not counted here. */
  sent: number
  /** Answered with a 2xx. */
  acknowledged: number
  /** Finally answered otherwise, by status. */
  refused: Record<number, number>
  /** Finally without an answer. */
  unreachable: number
  retries: number
}

export type Summary = DeliveryCounts & { elapsedMs: number }

export type Sender = {
  /**
   * Resolves when the last delivery is answered or given up. Takes events only as fast as it sends them. Events that
   * faults hold back are sent at the end, or, with `hold`, during a later call.
   */
  deliver(events: Iterable<LifeEvent>, options?: { hold: boolean }): Promise<Summary>
  /** Of all deliveries so far. */
  counts(): DeliveryCounts
  /** Receipts of acknowledged events, including duplicates; only with `keepReceipts`. */
  receipts(): readonly string[]
  /** Gives up waiting retries and closes the connections. */
  close(): void
}

export function createSender(options: SenderOptions): Sender {
  const { concurrency = 32, order = 'assignment', retry = 'never', faults = {}, seed = 'sender' } = options
  const { keepReceipts = false, onProgress, progressEveryMs = 250 } = options
  const url = new URL(options.url)
  const poster = createPoster({
    connections: concurrency,
    timeoutMs: options.timeoutMs ?? 30_000,
    ...(options.headers && { headers: options.headers }),
  })
  const jitter = createRandom(`${seed}/retry`)
  const closing = new AbortController()
  const receipts: string[] = []
  const counts: DeliveryCounts = {
    ...createFaultCounts(),
    events: 0,
    sent: 0,
    acknowledged: 0,
    refused: {},
    unreachable: 0,
    retries: 0,
  }
  const disturber = createDisturber(seed, typeof faults === 'function' ? faults : () => faults, counts)
  let reportedAt = 0

  async function deliver(events: Iterable<LifeEvent>, { hold } = { hold: false }): Promise<Summary> {
    const before = structuredClone(counts)
    const startedAt = performance.now()
    // Lanes: deliveries of one lane are sent one after another. An assignment always uses the same lane.
    const lanes: Promise<void>[] = Array.from({ length: concurrency }, () => Promise.resolve())
    const busy = Array.from({ length: concurrency }, () => 0)
    let underWay = 0
    let wake: (() => void) | undefined
    let turn = 0
    const after = async (previous: Promise<void> | undefined, lane: number, posting: Posting) => {
      await previous
      await send(posting)
      underWay--
      busy[lane] = (busy[lane] ?? 1) - 1
      wake?.()
    }
    for (const posting of disturb(events, hold)) {
      if (closing.signal.aborted) break
      // A few may wait in their lanes, so that one slow lane does not stop the others; the number is bounded.
      if (underWay >= concurrency * 4) await new Promise<void>((resolve) => (wake = resolve))
      const lane = order === 'assignment' ? toHash(posting.key) % concurrency : idleLane(busy, turn++)
      underWay++
      busy[lane] = (busy[lane] ?? 0) + 1
      lanes[lane] = after(lanes[lane], lane, posting)
    }
    await Promise.all(lanes)
    onProgress?.(counts)
    return { ...toDifference(counts, before), elapsedMs: performance.now() - startedAt }
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
    for (let attempt = 1; ; attempt++) {
      const answer = await poster.post(url, posting.body, keepReceipts)
      if (isWorthRetrying(answer) && retry !== 'never' && attempt < (retry.maxAttempts ?? Infinity)) {
        counts.retries++
        if (await pause(answer, attempt, retry)) continue
      }
      settle(answer)
      return
    }
  }

  /** False when the sender was closed meanwhile. */
  async function pause(answer: PostAnswer, attempt: number, options: RetryOptions): Promise<boolean> {
    const { firstDelayMs = 100, maxDelayMs = 10_000 } = options
    const backoff = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempt - 1, 20)) * between(jitter, 0.5, 1)
    const asked = answer.outcome === 'answered' ? answer.retryAfterMs : undefined
    try {
      await sleep(asked === undefined ? backoff : asked + firstDelayMs * between(jitter, 0, 1), undefined, {
        signal: closing.signal,
      })
      return true
    } catch {
      return false
    }
  }

  function settle(answer: PostAnswer): void {
    if (answer.outcome === 'unreachable') counts.unreachable++
    else if (answer.status >= 200 && answer.status < 300) {
      counts.acknowledged++
      if (keepReceipts) receipts.push(toReceipt(answer.body))
    } else counts.refused[answer.status] = (counts.refused[answer.status] ?? 0) + 1
    const now = performance.now()
    if (onProgress === undefined || now - reportedAt < progressEveryMs) return
    reportedAt = now
    onProgress(counts)
  }

  return {
    deliver,
    counts: () => structuredClone(counts),
    receipts: () => receipts,
    close() {
      closing.abort()
      poster.close()
    },
  }
}

function isWorthRetrying(answer: PostAnswer): boolean {
  return answer.outcome === 'unreachable' || answer.status >= 500 || answer.status === 429 || answer.status === 408
}

function toReceipt(body: string): string {
  try {
    const { receipt } = JSON.parse(body) as { receipt?: unknown }
    return typeof receipt === 'string' ? receipt : ''
  } catch {
    return ''
  }
}

function idleLane(busy: readonly number[], turn: number): number {
  for (let i = 0; i < busy.length; i++) {
    const lane = (turn + i) % busy.length
    if (busy[lane] === 0) return lane
  }
  return turn % busy.length
}

function toDifference(now: DeliveryCounts, before: DeliveryCounts): DeliveryCounts {
  const refused: Record<number, number> = {}
  for (const [status, number] of Object.entries(now.refused)) {
    const more = number - (before.refused[Number(status)] ?? 0)
    if (more > 0) refused[Number(status)] = more
  }
  return {
    events: now.events - before.events,
    sent: now.sent - before.sent,
    acknowledged: now.acknowledged - before.acknowledged,
    refused,
    unreachable: now.unreachable - before.unreachable,
    retries: now.retries - before.retries,
    lost: now.lost - before.lost,
    duplicated: now.duplicated - before.duplicated,
    malformed: now.malformed - before.malformed,
    reordered: now.reordered - before.reordered,
    delayed: now.delayed - before.delayed,
  }
}
