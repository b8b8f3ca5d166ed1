/** Renders chart options to SVG, off the main thread and once per content: the same data costs nothing again. */
import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { ChartOption } from './chart.ts'
import type { RenderReply, RenderRequest } from './render-worker.ts'

export type ChartRenderer = ReturnType<typeof openChartRenderer>

/** Affects only the ratio of strokes to shapes: the drawing stretches to the page's width. */
const drawing = { width: 1000, height: 240 }

/** `maxCached`: maximum number of cached drawings, some 4 kB each; the least recently used go first. */
export function openChartRenderer(maxCached = 256) {
  const cache = new Map<string, Promise<string>>()
  const waiting = new Map<number, { resolve: (svg: string) => void; reject: (error: Error) => void }>()
  let worker: Worker | null = null
  let nextId = 0
  let closed = false

  function start(): Worker {
    const started = new Worker(new URL('./render-worker.ts', import.meta.url))
    started.unref()
    started.on('message', (reply: RenderReply) => {
      const waiter = waiting.get(reply.id)
      waiting.delete(reply.id)
      if (reply.ok) waiter?.resolve(reply.svg)
      else waiter?.reject(new Error(reply.reason))
    })
    started.on('error', (error) =>
      failAll(started, error instanceof Error ? error : new Error(String(error))),
    )
    started.on('exit', () => failAll(started, new Error('the chart renderer stopped')))
    return started
  }

  /** Everything in progress fails now; the next drawing starts a new worker. */
  function failAll(failed: Worker | null, error: Error): void {
    if (worker !== failed) return
    worker = null
    for (const waiter of waiting.values()) waiter.reject(error)
    waiting.clear()
  }

  function draw(option: ChartOption): Promise<string> {
    if (closed) return Promise.reject(new Error('the chart renderer is closed'))
    const id = nextId++
    worker ??= start()
    const drawn = new Promise<string>((resolve, reject) => waiting.set(id, { resolve, reject }))
    worker.postMessage({ id, option, ...drawing } satisfies RenderRequest)
    return drawn
  }

  // Loads ECharts now, so that the first page does not wait for it.
  worker = start()

  return {
    /** The marks as SVG text. Rejects when drawing fails: the page then shows the table. */
    render(option: ChartOption): Promise<string> {
      const key = createHash('sha256').update(JSON.stringify(option)).digest('base64')
      const drawn = cache.get(key) ?? draw(option)
      cache.delete(key)
      cache.set(key, drawn)
      drawn.catch(() => cache.delete(key))
      const [oldest = key] = cache.keys()
      if (cache.size > maxCached) cache.delete(oldest)
      return drawn
    },
    async close(): Promise<void> {
      closed = true
      const last = worker
      failAll(last, new Error('the chart renderer is closed'))
      await last?.terminate()
    },
  }
}
