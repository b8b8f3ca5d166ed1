/**
 * The statements of `schemas/clickhouse` for a server. They are written for one machine; this adds what clusters and
 * restricted users need. A test has the engine's parser read each of them.
 */
import { contractViews } from '../../schemas/clickhouse/contract.ts'

export type ServerDdlOptions = {
  cluster: string | undefined
}

const contract: ReadonlySet<string> = new Set(contractViews)

/**
 * Every replica holds everything: the path in Keeper has no shard. Equal blocks are not dropped: in signed tables an
 * equal block is a new fact, and elsewhere the tables and the consumer deduplicate by content.
 */
const replicated = `'/clickhouse/tables/{uuid}', '{replica}'`
const keepEqualBlocks =
  'replicated_deduplication_window = 0, replicated_deduplication_window_for_async_inserts = 0'

export function toServerDdl(sql: string, { cluster }: ServerDdlOptions): string {
  const statement = toStatement(sql)
  const onCluster = cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`
  switch (statement.kind) {
    case 'view': {
      // A reader of the view needs no rights on the tables behind it.
      const definer = contract.has(statement.name) ? '\nDEFINER = CURRENT_USER SQL SECURITY DEFINER' : ''
      const { end, asAt } = statement
      return `${sql.slice(0, end)}${onCluster}${sql.slice(end, asAt).trimEnd()}${definer}\n${sql.slice(asAt)}`
    }
    case 'database':
    case 'alter':
      return `${sql.slice(0, statement.end)}${onCluster}${sql.slice(statement.end)}`
    case 'table': {
      const whole = `${sql.slice(0, statement.end)}${onCluster}${sql.slice(statement.end)}`
      return cluster === undefined ? whole : toReplicated(whole)
    }
  }
}

type Statement =
  | { kind: 'database' | 'table' | 'alter'; end: number }
  | { kind: 'view'; end: number; name: string; asAt: number }

const opening =
  /^(?<table>CREATE TABLE IF NOT EXISTS|CREATE OR REPLACE VIEW|ALTER TABLE|CREATE DATABASE IF NOT EXISTS) (?:rollcall\.(?<name>\w+)|rollcall\b)/m

/** How a statement begins, after its comments; a test checks that ours begin in one of these ways. */
function toStatement(sql: string): Statement {
  const match = opening.exec(sql)
  if (match === null) throw new Error(`This statement cannot be brought to a server: ${sql.slice(0, 200)}`)
  const end = match.index + match[0].length
  const { table: verb, name = '' } = match.groups ?? {}
  if (verb === 'ALTER TABLE') return { kind: 'alter', end }
  if (verb === 'CREATE TABLE IF NOT EXISTS') return { kind: 'table', end }
  if (verb === 'CREATE DATABASE IF NOT EXISTS') return { kind: 'database', end }
  // A list of columns ends at the start of a line.
  const list = /^\s*\n\(\n.*?\n\)/s.exec(sql.slice(end))
  const after = end + (list?.[0].length ?? 0)
  const as = /\bAS\s/.exec(sql.slice(after))
  if (as === null) throw new Error(`This view cannot be brought to a server: ${sql.slice(0, 200)}`)
  return { kind: 'view', end, name, asAt: after + as.index }
}

function toReplicated(sql: string): string {
  const engine = /^(\s*)ENGINE = (\w*MergeTree)(?:\(([^)]*)\))?/m
  if (!engine.test(sql)) throw new Error(`This table cannot be replicated: ${sql.slice(0, 200)}`)
  const withEngine = sql.replace(
    engine,
    (_, indent: string, name: string, parameters: string | undefined) => {
      const all = parameters === undefined || parameters === '' ? replicated : `${replicated}, ${parameters}`
      return `${indent}ENGINE = Replicated${name}(${all})`
    },
  )
  const settings = /^(\s*)SETTINGS /m
  return settings.test(withEngine)
    ? withEngine.replace(settings, `$1SETTINGS ${keepEqualBlocks}, `)
    : withEngine.replace(/^(\s*)ORDER BY .*$/m, `$&\n$1SETTINGS ${keepEqualBlocks}`)
}
