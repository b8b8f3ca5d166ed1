/**
 * A statement is a function that writes SQL, and says in its fields whom it is about. A statement about people cannot be written without
 * `Seen`, and `test/reporting/statements.test.ts` counts that every reading of versions is narrowed by it.
 */
import { hash } from 'node:crypto'
import { namesIn, tablesOf } from '../../schemas/clickhouse/contract.ts'
import { AudienceError, everybody, type Audience } from '../audience.ts'
import { toOwnError } from '../errors.ts'
import { holdAnswer, type Reader } from './reader.ts'
import { idsOf, raw, sql, toQuery, type Fragment } from '../expressions/sql.ts'

/** The people whom a reader sees. */
export type Seen = {
  /** A condition that keeps the rows that the reader may see; `null`: they see everybody. */
  only(column: string): Fragment | null
  /** The same with the readers themselves: of the managers of people seen, another one may be a stranger. */
  orSelf(column: string): Fragment | null
}

export type SeenByName = Seen & {
  /** The column, or `otherwise` where the reader sees no names. */
  name(column: string, otherwise?: string): Fragment
}

export type Statement<Args> = {
  readonly name: string
  /** Whether 64-bit integers leave as numbers, where each fits a double. Default: as text. */
  readonly asNumbers?: boolean
  /** Whether the answer follows from the arguments and the tables that the text names, and not from the clock. Then it is held until they change. */
  readonly isHeld?: boolean
  /** As of `Question`. */
  readonly isClaim?: boolean
  /** As of `Question`. */
  readonly isUsual?: boolean
} & (
  | {
      /** The same for every reader; `everybody`: refused to readers who see some people only, as it cannot be narrowed. */
      readonly about: 'nobody' | 'everybody'
      text(args: Args): Fragment
    }
  | {
      /** Counts and ids. */
      readonly about: 'ids'
      text(args: Args, seen: Seen): Fragment
    }
  | {
      /** Names, too. */
      readonly about: 'names'
      text(args: Args, seen: SeenByName): Fragment
    }
)

export function toSeen(
  ids: readonly string[] | null,
  audience: Pick<Audience, 'people' | 'names'> = everybody,
): SeenByName {
  const among = (column: string, more: readonly string[]) =>
    ids === null ? null : sql`${raw(column)} IN ${idsOf([...ids, ...more])}`
  return {
    only: (column) => among(column, []),
    orSelf: (column) => among(column, toSelf(audience)),
    name: (column, otherwise = "''") => raw(audience.names ? column : otherwise),
  }
}

/** The people as whose manager or colleague a reader sees others. */
function toSelf({ people }: Pick<Audience, 'people'>): string[] {
  return people === 'all' ? [] : [...people.under, ...people.teamsOf]
}

export async function readSeenAndSelf(reader: Reader): Promise<Set<string> | null> {
  const ids = await reader.seenIds()
  return ids === null ? null : new Set([...ids, ...toSelf(reader.audience())])
}

/**
 * Two of the settings take a quarter of the planning and change nothing here. Of the values of a subquery the index is asked for few only:
 * for 160,000 assignments that took half a second of one core, and left out nothing.
 */
const settings =
  'SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, use_index_for_in_with_subqueries_max_values = 1000, max_execution_time = 60, join_use_nulls = 0, output_format_json_named_tuples_as_objects = 0, output_format_json_quote_64bit_integers = '

/** The tables behind an answer. That of `complete_through` also goes with the clock: an older one claims less. */
function tablesIn(text: string): string[] {
  const tables = namesIn(text).flatMap(tablesOf)
  // The rights of dashboards hide bodies; after them a position is always written.
  return [...new Set(tables.includes('event_bodies') ? [...tables, 'log_positions'] : tables)]
}

/** The caller checks the rows and changes none: others may have the same. `more`: further settings. */
export async function select<Args>(
  reader: Reader,
  statement: Statement<Args>,
  args: Args,
  more = '',
): Promise<unknown[]> {
  try {
    const query = await toQuestion(reader, statement, args, more)
    const read = async () => (await reader.client.query(query)).json()
    if (statement.isHeld !== true) return await read()
    const { isClaim = false, isUsual = false } = statement
    const text = hash('sha256', JSON.stringify(query))
    return await holdAnswer(reader, { text, of: tablesIn(query.query), isClaim, isUsual, read })
  } catch (error) {
    throw toOwnError(error, statement.name)
  }
}

async function toQuestion<Args>(reader: Reader, statement: Statement<Args>, args: Args, more: string) {
  const text = await write(reader, statement, args)
  const quoted = statement.asNumbers === true ? '0' : '1'
  const query = toQuery(sql`-- name: ${raw(statement.name)}\n${text}\n${raw(settings + quoted + more)}`)
  return { ...query, format: 'JSONEachRow' as const }
}

async function write<Args>(reader: Reader, statement: Statement<Args>, args: Args): Promise<Fragment> {
  // Also of statements about nobody: a read for nobody throws.
  const audience: Audience = reader.audience()
  if (statement.about === 'nobody') return statement.text(args)
  if (statement.about === 'everybody') {
    if (audience.people === 'all') return statement.text(args)
    throw new AudienceError(`"${statement.name}" cannot be narrowed to the people whom you may see`)
  }
  return statement.text(args, toSeen(await seenBy(reader), audience))
}

/** The people whom the reader sees; `null`: everybody. */
export async function seenBy(reader: Reader): Promise<readonly string[] | null> {
  const { people } = reader.audience()
  const ids = await reader.seenIds()
  if (ids === null && people !== 'all') throw new AudienceError('Nobody said whom this reader sees')
  return ids
}
