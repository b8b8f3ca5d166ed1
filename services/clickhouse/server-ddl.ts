/**
 * The statements of `schemas/clickhouse` for a server. They are written for one machine; this adds what clusters and
 * restricted users need. A test has the engine's parser read each of them.
 */
import { contractViews } from '../../schemas/clickhouse/contract.ts'

export type ServerDdlOptions = {
  cluster: string | undefined
}

const contract: ReadonlySet<string> = new Set(contractViews)

/** How a statement begins, after its comments. */
const opening =
  /^(?:CREATE TABLE IF NOT EXISTS|CREATE OR REPLACE VIEW|ALTER TABLE|CREATE DATABASE IF NOT EXISTS) rollcall(?:\.(\w+)|\b)/m

/** A view up to the query. A list of columns ends at the start of a line. */
const viewHead = /^CREATE OR REPLACE VIEW rollcall\.\w+(?:\s*\n\(\n.*?\n\))?.*?\s(?=AS\s)/ms

export function toServerDdl(sql: string, { cluster }: ServerDdlOptions): string {
  const [begin, name = ''] = opening.exec(sql) ?? []
  if (begin === undefined)
    throw new Error(`This statement cannot be brought to a server: ${sql.slice(0, 200)}`)
  // A reader of the view needs no rights on the tables behind it.
  const defined = contract.has(name)
    ? sql.replace(viewHead, '$&DEFINER = CURRENT_USER SQL SECURITY DEFINER\n')
    : sql
  if (cluster === undefined) return defined
  const everywhere = defined.replace(opening, (found) => `${found} ON CLUSTER '${cluster}'`)
  return begin.startsWith('CREATE TABLE') ? toReplicated(everywhere) : everywhere
}

/**
 * Every replica holds everything: the path in Keeper has no shard. Equal blocks are not dropped: in signed tables an
 * equal block is a new fact, and elsewhere the tables and the consumer deduplicate by content.
 */
const replicated = `'/clickhouse/tables/{uuid}', '{replica}'`
const keepEqualBlocks =
  'replicated_deduplication_window = 0, replicated_deduplication_window_for_async_inserts = 0'

function toReplicated(sql: string): string {
  const engine = /^(\s*)ENGINE = (\w*MergeTree)(?:\(([^)]*)\))?/m
  if (!engine.test(sql)) throw new Error(`This table cannot be replicated: ${sql.slice(0, 200)}`)
  const withEngine = sql.replace(engine, (_, indent: string, name: string, parameters = '') => {
    const all = [replicated, parameters as string].filter(Boolean).join(', ')
    return `${indent}ENGINE = Replicated${name}(${all})`
  })
  const settings = /^(\s*)SETTINGS /m
  return settings.test(withEngine)
    ? withEngine.replace(settings, `$1SETTINGS ${keepEqualBlocks}, `)
    : withEngine.replace(/^(\s*)ORDER BY .*$/m, `$&\n$1SETTINGS ${keepEqualBlocks}`)
}
