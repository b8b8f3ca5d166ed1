/**
 * Roles with minimal rights for writer, dashboards and analysts, from `schemas/clickhouse/users`. An administrator runs
 * them.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { readSchemaFiles, toStatements } from './migrate.ts'
import type { ServerDdlOptions } from './server-ddl.ts'

/** Safe to repeat: adds missing grants, and leaves users and other grants alone. */
export async function createRoles(client: ClickHouseClient, options: ServerDdlOptions): Promise<string[]> {
  const files = readSchemaFiles('users')
  for (const { sql } of files) {
    for (const statement of toStatements(sql))
      await client.command({ query: toRoleStatement(statement, options) })
  }
  return files.map(({ name }) => name)
}

export function toRoleStatement(sql: string, { cluster }: ServerDdlOptions): string {
  if (cluster === undefined) return sql
  const statement = /^(CREATE (?:ROLE|SETTINGS PROFILE) IF NOT EXISTS \w+|GRANT|REVOKE)/m
  if (!statement.test(sql))
    throw new Error(`This statement cannot be brought to a cluster: ${sql.slice(0, 200)}`)
  return sql.replace(statement, `$1 ON CLUSTER '${cluster}'`)
}
