/**
 * Starts the parts of a process in order and stops them in reverse, once, on SIGTERM, SIGINT or a failure. Readiness
 * becomes false first, so that a load balancer looks elsewhere; a stop that takes too long is ended; a second signal ends
 * it at once.
 */
import { StartError } from '../config/start-error.ts'
import type { Health } from './http/health.ts'
import type { Logger } from './logger.ts'

type Closable = { close(requestsTimeoutMs: number): Promise<void> | void }

export type Lifecycle = ReturnType<typeof createLifecycle>

type LifecycleOptions = {
  logger: Logger
  shutdownTimeoutMs: number
  /** Ends the process. Default `process.exit`. */
  exit?: (code: number) => void
  /**
   * Ends the process although something in it never ends: the exit of the engine waits for its threads. Default: SIGKILL, which the store
   * and the log survive, and until which the locks hold.
   */
  kill?: () => void
}

/** Signals closer together than this count as one. */
const repeatedSignalMs = 500

/** npm and `bin/rollcall.js` pass Ctrl-C on to a process that the terminal has signalled already: that is one request, not two. */
export function withoutEcho(onSignal: (signal: NodeJS.Signals) => void): (signal: NodeJS.Signals) => void {
  let signalledAt = Number.NEGATIVE_INFINITY
  return (signal) => {
    if (performance.now() - signalledAt < repeatedSignalMs) return
    signalledAt = performance.now()
    onSignal(signal)
  }
}

export function createLifecycle(options: LifecycleOptions) {
  const {
    logger,
    shutdownTimeoutMs,
    exit = process.exit,
    kill = () => process.kill(process.pid, 'SIGKILL'),
  } = options
  const parts: { name: string; close: () => Promise<void> | void }[] = []
  const stopping = new AbortController()
  const givingUp = new AbortController()
  const requestsTimeoutMs = Math.floor(shutdownTimeoutMs / 3)
  let isRunning = false
  let stopped: Promise<number> | undefined
  let exitCode = 0

  /** Every part is closed, also after one that failed to close. */
  async function closeAll(): Promise<void> {
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      try {
        await part.close()
      } catch (error) {
        exitCode = 1
        logger.error({ err: error, stopped: part.name }, 'A part did not close')
      }
    }
  }

  /** Stops everything; the same promise for every call. Resolves to the exit code. */
  function stop(reason: string): Promise<number> {
    stopped ??= (async () => {
      stopping.abort()
      logger.info({ reason }, 'Stopping')
      const forced = setTimeout(() => {
        logger.error({ shutdownTimeoutMs, open: parts.map(({ name }) => name) }, 'The stop took too long')
        kill()
      }, shutdownTimeoutMs)
      const impatient = setTimeout(() => givingUp.abort(), requestsTimeoutMs)
      await closeAll()
      clearTimeout(forced)
      clearTimeout(impatient)
      for (const signal of signals) process.off(signal, onSignal)
      // A start that failed has an exit code of its own, which its main knows.
      logger.info(isRunning ? { exitCode } : {}, 'Stopped')
      return exitCode
    })()
    return stopped
  }

  const signals = ['SIGTERM', 'SIGINT'] as const
  const onSignal = withoutEcho((signal) => {
    if (stopping.signal.aborted) {
      logger.warn({ signal }, 'Ended by a second signal')
      return kill()
    }
    void stop(signal).then((code) => exit(code))
  })

  return {
    /**
     * Opens a part and remembers how to close it: with its own `close`, which gets the time that requests under way have. If it
     * cannot be opened, the open parts are closed and the error thrown.
     */
    async open<Part extends Closable>(name: string, open: () => Promise<Part> | Part): Promise<Part> {
      // A part failed during the start: open nothing more. The stop ends the process.
      if (stopping.signal.aborted) return new Promise<never>(() => undefined)
      try {
        const part = await open()
        parts.push({ name, close: () => part.close(requestsTimeoutMs) })
        return part
      } catch (error) {
        await closeAll()
        throw error
      }
    },
    /** Everything is open: ready from now on; signals stop it. */
    run(): void {
      for (const signal of signals) process.on(signal, onSignal)
      isRunning = true
    },
    /** Not ready before `run` and while stopping. */
    isReady(): Health {
      if (stopping.signal.aborted) return { ok: false, reason: 'stopping' }
      return isRunning ? { ok: true } : { ok: false, reason: 'starting' }
    },
    /** Aborted when the stop begins. */
    stopping: stopping.signal,
    /** Aborted when requests under way have had their time: everything that waits for another server must end, or the stop is ended. */
    givingUp: givingUp.signal,
    stop,
    /** For a part that failed permanently while running: stops the rest. Exit code 1; that of a `StartError`, whose words say all. */
    fail(name: string, error: unknown): void {
      const isKnown = error instanceof StartError
      if (isKnown) logger.fatal({ failed: name }, error.message)
      else logger.fatal({ err: error, failed: name }, 'A part failed')
      exitCode = isKnown ? error.exitCode : 1
      void stop(`${name} failed`).then((code) => exit(code))
    },
  }
}
