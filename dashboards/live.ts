import type { Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'

type Pulse = ReturnType<typeof createPulse>

type Listener = { onMove(): void; onEnd(): void }

export type PulseOptions = {
  /** A text that changes when something has been stored. */
  read: () => Promise<string>
  /** While false, listeners are sent away: the process is starting or stopping. */
  isReady: () => boolean
  /** Default 5,000. */
  readEveryMs?: number
  /** How often readiness is looked at: a server that stops waits for its readers. Default 500. */
  tickMs?: number
}

/**
 * Tells readers that something new has been stored. One timer and one question to the store for all readers, and neither
 * while nobody listens.
 */
export function createPulse({ read, isReady, readEveryMs = 5_000, tickMs = 500 }: PulseOptions) {
  const listeners = new Set<Listener>()
  let timer: NodeJS.Timeout | undefined
  let last: string | undefined
  let isReading = false
  let ticks = 0

  async function look(): Promise<void> {
    if (isReading) return
    isReading = true
    try {
      const now = await read()
      const isMove = last !== undefined && now !== last
      last = now
      if (isMove) for (const { onMove } of listeners) onMove()
    } catch {
      // The store is busy: the next look will tell.
    } finally {
      isReading = false
    }
  }

  function tick(): void {
    if (!isReady()) return close()
    ticks++
    if ((ticks * tickMs) % readEveryMs < tickMs) void look()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    last = undefined
    ticks = 0
  }

  function close(): void {
    stop()
    const all = [...listeners]
    listeners.clear()
    for (const { onEnd } of all) onEnd()
  }

  return {
    /** Calls `onMove` at every change and `onEnd` once, when listening is over. The answer stops listening. */
    listen(listener: Listener) {
      listeners.add(listener)
      if (timer === undefined) {
        timer = setInterval(tick, tickMs)
        timer.unref()
        void look()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    /** How many listen. */
    listeners: () => listeners.size,
    /** Ends all. */
    close,
  }
}

/** More readers than this load their pages themselves. */
const mostListeners = 200
/** How often a reader's right is looked at while nothing is told. */
const lookEveryMs = 3_000

/**
 * `/live`: server-sent events without content. A page that hears one asks for itself again, so readers see only their own rows.
 * `watchReader`: for the reader who opens a stream, says later whether they may still read as now.
 */
export function mountLive(app: Hono, pulse: Pulse, watchReader: (c: Context) => () => Promise<boolean>): void {
  app.get('/live', (c) => {
    // 204 tells a browser not to come back by itself: the script of the page tries again later. Nobody would end the stream of a HEAD.
    if (c.req.method === 'HEAD' || pulse.listeners() >= mostListeners) return c.body(null, 204)
    const isStill = watchReader(c)
    const answer = streamSSE(c, async (stream) => {
      await new Promise<void>((resolve) => {
        const end = () => {
          clearInterval(timer)
          stop()
          resolve()
        }
        /** A stream outlives the request that was let in: its reader may be removed, or get another role. */
        const look = async (event?: string) => {
          const isAllowed = await isStill().catch(() => false)
          if (!isAllowed) end()
          // A comment: a proxy ends an answer of which it hears nothing.
          else if (event === undefined) await stream.write(':\n\n')
          else await stream.writeSSE({ event, data: '' })
        }
        const stop = pulse.listen({ onMove: () => void look('moved'), onEnd: end })
        const timer = setInterval(() => void look(), lookEveryMs)
        timer.unref()
        stream.onAbort(end)
        // The first byte tells the browser that it is connected.
        void stream.writeSSE({ event: 'hello', data: '' })
      })
    })
    answer.headers.set('cache-control', 'private, no-store')
    // nginx holds answers back until it has some kilobytes of them.
    answer.headers.set('x-accel-buffering', 'no')
    return answer
  })
}
