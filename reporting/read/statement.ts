/**
 * A statement is a function that writes SQL, and says in its fields whom it is about. A statement about people cannot be written without
 * `Seen`, and `test/reporting/statements.test.ts` counts that every reading of versions is narrowed by it.
 */
import { AudienceError, type Audience } from '../audience/audience.ts'
import { toOwnError } from '../errors.ts'
import type { Reader } from './reader.ts'
import { idsOf, raw, sql, toQuery, type Fragment } from './sql.ts'

/** The people whom a reader sees. */
export type Seen = {
  /** A condition that keeps what the reader may see; `null`: they see everybody. */
  only(column: string): Fragment | null
}

export type Statement<Args> = { readonly name: string } & (
  | {
      /** The same for every reader. */
      readonly about: 'nobody'
      text(args: Args): Fragment
    }
  | {
      /** Counts and ids. */
      readonly about: 'ids'
      text(args: Args, seen: Seen): Fragment
      /** The single people that the arguments ask for, which some readers may not. */
      persons(args: Args): readonly string[]
    }
)

export const toSeen = (ids: readonly string[] | null): Seen => ({
  only: (column) => (ids === null ? null : sql`${raw(column)} IN ${idsOf(ids)}`),
})

/** Two of the settings take a quarter of the planning and change nothing here. */
const settings =
  'SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0'

/** The caller checks the rows. `more`: further settings. */
export async function select<Args>(
  reader: Reader,
  statement: Statement<Args>,
  args: Args,
  more = '',
): Promise<unknown[]> {
  try {
    const text = await write(reader, statement, args)
    const query = toQuery(sql`${text}\n${raw(settings + more)}`)
    return await (await reader.client.query({ ...query, format: 'JSONEachRow' })).json()
  } catch (error) {
    throw toOwnError(error, statement.name)
  }
}

async function write<Args>(reader: Reader, statement: Statement<Args>, args: Args): Promise<Fragment> {
  // Also of what is about nobody: a read for nobody throws.
  const audience: Audience = reader.audience()
  if (statement.about === 'nobody') return statement.text(args)
  if (!audience.persons && statement.persons(args).length > 0)
    throw new AudienceError('persons', 'Numbers of single people are not shown to you')
  const ids = await reader.seenIds()
  if (ids === null && audience.people !== 'all')
    throw new AudienceError('statement', 'Nobody said whom this reader sees')
  return statement.text(args, toSeen(ids))
}
