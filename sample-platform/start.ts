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
import { createApiFaults, type ApiFaultOptions } from './api/api-faults.ts'
import { createCallLog } from './api/calls.ts'
import type { FaultOptions } from './webhooks/faults.ts'
import type { LimitOptions } from './api/gate.ts'
import { createGuides } from './company/guides.ts'
import { createLife, type LifeEvent, type LifeOptions } from './company/life.ts'
import { createDeliveries, type DeliveryCounts, type SenderOptions } from './webhooks/sender.ts'
import type { AccountOptions } from './api/account.ts'
import { createPlatformApp } from './api/server.ts'
import { createSubscriptions } from './api/subscriptions.ts'

export type Progress = {
  counts: DeliveryCounts
  /** How far the platform's time has come, as a share of the history, 0..1. */
  share: number
}

export type PlatformOptions = LifeOptions &
  LimitOptions &
  Omit<AccountOptions, 'life' | 'guides' | 'now'> &
  Omit<SenderOptions, 'url' | 'onProgress' | 'seed' | 'faults'> & {
    /** Faults of webhooks. */
    faults?: FaultOptions
    /** The end of the history, epoch ms: the demo says now, tests a fixed instant. */
    to: number
    /** Where to send webhooks from the first day on. Others may register later, by the API. */
    url?: string | undefined
    onProgress?: (progress: Progress) => void
    /** Port of the API. Default 0: any free one. */
    port?: number
    /** Default 127.0.0.1. */
    host?: string
    /** Tokens of the API. Default one, `platform-token`. */
    tokens?: readonly string[]
    forbiddenTokens?: readonly string[]
    /** Faults of the API; those of webhooks are `faults`. */
    apiFaults?: ApiFaultOptions
    /** Real time, for live events and the rate limit. Default `Date.now`. */
    clock?: () => number
  }

/** How much of the platform's time is told in one go: what is registered meanwhile hears of the rest. */
const stepMs = 6 * 3_600_000

type Live = {
  /** Resolves when the last delivery is answered. Rejects if sending failed in a way that is not the receiver's. */
  stop(): Promise<void>
}

export type Platform = Awaited<ReturnType<typeof startPlatform>>

export async function startPlatform(options: PlatformOptions) {
  const { seed, from, to, clock = Date.now } = options
  const life = createLife({
    ...options,
    eventForm: options.dialect === 'specification' ? 'specification' : 'live',
  })
  const guides = createGuides({ seed, from, population: life.population, calendar: life.calendar })
  const subscriptions = createSubscriptions(seed)
  const calls = createCallLog()
  const apiFaults = createApiFaults(seed, options.apiFaults ?? {}, clock)
  const first =
    options.url === undefined
      ? undefined
      : subscriptions.add({ name: 'first', url: options.url, eventTypes: [] }, from)
  const closing = new AbortController()
  let living = false
  let running: Live | undefined

  const now = () => (living ? Math.max(clock(), life.now()) : life.now())
  const tokens = options.tokens ?? ['platform-token']
  const app = createPlatformApp({
    ...options,
    tokens,
    life,
    guides,
    subscriptions,
    now,
    clock,
    calls,
    faults: apiFaults,
  })
  // The global Response stays as it is: the demo and tests have the product in this process.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false })
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  const { port } = server.address() as AddressInfo

  const share = () => (to <= from ? 1 : Math.min(1, (life.now() - from) / (to - from)))
  const onProgress = (counts: DeliveryCounts) => options.onProgress?.({ counts, share: share() })
  const deliveries = createDeliveries(subscriptions, { ...options, onProgress })
  const firstSender = () => first && deliveries.toSender(subscriptions.get(first.id) ?? first)

  /** Simulates from `from` to `to` and sends every event to `url` (without one: sends nothing). Once. */
  async function deliverHistory(): Promise<DeliveryCounts | undefined> {
    const [only, ...others] = subscriptions.list()
    // Without receivers there is no need for steps.
    if (first !== undefined && only?.id === first.id && others.length === 0 && only.eventTypes.length === 0) {
      return deliveries.toSender(only).deliver(life.next(to))
    }
    await pass(to)
    await settle()
    return firstSender()?.counts()
  }

  /**
   * Continues to an instant, as fast as the receivers accept: hours pass in milliseconds. Events that faults hold back
   * may come with a later call, or when `settle` asks for them.
   */
  async function pass(untilMs: number): Promise<void> {
    while (life.now() < untilMs && !closing.signal.aborted) {
      const events = [...life.next(Math.min(untilMs, life.now() + stepMs))]
      await deliveries.deliver(events, { hold: true })
    }
  }

  const settle = () => deliveries.deliver([], { hold: false })

  /** From now on sends about this many events a second, stamped with the real time, to every registration. */
  function live(eventsPerSecond: number): Live {
    if (running !== undefined) throw new Error('the platform is live already')
    const pauseMs = Math.max(20, Math.min(250, 1000 / eventsPerSecond))
    const stopping = new AbortController()
    let owed = 0
    let before = clock()
    const loop = async () => {
      while (!stopping.signal.aborted) {
        const at = clock()
        // After a standstill, do not send all of its events at once.
        owed = Math.min(owed + ((at - before) * eventsPerSecond) / 1000, Math.max(1, 2 * eventsPerSecond))
        before = at
        const events: LifeEvent[] = []
        while (owed >= 1) {
          const more = life.hurry(Math.max(at, life.now()))
          events.push(...more)
          owed -= more.length
        }
        if (events.length > 0) await deliveries.deliver(events, { hold: false })
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
    living = true
    const ended = loop()
    // `stop` reports a failure; until then it must not end the process.
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
    /** The address of the API, without `/api/v1`. */
    baseUrl: `http://${host}:${port}`,
    life,
    subscriptions,
    guides,
    /** The calls of the API, and its answers. */
    calls,
    apiFaults,
    deliverHistory,
    pass,
    settle,
    live,
    truth: life.truth,
    /** All deliveries to `url` so far. */
    counts: () => firstSender()?.counts(),
    /** To one registration, by its id. */
    countsOf(subscriptionId: string): DeliveryCounts | undefined {
      const subscription = subscriptions.get(subscriptionId)
      return subscription && deliveries.toSender(subscription).counts()
    },
    async close(): Promise<void> {
      closing.abort()
      // Senders first: waiting retries are given up, so that the live loop can end.
      deliveries.close()
      await running?.stop()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      })
    },
  }
}
