/** Everything that an analyst's statement may use. The rest is refused. */
import { contractViews } from '../../schemas/clickhouse/contract.ts'

/** Tables of the engine that tools read, and that reveal nothing about the data or other users. */
const systemTables = list(
  'one, numbers, databases, tables, columns, settings, functions, formats, data_type_families, ' +
    'table_functions, time_zones, keywords, collations, aggregate_function_combinators',
).map((name) => `system.${name}`)

const informationSchema = ['information_schema', 'INFORMATION_SCHEMA'].flatMap((schema) =>
  ['tables', 'columns', 'schemata', 'TABLES', 'COLUMNS', 'SCHEMATA'].map((name) => `${schema}.${name}`),
)

/** `people` holds names and e-mails: only if the owner granted it. */
export function allowedTables({ people }: { people: boolean }): ReadonlySet<string> {
  const views = contractViews.filter((name) => name !== 'people' || people)
  return new Set([...views.map((name) => `rollcall.${name}`), ...systemTables, ...informationSchema])
}

export const allowedTableFunctions: ReadonlySet<string> = new Set(
  list('numbers, zeros, generateSeries, generate_series, values, SQLStandardValues'),
)

/**
 * The engine's function categories that only compute. The others include functions that read files, keys or other tables.
 */
const categories = new Set(
  list(
    'Aggregate Functions, Arithmetic, Arrays, Bit, Bitmap, Comparison, Conditional, Dates and Times, ' +
      'Distance, Encoding, Financial, Hash, IP Address, JSON, Logical, Map, Mathematical, Null, ' +
      'Random Number, Rounding, String, String Replacement, String Search, String Splitting, Time Window, ' +
      'Tuple, Type Conversion, URL, UUID',
  ),
)

/** Single functions, beside those that are allowed by their beginning. */
const singleFunctions = new Set(
  list(
    'version, revision, displayName, currentDatabase, currentUser, bar, transform, identity, ignore, ' +
      'materialize, toTypeName, toColumnTypeName, isConstant, rowNumberInAllBlocks, rowNumberInBlock, ' +
      'runningDifference, formatReadableQuantity, formatReadableSize, formatReadableDecimalSize, byteSize, ' +
      'formatReadableTimeDelta, countDigits, finalizeAggregation, in, notIn, globalIn, globalNotIn, nullIn, ' +
      'notNullIn, lambda, exists, grouping, arrayJoin, runningAccumulate, neighbor, parseTimeDelta',
  ),
)

/** Functions that only the engine itself inserts while it processes a statement. */
const internalCategory = 'Internal'

const combinators =
  /(If|Array|Map|Distinct|OrDefault|OrNull|ForEach|State|SimpleState|Merge|MergeState|Resample|ArgMin|ArgMax|Null)$/

const anyCombinator = new RegExp(combinators.source, 'i')

export type CatalogueRow = {
  name: string
  category: string
  alias_to: string
  origin: string
  is_aggregate: number
}

export type FunctionRules = ReturnType<typeof createFunctionRules>

export function createFunctionRules(catalogue: readonly CatalogueRow[]) {
  const byName = new Map(catalogue.map((row) => [row.name, row]))
  // In lower case: some functions match in any case, and spelling must not make one allowed.
  const forbidden = new Set<string>()
  const aggregates = new Set<string>()
  const allowed = new Set(singleFunctions)
  const internal = new Set<string>()
  const names = new Set(catalogue.map(({ name }) => name.toLowerCase()))
  for (const row of catalogue) {
    const meant = row.alias_to === '' ? row : (byName.get(row.alias_to) ?? row)
    if (meant.category === internalCategory) internal.add(row.name)
    const isFine = categories.has(meant.category) || singleFunctions.has(meant.name)
    if (row.origin === 'System' && isFine) allowed.add(row.name)
    else forbidden.add(row.name.toLowerCase())
    if (row.is_aggregate === 1 && isFine) aggregates.add(row.name.toLowerCase())
  }
  const allowedInAnyCase = new Set([...allowed].map((name) => name.toLowerCase()))

  function isAllowed(name: string): boolean {
    const lower = name.toLowerCase()
    if (forbidden.has(lower)) return false
    return allowedInAnyCase.has(lower) || isCombined(name)
  }
  function isCombined(name: string): boolean {
    if (aggregates.has(name.toLowerCase())) return true
    const shorter = name.replace(combinators, '')
    return shorter !== name && isCombined(shorter)
  }
  /** Whether the engine has a function of that name, in any spelling, or could make one of it by its combinators. */
  function isTaken(name: string): boolean {
    const shorter = name.replace(anyCombinator, '')
    return names.has(name.toLowerCase()) || (shorter !== name && isTaken(shorter))
  }
  return {
    isAllowed,
    /** Including functions that the engine inserts: `getSubcolumn` is made of a field of a tuple, `span.began_at`. */
    isAllowedResolved: (name: string) =>
      isAllowed(name) || internal.has(name) || name === '_CAST' || name === 'getSubcolumn',
    isTaken,
    /** Whether a function of that name exists and is not allowed: such a name may stand for it where a function is expected. */
    isForbidden: (name: string) => forbidden.has(name.toLowerCase()),
  }
}

/** The items of a comma-separated text: long lists of names stay readable. */
export function list(text: string): string[] {
  return text.split(', ')
}
