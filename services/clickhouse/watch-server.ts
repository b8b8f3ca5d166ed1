/**
 * Asks a ClickHouse server all the time whether it answers. Pages are read by people: while it is away they say so at once,
 * also those that wait for an answer already, instead of after all retries.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { setTimeout as pause } from 'node:timers/promises'
import { toFailure } from './errors/failure.ts'
import { wrapStatements } from './connection/wrap-statements.ts'

export class ServerAwayError extends Error {
  override readonly name = 'ServerAwayError'
  readonly code = 'SERVER_AWAY'
  constructor() {
    super('The ClickHouse server does not answer.')
  }
}

const everyMs = 250
const timeoutMs = 1_000
/** One miss may be a pause of this process. */
const misses = 2

export function watchServer(client: ClickHouseClient) {
  const ending = new AbortController()
  const waiting = new Set<() => void>()
  let missed = 0

  async function look(): Promise<void> {
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(timeoutMs)])
    const failed = (error: unknown) => ({ success: false as const, error })
    const answer = await client.ping({ select: false, abort_signal: signal }).catch(failed)
    if (answer.success) missed = 0
    // A connection that breaks says neither: statements are sent again meanwhile.
    else if (toFailure(answer.error) !== 'unknown') missed++
    if (missed >= misses) for (const giveUp of waiting) giveUp()
  }
  async function watch(): Promise<void> {
    while (!ending.signal.aborted) {
      await look()
      await pause(everyMs, undefined, { signal: ending.signal }).catch(() => {})
    }
  }
  const watching = watch()

  return {
    isAnswering: () => missed < misses,
    /** The same client, whose statements fail while the server is away. */
    guard: (guarded: ClickHouseClient) =>
      wrapStatements(guarded, async (run) => {
        if (missed >= misses) throw new ServerAwayError()
        const { promise, reject } = Promise.withResolvers<never>()
        const giveUp = () => reject(new ServerAwayError())
        waiting.add(giveUp)
        try {
          return await Promise.race([run(), promise])
        } finally {
          waiting.delete(giveUp)
        }
      }),
    async close(): Promise<void> {
      ending.abort()
      await watching
    },
  }
}
