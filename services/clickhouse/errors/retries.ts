/** Sends a statement again where that is safe; `failure.ts` decides. */
import type { ClickHouseClient } from '@clickhouse/client'
import pRetry, { type Options } from 'p-retry'
import { mayPass, toFailure } from './failure.ts'

/** About 6 s in all: the caller handles longer outages. */
const tries = { retries: 5, minTimeout: 200, maxTimeout: 2_500, factor: 2, randomize: true } satisfies Options

/** The same client with retries: reads also after a broken connection, other statements only if they never began. */
export function withRetries(client: ClickHouseClient): ClickHouseClient {
  const { query, command, exec, insert } = client
  client.query = ((params) =>
    pRetry(() => query.call(client, params), {
      ...tries,
      shouldRetry: ({ error }) => mayPass(toFailure(error)),
    })) as typeof client.query
  client.command = (params) => pRetry(() => command.call(client, params), { ...tries, shouldRetry: isNotExecuted })
  // A stream can be read only once, so it cannot be sent again.
  client.exec = ((params: Parameters<typeof exec>[0]) =>
    'values' in params && params.values !== undefined
      ? exec.call(client, params)
      : pRetry(() => exec.call(client, params), { ...tries, shouldRetry: isNotExecuted })) as typeof client.exec
  client.insert = ((params: Parameters<typeof insert>[0]) =>
    Array.isArray(params.values)
      ? pRetry(() => insert.call(client, params), { ...tries, shouldRetry: isNotExecuted })
      : insert.call(client, params)) as typeof client.insert
  return client
}

function isNotExecuted({ error }: { error: Error }): boolean {
  return toFailure(error) === 'not_executed'
}
