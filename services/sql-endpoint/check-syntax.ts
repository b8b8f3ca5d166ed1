/** The first layer: the parsed statement may hold only the kinds listed here. */
import { viewsWithParameters } from '../../schemas/clickhouse/contract.ts'
import { allowedTableFunctions, type FunctionRules, list } from './allowed.ts'
import { StatementError } from './http-front/http-front.ts'

/** A statement's syntax tree from the engine's own parser: the lines of `EXPLAIN AST`. */

type SyntaxNode = {
  /** `SelectQuery`, `Function`, `TableIdentifier` ... */
  kind: string
  /** Name of a function, table or column; empty for others. */
  name: string
  /** The name that the statement gives a function; empty for others. */
  alias: string
  parent: SyntaxNode | undefined
  children: SyntaxNode[]
}

/** Every node, parents before their children. */
export function parseSyntaxTree(lines: readonly string[]): SyntaxNode[] {
  const nodes: SyntaxNode[] = []
  const path: SyntaxNode[] = []
  for (const line of lines) {
    const text = line.trimStart()
    if (text === '') continue
    const depth = line.length - text.length
    const kind = text.split(' ', 1)[0] ?? ''
    const rest = text.slice(kind.length + 1)
    const parent = path[depth - 1]
    const name = rest.replace(/ ?\((alias |children \d+\)).*$/s, '')
    // Not of literals: one of a megabyte, full of what looks like an alias, would take a minute.
    const alias =
      kind === 'Function' ? (/ ?\(alias (.*?)\)(?: \(children \d+\))?$/s.exec(rest)?.[1] ?? '') : ''
    const node: SyntaxNode = { kind, name, alias, parent, children: [] }
    parent?.children.push(node)
    path.length = depth
    path.push(node)
    nodes.push(node)
  }
  return nodes
}

export type SyntaxRules = {
  tables: ReadonlySet<string>
  /** Tables and views of the current database, which may be named without it. */
  ownTables: ReadonlySet<string>
  databases: ReadonlySet<string>
  functions: FunctionRules
}

const plainKinds = new Set(
  list(
    'SelectWithUnionQuery, SelectIntersectExceptQuery, SelectQuery, ExpressionList, Subquery, WithElement, ' +
      'TablesInSelectQuery, TablesInSelectQueryElement, TableExpression, TableJoin, ArrayJoin, SampleRatio, ' +
      'Literal, Asterisk, QualifiedAsterisk, ColumnsRegexpMatcher, ColumnsListMatcher, InterpolateElement, ' +
      'QualifiedColumnsRegexpMatcher, QualifiedColumnsListMatcher, ColumnsTransformerList, OrderByElement, ' +
      'ColumnsExceptTransformer, ColumnsReplaceTransformer, ColumnsReplaceTransformer::Replacement, ' +
      'WindowDefinition, WindowListElement, Collation',
  ),
)

/** Why a harmless-looking part of the grammar is refused. */
const refusedKinds: Record<string, string> = {
  Set: 'Settings may not be changed',
  ColumnsApplyTransformer:
    'APPLY is not allowed, because it hides the function that it calls; name the columns',
}

export function checkSyntax(nodes: readonly SyntaxNode[], rules: SyntaxRules): void {
  const ownFunctions = toOwnFunctions(nodes, rules)
  for (const node of nodes) {
    if (node.kind === 'TableIdentifier') checkTable(node.name, rules)
    else if (node.kind === 'Function') checkFunction(node, rules, ownFunctions)
    else if (node.kind === 'Identifier') checkIdentifier(node, rules)
    else if (!plainKinds.has(node.kind))
      throw denied(refusedKinds[node.kind] ?? `${node.kind} is not allowed here`)
  }
}

function checkTable(name: string, { tables, ownTables, databases }: SyntaxRules): void {
  // A bare name is a table of ours, or one of the statement's own WITH: nothing else can be reached.
  const isReachable = name.includes('.') ? true : ownTables.has(name) || databases.has(name)
  if (isReachable && !tables.has(toQualified(name))) throw deniedTable(name)
}

/** Functions that the statement makes itself: `WITH (x -> x + 1) AS next`. Never one that could stand for a function of the engine. */
function toOwnFunctions(nodes: readonly SyntaxNode[], { functions }: SyntaxRules): ReadonlySet<string> {
  const names = nodes.filter(
    ({ kind, name, alias }) => kind === 'Function' && name === 'lambda' && alias !== '',
  )
  return new Set(names.map(({ alias }) => alias).filter((name) => !functions.isTaken(name)))
}

function checkFunction(node: SyntaxNode, rules: SyntaxRules, ownFunctions: ReadonlySet<string>): void {
  const { name, parent } = node
  if (parent?.kind === 'TableExpression') {
    if (allowedTableFunctions.has(name)) return
    // A view with parameters is called like a function.
    const table = toQualified(name)
    if (viewsWithParameters.some((view) => table === `rollcall.${view}`) && rules.tables.has(table)) return
    throw denied(`The table function or view ${name} may not be used`)
  }
  if (!rules.functions.isAllowed(name) && !ownFunctions.has(name))
    throw denied(`The function ${name} may not be used`)
}

/** Where a function or a table is expected, a bare name can stand for it: `arrayMap(upper, list)`, `x IN events`. */
function checkIdentifier(node: SyntaxNode, rules: SyntaxRules): void {
  const { name } = node
  if (rules.functions.isForbidden(name))
    throw denied(`The name ${name} is that of a function that may not be used`)
  const call = node.parent?.parent
  if (call?.kind === 'Function' && /in$/i.test(call.name) && node.parent?.children[1] === node) {
    const [first = '', ...others] = name.split('.')
    if (others.length === 0 ? rules.ownTables.has(name) : rules.databases.has(first)) checkTable(name, rules)
  }
}

function toQualified(name: string): string {
  return name.includes('.') ? name : `rollcall.${name}`
}

export function denied(message: string): StatementError {
  return new StatementError('ACCESS_DENIED', `${message}. docs/sql.md says what may be asked`)
}

export function deniedTable(name: string): StatementError {
  const isPeople = /^(rollcall\.)?people$/.test(name)
  return denied(`The table ${name} may not be read${isPeople ? ' unless SQL_PEOPLE=granted is set' : ''}`)
}
