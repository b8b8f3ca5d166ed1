/**
 * Decides whether an analyst's statement may run, and returns the text to run. The order matters, because each step makes
 * the next one sound: the engine's parser rewrites the statement (no comments, one statement, everything quoted), its
 * syntax tree is compared with lists, and so are its resolved names. Exactly that text runs, on a read-only connection.
 */
import { text } from 'node:stream/consumers'
import type { ClickHouseClient } from '@clickhouse/client'
import { StatementError, type HttpStatement } from './http-front/http-front.ts'
import { escape } from '../clickhouse/connection/write-constants.ts'
import { selectRows } from '../clickhouse/statements.ts'
import { fillParameters } from './http-front/parameters.ts'
import { allowedTableFunctions, allowedTables, createFunctionRules, type CatalogueRow } from './allowed.ts'
import { checkSyntax, denied, deniedTable, parseSyntaxTree, type SyntaxRules } from './check-syntax.ts'

export type CheckedStatement = {
  sql: string
  /** As the statement says, `undefined` where it does not. */
  format: string | undefined
}

/** Reads the engine's catalogue. */
export async function readSyntaxRules(client: ClickHouseClient): Promise<Omit<SyntaxRules, 'tables'>> {
  const read = async (query: string) => {
    const rows = await selectRows<{ name: string }>(client, query)
    return new Set(rows.map(({ name }) => name))
  }
  const catalogue =
    'SELECT name, categories AS category, alias_to, toString(origin) AS origin, is_aggregate FROM system.functions'
  return {
    ownTables: await read(`SELECT name FROM system.tables WHERE database = 'rollcall'`),
    databases: await read('SELECT name FROM system.databases'),
    functions: createFunctionRules(await selectRows<CatalogueRow>(client, catalogue)),
  }
}

/** `client` must be the connection that runs the checked statement. */
export async function checkStatement(
  client: ClickHouseClient,
  known: Omit<SyntaxRules, 'tables'>,
  { sql, params, people }: Pick<HttpStatement, 'sql' | 'params'> & { people: boolean },
): Promise<CheckedStatement> {
  const rules = { ...known, tables: allowedTables({ people }) }
  if (sql.includes('\0')) throw new StatementError('SYNTAX_ERROR', 'A statement may not hold a null byte')
  const written = await rewrite(client, fillParameters(sql, params))
  // Such names could look like lines of the engine's explanations below.
  if (hasEscapedName(written)) throw denied('Names with line breaks or backslashes may not be used')
  const { body, format } = cutClauses(written)
  const catalogueStatement = toCatalogueStatement(body, rules)
  if (catalogueStatement !== undefined) return { sql: catalogueStatement, format }
  if (!/^(SELECT|WITH|\()/.test(body))
    throw new StatementError('READONLY', 'Only SELECT, DESCRIBE TABLE and SHOW TABLES may be run')
  // As a subquery: clauses that are only allowed around a query, such as INTO OUTFILE, are syntax errors there.
  checkSyntax(parseSyntaxTree(await explain(client, `EXPLAIN AST SELECT * FROM (${body}\n)`)), rules)
  checkResolved(await explain(client, `EXPLAIN QUERY TREE ${body}`), rules)
  return { sql: body, format }
}

/** The statement as the engine's parser writes it: without comments, and only if it is a single one. */
async function rewrite(client: ClickHouseClient, sql: string): Promise<string> {
  const [row] = await selectRows<{ sql: string }>(client, `SELECT formatQuery('${escape(sql)}') AS sql`)
  return row?.sql ?? ''
}

/** Strings and names as the engine writes them. */
const quotedPieces = /'(?:[^'\\]|\\.|'')*'|`(?:[^`\\]|\\.|``)*`|"(?:[^"\\]|\\.|"")*"/gs

function hasEscapedName(sql: string): boolean {
  return (sql.match(quotedPieces) ?? []).some((piece) => !piece.startsWith("'") && piece.includes('\\'))
}

