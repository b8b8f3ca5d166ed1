/** `/live`: server-sent events without content. A page that hears one asks for itself again, so readers see only what is theirs. */
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Pulse } from './pulse.ts'

/** More readers than this load their pages themselves. */
const mostListeners = 200

export function liveRoutes(pulse: Pulse): Hono {
  const app = new Hono()

  app.get('/live', (c) => {
    // 204 tells a browser not to come back.
    if (pulse.listeners() >= mostListeners) return c.body(null, 204)
    const answer = streamSSE(c, async (stream) => {
      await new Promise<void>((resolve) => {
        const stop = pulse.listen({
          onMove: () => void stream.writeSSE({ event: 'moved', data: '' }),
          onEnd: resolve,
        })
        stream.onAbort(() => {
          stop()
          resolve()
        })
        // The first byte tells the browser that it is connected.
        void stream.writeSSE({ event: 'hello', data: '' })
      })
    })
    answer.headers.set('cache-control', 'private, no-store')
    return answer
  })

  return app
}
