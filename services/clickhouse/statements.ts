/** The statements of a room, which stand together in its `statements.sql`, and how they are run. */
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { openSections } from '../../schemas/clickhouse/sections.ts'

export type Statements = (name: string) => string

/** `-- name: x` begins the statement x of `statements.sql` in this directory. */
export function readStatements(directory: string): Statements {
  const textOf = openSections(join(directory, 'statements.sql'))
  // With its name, for the query log of a server.
  return (name) => `-- name: ${name}\n${textOf(name)}`
}

/**
 * Rows by the names of their columns. 64-bit integers come as text where the statement says so. On the wire the names come once and
 * each row as a list of values: a third of the text.
 */
export async function selectRows<Row>(
  client: ClickHouseClient,
  query: string,
  params: Record<string, unknown> = {},
): Promise<Row[]> {
  const answer = await client.query({ query, query_params: params, format: 'JSONCompactEachRowWithNames' })
  const text = await answer.text()
  // Parses in one go, which the client does not. A line break always separates rows: within text it is escaped.
  const [columns = [], ...rows] = JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as [
    string[]?,
    ...unknown[][],
  ]
  return rows.map((values) => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i]
    return row as Row
  })
}

/** The questions of a room to the store, by the names of its statements. */
export function bindStatements(directory: string) {
  const sql = readStatements(directory)
  return {
    sql,
    select: <Row>(client: ClickHouseClient, name: string, params?: Record<string, unknown>) =>
      selectRows<Row>(client, sql(name), params),
    async execute(
      client: ClickHouseClient,
      name: string,
      params: Record<string, unknown> = {},
    ): Promise<void> {
      await client.command({ query: sql(name), query_params: params })
    },
  }
}

/** An instant as a parameter of type DateTime64(3, 'UTC'); what is before the epoch becomes the epoch. */
export function toDateTime(epochMs: number): string {
  return new Date(Math.max(0, epochMs)).toISOString().slice(0, 23).replace('T', ' ')
}

/** The one rule for written times: whatever the clock says, none is earlier than the one before it of the same key. */
export function toLaterTime(now: number, before = 0): number {
  return Math.max(now, before + 1)
}
