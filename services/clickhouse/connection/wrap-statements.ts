import type { ClickHouseClient } from '@clickhouse/client'
import type { Attributes, Tracing } from '../../runtime/tracing/tracing.ts'

type Kind = 'query' | 'command' | 'exec' | 'insert'

export type ClientCall = {
  [kind in Kind]: { kind: kind; params: Parameters<ClickHouseClient[kind]>[0] }
}[Kind]

/** The same client, which does this around each of its statements. */
export function wrapStatements(
  client: ClickHouseClient,
  around: <Answer>(run: () => Promise<Answer>, call: ClientCall) => Promise<Answer>,
): ClickHouseClient {
  for (const kind of ['query', 'command', 'exec', 'insert'] as const) {
    const send = client[kind] as (params: unknown) => Promise<unknown>
    const wrapped = (params: unknown) =>
      around(() => send.call(client, params), { kind, params } as ClientCall)
    Object.assign(client, { [kind]: wrapped })
  }
  return client
}

/**
 * A span per statement, under the request or the batch that runs it. It names the statement by its file, never by its text, which
 * may hold values.
 */
export function traceStatements(client: ClickHouseClient, tracing: Tracing | undefined): ClickHouseClient {
  if (tracing === undefined) return client
  return wrapStatements(client, (run, { kind, params }) => {
    if (kind === 'exec') return run()
    const operation = kind === 'insert' ? 'INSERT' : toOperation(params.query)
    const more: Attributes =
      kind === 'insert' ? { 'db.collection.name': params.table } : toSummary(params.query)
    const target = more['db.query.summary'] ?? more['db.collection.name']
    const attributes: Attributes = { 'db.system.name': 'clickhouse', 'db.operation.name': operation, ...more }
    return tracing.under(
      { name: target === undefined ? operation : `${operation} ${target}`, kind: 'client', attributes },
      run,
    )
  })
}

const operations = 'SELECT WITH INSERT ALTER OPTIMIZE SYSTEM CREATE DROP SHOW EXPLAIN CHECK'.split(' ')

function toOperation(query: string): string {
  const word = /^(?:\s|--[^\n]*\n)*([A-Za-z]+)/.exec(query)?.[1]?.toUpperCase() ?? ''
  if (word === 'WITH') return 'SELECT'
  return operations.includes(word) ? word : 'OTHER'
}

function toSummary(query: string): Attributes {
  const name = /^-- name: ([\w-]+)\n/.exec(query)?.[1]
  return name === undefined ? {} : { 'db.query.summary': name }
}
