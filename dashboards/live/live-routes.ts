/** `/live`: server-sent events without content. A page that hears one asks for itself again, so readers see only their own rows. */
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Pulse } from './pulse.ts'

/** More readers than this load their pages themselves. */
const mostListeners = 200
/** How often a reader's right is looked at while nothing is told. */
const lookEveryMs = 3_000

/** `watchReader`: for the reader who opens a stream, says later whether they may still read as now. */
export function liveRoutes(pulse: Pulse, watchReader: (c: Context) => () => Promise<boolean>): Hono {
  const app = new Hono()

  app.get('/live', (c) => {
    // 204 tells a browser not to come back.
    if (pulse.listeners() >= mostListeners) return c.body(null, 204)
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
          else if (event !== undefined) await stream.writeSSE({ event, data: '' })
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
    return answer
  })

  return app
}
