/**
 * The door for tests and the demo: a whole platform - its API listening, its life, its webhooks on their way.
 *
 *     const platform = await startPlatform({ seed: 'demo', from, to, url })
 *     const summary = await platform.deliverHistory()
 *     const live = platform.live(2)
 *     ...
 *     await live.stop()
 *     await platform.close()
 */
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { createApiFaults, type ApiFaultOptions, type ApiFaults } from './api-faults.ts'
import { createCallLog, type CallLog } from './calls.ts'
import type { Dialect } from './dialect.ts'
import type { LimitOptions } from './limits.ts'
import { createGuides, type Guides } from './guides.ts'
import { createLife, type Life, type LifeEvent, type LifeOptions } from './life.ts'
import { createSender, type DeliveryCounts, type Sender, type SenderOptions, type Summary } from './sender.ts'
import { createPlatformApp, type OptionalEndpoint } from './server.ts'
import { createSubscriptions, wants, type Subscription, type Subscriptions } from './subscriptions.ts'
import type { Truth } from './truth.ts'
import type { WireOptions } from './wire.ts'

export type Progress = {
  counts: DeliveryCounts
  /** How far the platform's time has come, epoch ms, and as a share of the history, 0..1. */
  at: number
  share: number
}

export type PlatformOptions = LifeOptions &
  LimitOptions &
  Omit<SenderOptions, 'url' | 'onProgress' | 'seed'> & {
    /** The end of the history, epoch ms: the demo says now, tests a fixed instant. */
    to: number
    /** Where to send webhooks from the first day on. Others may register later, by the API. */
    url?: string
    onProgress?: (progress: Progress) => void
    /** Of the API. Default 0: any free port. */
    port?: number
    /** Default 127.0.0.1. */
    host?: string
    /** Tokens of the API. Default one, `platform-token`. */
    tokens?: readonly string[]
    forbiddenTokens?: readonly string[]
    dialect?: Dialect
    wire?: WireOptions
    absent?: readonly OptionalEndpoint[]
    userGroups?: boolean
    /** Of the API; those of webhooks are `faults`. */
    apiFaults?: ApiFaultOptions
    /** Real time, for live events and the rate limit. Default `Date.now`. */
    clock?: () => number
  }

type Live = {
  /** Resolves when the last delivery is answered. Rejects if sending failed in a way that is not the receiver's. */
  stop(): Promise<void>
}

export type Platform = {
  /** Of the API, without `/api/v1`. */
  baseUrl: string
  life: Life
  subscriptions: Subscriptions
  guides: Guides
  /** What the API was asked, and how it answered. */
  calls: CallLog
  apiFaults: ApiFaults
  /** Lives from `from` to `to` and sends every event to `url` (without one: just lives). Once. */
  deliverHistory(): Promise<Summary | undefined>
  /** From now on about so many events a second, stamped with the real time, to everyone registered. */
  live(eventsPerSecond: number): Live
  truthAt(at: number): Truth
  /** All deliveries to `url` so far. */
  counts(): DeliveryCounts | undefined
  receipts(): readonly string[]
  close(): Promise<void>
}

export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { seed, from, to, clock = Date.now } = options
  const life = createLife(options)
  const guides = createGuides({ seed, from, population: life.population, calendar: life.calendar })
  const subscriptions = createSubscriptions(seed)
  const calls = createCallLog()
  const apiFaults = createApiFaults(seed, options.apiFaults ?? {}, clock)
  const senders = new Map<string, Sender>()
  const first =
    options.url === undefined ? undefined : subscriptions.add({ name: 'first', url: options.url, eventTypes: [] }, from)
  let living = false
  let running: Live | undefined

  const now = () => (living ? Math.max(clock(), life.now()) : life.now())
  const app = createPlatformApp({
    life,
    guides,
    subscriptions,
    now,
    clock,
    calls,
    faults: apiFaults,
    ...toAppOptions(options),
  })
  const server = createAdaptorServer({ fetch: app.fetch })
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  const { port } = server.address() as AddressInfo

  function toSender(subscription: Subscription): Sender {
    const key = `${subscription.id} ${subscription.url}`
    let sender = senders.get(key)
    if (sender === undefined) {
      const { onProgress, ...rest } = options
      const report = (counts: DeliveryCounts) =>
        onProgress?.({ counts, at: life.now(), share: to <= from ? 1 : Math.min(1, (life.now() - from) / (to - from)) })
      sender = createSender({ ...rest, url: subscription.url, onProgress: report })
      senders.set(key, sender)
    }
    return sender
  }

  async function deliverHistory(): Promise<Summary | undefined> {
    if (first !== undefined) return toSender(first).deliver(life.next(to))
    for (const event of life.next(to)) void event
    return undefined
  }

  /** One after another, so that a slow receiver slows the platform down and nothing piles up. */
  async function deliverLive(events: LifeEvent[]): Promise<void> {
    await Promise.all(
      subscriptions.list().map(async (subscription) => {
        const wanted = events.filter(({ eventType }) => wants(subscription, eventType))
        if (wanted.length > 0) await toSender(subscription).deliver(wanted)
      }),
    )
  }

  function live(eventsPerSecond: number): Live {
    if (!(eventsPerSecond > 0)) throw new RangeError('the rate must be more than 0 events per second')
    if (running !== undefined) throw new Error('the platform is live already')
    living = true
    const stopping = new AbortController()
    const pauseMs = Math.max(20, Math.min(250, 1000 / eventsPerSecond))
    const run = async () => {
      let owed = 0
      let before = clock()
      while (!stopping.signal.aborted) {
        const at = clock()
        // After a standstill nobody wants the whole standstill's events at once.
        owed = Math.min(owed + ((at - before) * eventsPerSecond) / 1000, Math.max(1, 2 * eventsPerSecond))
        before = at
        const events: LifeEvent[] = []
        while (owed >= 1) {
          const more = life.hurry(Math.max(at, life.now()))
          if (more.length === 0) break
          events.push(...more)
          owed -= more.length
        }
        if (events.length > 0) await deliverLive(events)
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
    const ended = run()
    // Whoever stops it learns of a failure; until then it must not end the process.
    ended.catch(() => undefined)
    running = {
      async stop() {
        stopping.abort()
        running = undefined
        await ended
      },
    }
    return running
  }

  return {
    baseUrl: `http://${host}:${port}`,
    life,
    subscriptions,
    guides,
    calls,
    apiFaults,
    deliverHistory,
    live,
    truthAt: (at) => life.truthAt(at),
    counts: () => first && toSender(first).counts(),
    receipts: () => (first === undefined ? [] : toSender(first).receipts()),
    async close() {
      // Senders first: what waits for a retry is given up, so that the live loop can end.
      for (const sender of senders.values()) sender.close()
      await running?.stop()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      })
    },
  }
}

function toAppOptions(options: PlatformOptions) {
  const { tokens = ['platform-token'], forbiddenTokens, callsPerHour, burstCallsPerHour } = options
  const { dialect, wire, absent, userGroups } = options
  return {
    tokens,
    ...(forbiddenTokens && { forbiddenTokens }),
    ...(callsPerHour !== undefined && { callsPerHour }),
    ...(burstCallsPerHour !== undefined && { burstCallsPerHour }),
    ...(dialect && { dialect }),
    ...(wire && { wire }),
    ...(absent && { absent }),
    ...(userGroups !== undefined && { userGroups }),
  }
}
