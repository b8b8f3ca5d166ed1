/** A connection of chDB for our own statements: their parameters become constants in the text. What analysts run keeps its parameters. */
import type { ReadConnection } from './stream-connections.ts'
import { writeConstants } from './write-constants.ts'

/** Lists of keys are part of the text, and longer than the 256 KB that a statement may have by default. */
export const longStatements = 'SET max_query_size = 1000000000'

export async function withConstants(connection: ReadConnection): Promise<ReadConnection> {
  await connection.command({ query: longStatements })
  function write<Params extends { query: string; query_params?: Record<string, unknown> }>(params: Params): Params {
    const { query_params, ...rest } = params
    if (query_params === undefined) return params
    return { ...(rest as Params), query: writeConstants(params.query, query_params) }
  }
  return {
    ping: (params) => connection.ping(params),
    query: async (params) => connection.query(write(params)),
    insert: async (params) => connection.insert(write(params)),
    command: async (params) => connection.command(write(params)),
    exec: async (params) => connection.exec(write(params)),
    close: () => connection.close(),
  }
}
