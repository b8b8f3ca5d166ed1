/**
 * Tells readers that something new has been stored. One timer and one question to the store for all readers, and neither
 * while nobody listens.
 */

export type Pulse = ReturnType<typeof createPulse>

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
