/** Renders chart options to SVG, off the main thread and once per content: the same data costs nothing again. */
import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { ChartOption } from './chart.ts'
import type { Loaded, RenderReply, RenderRequest } from './render-worker.ts'

export type ChartRenderer = ReturnType<typeof openChartRenderer>

export type ChartRendererOptions = {
  /** Maximum number of cached drawings; the least recently used go first. Default 256, some 4 kB each. */
  maxCached?: number
  /** Time limit of one drawing, from when its worker has loaded; then the worker is replaced. Default 5,000. */
  timeoutMs?: number
}

/** Affects only the ratio of strokes to shapes: the drawing stretches to the page's width. */
const drawing = { width: 1000, height: 240 }

export function openChartRenderer({ maxCached = 256, timeoutMs = 5_000 }: ChartRendererOptions = {}) {
  const cache = new Map<string, Promise<string>>()
  const waiting = new Map<number, { resolve: (svg: string) => void; reject: (error: Error) => void }>()
  let worker: Worker | null = null
  /** Loading ECharts takes a second, and much more on a busy machine: no drawing is to blame for that. */
  const loading = new WeakMap<Worker, Promise<unknown>>()
  let nextId = 0
  let closed = false

  function start(): Worker {
    const started = new Worker(new URL('./render-worker.ts', import.meta.url))
    started.unref()
    loading.set(started, new Promise((resolve) => started.once('message', resolve)))
    started.on('message', (reply: RenderReply | Loaded) => {
      if (reply === 'loaded') return
      const waiter = waiting.get(reply.id)
      if (reply.ok) waiter?.resolve(reply.svg)
      else waiter?.reject(new Error(reply.reason))
    })
    started.on('error', (error) => giveUp(started, error instanceof Error ? error : new Error(String(error))))
    started.on('exit', () => giveUp(started, new Error('the chart renderer stopped')))
    return started
  }

  /** Everything in progress fails now; the next drawing starts a new worker. */
  function giveUp(failed: Worker, error: Error): void {
    if (worker !== failed) return
    worker = null
    for (const waiter of waiting.values()) waiter.reject(error)
    void failed.terminate()
  }

  async function draw(option: ChartOption): Promise<string> {
    if (closed) throw new Error('the chart renderer is closed')
    const current = (worker ??= start())
    const id = nextId++
    let timer: NodeJS.Timeout | undefined
    const limit = () => {
      if (waiting.has(id))
        timer = setTimeout(() => giveUp(current, new Error('drawing a chart took too long')), timeoutMs)
    }
    try {
      return await new Promise<string>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        void loading.get(current)?.then(limit)
        current.postMessage({ id, option, ...drawing } satisfies RenderRequest)
      })
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }

  // Loads ECharts now, so that the first page does not wait for it.
  worker = start()

  return {
    /** The marks as SVG text. Rejects when drawing fails: the page then shows the table. */
    render(option: ChartOption): Promise<string> {
      const key = createHash('sha256').update(JSON.stringify(option)).digest('base64')
      const earlier = cache.get(key)
      if (earlier !== undefined) {
        cache.delete(key)
        cache.set(key, earlier)
        return earlier
      }
      const drawn = draw(option)
      cache.set(key, drawn)
      drawn.catch(() => cache.delete(key))
      for (const oldest of cache.keys()) {
        if (cache.size <= maxCached) break
        cache.delete(oldest)
      }
      return drawn
    },
    async close(): Promise<void> {
      closed = true
      const last = worker
      worker = null
      for (const waiter of waiting.values()) waiter.reject(new Error('the chart renderer is closed'))
      await last?.terminate()
    },
  }
}