/**
 * The engine writes a clause on a line of its own, at the end. If it were part of something else, the rest would not
 * parse.
 */
function cutClauses(sql: string): { body: string; format: string | undefined } {
  // `Null` comes quoted, because it is a word of the language too.
  const format = /\nFORMAT (`?)(\w+)\1$/.exec(sql)
  const query = format === null ? sql : sql.slice(0, format.index)
  // Grafana adds it; our limit applies anyway.
  return { body: query.replace(/\nSETTINGS max_execution_time = \d+$/, ''), format: format?.[2] }
}

/** Formats that need no schema file and use no other protocol. */
const formats =
  /^(JSON\w*|CSV\w*|TabSeparated\w*|TSV\w*|RowBinary\w*|Native|ODBCDriver2|Arrow|ArrowStream|Parquet|Pretty\w*|Values|Vertical|Markdown|XML|Null|RawBLOB|MsgPack|LineAsString)$/

export function checkFormat(format: string): void {
  if (!formats.test(format)) throw new StatementError('UNKNOWN_FORMAT', `The format ${format} is not offered`)
}

/** A tool's statement besides queries: rebuilt from its parts, so that nothing else runs. */
function toCatalogueStatement(sql: string, rules: SyntaxRules): string | undefined {
  if (sql === 'EXISTS DATABASE rollcall') return sql
  // The engine does not write the answer of SHOW DATABASES to a file.
  if (sql === 'SHOW DATABASES') return 'SELECT name FROM system.databases ORDER BY name'
  if (/^SHOW TABLES(?: FROM rollcall)?$/.test(sql)) return toTableList(rules)
  const described = /^DESCRIBE TABLE (?:(\w+)\.)?(\w+)$/.exec(sql)
  if (described === null) return undefined
  const table = `${described[1] ?? 'rollcall'}.${described[2]}`
  if (!rules.tables.has(table)) throw deniedTable(table)
  return `DESCRIBE TABLE ${table}`
}

/** Those that may be read: tools show them first, and the others would only be refused. */
function toTableList({ tables }: SyntaxRules): string {
  const names = [...tables]
    .filter((name) => name.startsWith('rollcall.'))
    .map((name) => `'${name.slice('rollcall.'.length)}'`)
  return `SELECT name FROM system.tables WHERE database = 'rollcall' AND name IN (${names.join(', ')}) ORDER BY name`
}

/**
 * WITH RECURSIVE keeps the rows of its last round there. Nobody can create a temporary table otherwise: that would not be
 * reading.
 */
const recursion = /^_temporary_and_external_tables\._tmp_[0-9a-f-]{36}$/

/** The second layer: the resolved names. */
function checkResolved(lines: readonly string[], { tables, functions }: SyntaxRules): void {
  for (const line of lines) {
    for (const name of valuesOf(line, 'TABLE', 'table_name')) {
      if (!tables.has(name) && !recursion.test(name)) throw deniedTable(name)
    }
    for (const name of valuesOf(line, 'TABLE_FUNCTION', 'table_function_name')) {
      if (!allowedTableFunctions.has(name)) throw denied(`The table function ${name} may not be used`)
    }
    for (const name of valuesOf(line, 'FUNCTION', 'function_name')) {
      if (!functions.isAllowedResolved(name)) throw denied(`The function ${name} may not be used`)
    }
  }
}

/** All of them: an alias can add a name, never hide one. */
function valuesOf(line: string, kind: string, key: string): string[] {
  if (!line.trimStart().startsWith(`${kind} id: `)) return []
  return [...line.matchAll(new RegExp(`\\b${key}: ([^,]+)`, 'g'))].map((match) => match[1] ?? '')
}

async function explain(client: ClickHouseClient, query: string): Promise<string[]> {
  // With a default, because a FORMAT at the end would become part of the explained statement.
  const { stream } = await client.exec({ query, clickhouse_settings: { default_format: 'TabSeparatedRaw' } })
  return (await text(stream)).split('\n')
}
