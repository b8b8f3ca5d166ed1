/** Sends a statement again where that is safe; `failure.ts` decides. */
import type { ClickHouseClient } from '@clickhouse/client'
import pRetry, { type Options } from 'p-retry'
import { wrapStatements, type ClientCall } from '../connection/wrap-statements.ts'
import { mayPass, toFailure } from './failure.ts'

/** About 6 s in all: the caller handles longer outages. */
const tries = { retries: 5, minTimeout: 200, maxTimeout: 2_500, factor: 2, randomize: true } satisfies Options

/** The process ends and waits for no answer any more; statements under way may have been done. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError'
  readonly code = 'GIVEN_UP'
  constructor() {
    super('The process is stopping, and no longer waits for ClickHouse.')
  }
}

/**
 * The same client with retries: reads also after a broken connection, other statements only if they never began. Once `givingUp` is
 * aborted, each fails with a `GivenUpError`, also while it waits for its next try.
 */
export function withRetries(client: ClickHouseClient, givingUp: AbortSignal): ClickHouseClient {
  return wrapStatements(client, async (run, call) => {
    try {
      return await pRetry(run, {
        ...tries,
        signal: givingUp,
        shouldRetry: ({ error }) => isRepeatable(error, call),
      })
    } catch (error) {
      if (givingUp.aborted) throw new GivenUpError()
      throw error
    }
  })
}

/** Repeats a statement of a migration whose answer was lost. It may have been done, and repeating it changes nothing. */
export function retryStep<Result>(step: () => Promise<Result>): Promise<Result> {
  return pRetry(step, { ...tries, shouldRetry: ({ error }) => toFailure(error) === 'unknown' })
}

/** Of `exec`, which says nothing of it. */
const reads = /^\s*(SELECT|WITH)\b/i

function isRepeatable(error: unknown, { kind, params }: ClientCall): boolean {
  const failure = toFailure(error)
  if (kind === 'query' || (kind === 'exec' && reads.test(params.query))) return mayPass(failure)
  // A stream can be read only once, so it cannot be sent again.
  const isStream = 'values' in params && params.values !== undefined && !Array.isArray(params.values)
  return failure === 'not_executed' && !isStream
}
