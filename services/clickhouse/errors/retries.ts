/** Sends a statement again where that is safe; `failure.ts` decides. */
import type { ClickHouseClient } from '@clickhouse/client'
import pRetry, { type Options } from 'p-retry'
import { mayPass, toFailure } from './failure.ts'

/** About 6 s in all: the caller handles longer outages. */
const tries = { retries: 5, minTimeout: 200, maxTimeout: 2_500, factor: 2, randomize: true } satisfies Options

/** The process ends and waits for no answer any more; what was under way may have been done. */
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
  const { query, command, exec, insert } = client

  async function send<Result>(
    statement: () => Promise<Result>,
    isRepeatable: (error: unknown) => boolean,
  ): Promise<Result> {
    try {
      return await pRetry(statement, { ...tries, signal: givingUp, shouldRetry: ({ error }) => isRepeatable(error) })
    } catch (error) {
      if (givingUp.aborted) throw new GivenUpError()
      throw error
    }
  }

  client.query = ((params) =>
    send(
      () => query.call(client, params),
      (error) => mayPass(toFailure(error)),
    )) as typeof client.query
  client.command = (params) => send(() => command.call(client, params), isNotExecuted)
  // A stream can be read only once, so it cannot be sent again.
  client.exec = ((params: Parameters<typeof exec>[0]) =>
    send(
      () => exec.call(client, params),
      'values' in params && params.values !== undefined ? never : isNotExecuted,
    )) as typeof client.exec
  client.insert = ((params: Parameters<typeof insert>[0]) =>
    send(
      () => insert.call(client, params),
      Array.isArray(params.values) ? isNotExecuted : never,
    )) as typeof client.insert
  return client
}

const never = () => false

function isNotExecuted(error: unknown): boolean {
  return toFailure(error) === 'not_executed'
}
