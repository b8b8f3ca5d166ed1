/**
 * A span per statement, under the request or the batch that runs it. It names the statement by its file, never by its text, which
 * may hold values.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Attributes, Tracing } from '../../runtime/tracing/tracing.ts'

/** The same client; without tracing nothing is changed. */
export function traceStatements(client: ClickHouseClient, tracing: Tracing | undefined): ClickHouseClient {
  if (tracing === undefined) return client
  const { query, command, insert } = client

  function run<Result>(operation: string, more: Attributes, statement: () => Promise<Result>): Promise<Result> {
    const target = more['db.query.summary'] ?? more['db.collection.name']
    const attributes: Attributes = { 'db.system.name': 'clickhouse', 'db.operation.name': operation, ...more }
    const name = target === undefined ? operation : `${operation} ${target}`
    return (tracing as Tracing).under({ name, kind: 'client', attributes }, statement)
  }

  client.query = ((params: Parameters<typeof query>[0]) =>
    run(toOperation(params.query), toSummary(params.query), () => query.call(client, params))) as typeof query
  client.command = (params) =>
    run(toOperation(params.query), toSummary(params.query), () => command.call(client, params))
  client.insert = ((params: Parameters<typeof insert>[0]) =>
    run('INSERT', { 'db.collection.name': params.table }, () => insert.call(client, params))) as typeof insert
  return client
}

const operations = [
  'SELECT',
  'WITH',
  'INSERT',
  'ALTER',
  'OPTIMIZE',
  'SYSTEM',
  'CREATE',
  'DROP',
  'SHOW',
  'EXPLAIN',
  'CHECK',
]

function toOperation(query: string): string {
  const word = /^(?:\s|--[^\n]*\n)*([A-Za-z]+)/.exec(query)?.[1]?.toUpperCase() ?? ''
  if (word === 'WITH') return 'SELECT'
  return operations.includes(word) ? word : 'OTHER'
}

function toSummary(query: string): Attributes {
  const name = /^-- name: ([\w-]+)\n/.exec(query)?.[1]
  return name === undefined ? {} : { 'db.query.summary': name }
}
