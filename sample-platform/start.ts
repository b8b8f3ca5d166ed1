/**
 * The door for tests and the demo: a whole platform - its API listening, its life, its webhooks on their way.
 *
 *     const platform = await startPlatform({ seed: 'demo', from, to, url })
 *     const counts = await platform.deliverHistory()
 *     platform.live(2)
 *     ...
 *     await platform.close()
 */
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { createApiFaults } from './api/api-faults.ts'
import { createPlatformApp, type ApiCall, type ApiOptions } from './api/server.ts'
import { createSubscriptions, type Subscription } from './api/subscriptions.ts'
import { dayMs } from './company/calendar.ts'
import { createGuides } from './company/guides.ts'
import { Life, type LifeEvent, type LifeOptions } from './company/life.ts'
import { createSender, type DeliveryCounts, type Sender, type SenderOptions } from './webhooks/sender.ts'

export type PlatformOptions = LifeOptions &
  ApiOptions &
  Pick<SenderOptions, 'concurrency' | 'retry' | 'faults'> & {
    /** The end of the history, epoch ms: the demo says now, tests a fixed instant. */
    to: number
    /** Where to send webhooks from the first day on. Others may register later, by the API. */
    url?: string | undefined
    /** `share`: how far the platform's time has come, as a share of the history, 0..1. */
    onProgress?: (counts: DeliveryCounts, share: number) => void
    /** Port of the API. Default 0: any free one. */
    port?: number
    /** Default 127.0.0.1. */
    host?: string
    /** Real time, for live events and the rate limit. Default `Date.now`. */
    clock?: () => number
  }

/** How much of the platform's time is sent in one go: what is registered meanwhile receives the rest. */
const stepMs = 3 * dayMs

export type Platform = Awaited<ReturnType<typeof startPlatform>>

export async function startPlatform(options: PlatformOptions) {
  const { seed, from, to, url, clock = Date.now, host = '127.0.0.1' } = options
  const life = new Life({
    eventForm: options.dialect === 'specification' ? 'specification' : 'live',
    ...options,
  })
  const guides = createGuides({ seed, from, people: life.population.people })
  const subscriptions = createSubscriptions(seed)
  const apiFaults = createApiFaults(seed)
  const senders = new Map<string, Sender>()
  const calls: ApiCall[] = []
  const closing = new AbortController()
  let living: Promise<void> | undefined

  const now = () => (living === undefined ? life.now() : Math.max(clock(), life.now()))
  const onCall = (call: ApiCall) => void calls.push(call)
  const faults = apiFaults.middleware
  const app = createPlatformApp({ ...options, life, guides, subscriptions, now, clock, onCall, faults })
  // The global Response stays as it is: the demo and tests have the product in this process.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  })
  if (url !== undefined) subscriptions.add({ name: 'first', url, eventTypes: [] }, from)

  const share = () => (to <= from ? 1 : Math.min(1, (life.now() - from) / (to - from)))
  const onProgress = (counts: DeliveryCounts) => options.onProgress?.(counts, share())
  function toSender({ id, url }: Subscription): Sender {
    const key = `${id} ${url}`
    const sender = senders.get(key) ?? createSender({ ...options, url, onProgress })
    senders.set(key, sender)
    return sender
  }

  /** To every registration that wants them; resolves when all have answered, so a slow receiver slows the platform down. */
  async function deliver(events: readonly LifeEvent[], hold: boolean): Promise<void> {
    const wants = ({ eventTypes }: Subscription, { eventType }: LifeEvent) =>
      eventTypes.length === 0 || eventTypes.includes(eventType)
    const sendTo = (one: Subscription) => {
      const wanted = events.filter((event) => wants(one, event))
      return toSender(one).deliver(wanted, hold)
    }
    await Promise.all(subscriptions.list().map(sendTo))
  }

  /** Continues to an instant, as fast as the receivers accept. Events that faults hold back may come with a later call. */
  async function pass(untilMs: number): Promise<void> {
    while (life.now() < untilMs && !closing.signal.aborted)
      await deliver([...life.next(Math.min(untilMs, life.now() + stepMs))], true)
  }

  /** Sends what faults hold back. */
  const settle = () => deliver([], false)

  async function sendLive(eventsPerSecond: number): Promise<void> {
    const { signal } = closing
    const pauseMs = Math.max(20, Math.min(250, 1000 / eventsPerSecond))
    let owed = 0
    let before = clock()
    while (!signal.aborted) {
      const at = clock()
      // After a standstill, do not send all of its events at once.
      owed = Math.min(owed + ((at - before) * eventsPerSecond) / 1000, Math.max(1, 2 * eventsPerSecond))
      before = at
      const events: LifeEvent[] = []
      while (owed - events.length >= 1) events.push(...life.hurry(Math.max(at, life.now())))
      owed -= events.length
      if (events.length > 0) await deliver(events, false)
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    /** The address of the API, without `/api/v1`. */
    baseUrl: `http://${host}:${(server.address() as AddressInfo).port}`,
    life,
    subscriptions,
    guides,
    apiFaults,
    /** The calls of the API, oldest first. */
    calls: { list: (): readonly ApiCall[] => calls, clear: () => void calls.splice(0) },
    pass,
    settle,
    /** Lives from `from` to `to`, and returns the counts of the deliveries to the first registration. Once. */
    async deliverHistory(): Promise<DeliveryCounts | undefined> {
      await pass(to)
      await settle()
      const [first] = subscriptions.list()
      return first && toSender(first).counts
    },
    /** From now on sends about this many events a second, stamped with the real time, to every registration. Once. */
    live(eventsPerSecond: number): void {
      living ??= sendLive(eventsPerSecond)
    },
    truth: () => life.truth(),
    async close(): Promise<void> {
      closing.abort()
      // Senders first: waiting retries are given up, so that the live loop can end.
      for (const sender of senders.values()) sender.close()
      await living
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      })
    },
  }
}
