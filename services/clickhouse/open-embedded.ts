/** ClickHouse in this process, through chDB. The only file that loads it: the distributed images do without. */
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'
import { stringifyJson } from '../../schemas/json.ts'
import { checkRoom } from '../runtime/files/check-room.ts'
import { setEngineZone } from '../config/config.ts'
import { StartError, waysOutOfDamage } from '../config/start-error.ts'
import { emptyInput } from './empty-input.ts'
import { lockStore, removeDerivedFiles } from './store-directory.ts'
import { withStoreErrors } from './errors/store-error.ts'
import { streamConnections, type ReadConnection } from './connection/stream-connections.ts'
import { writeConstants } from './connection/write-constants.ts'

export type EmbeddedOptions = {
  /** Data directory; created if absent. One process at a time. */
  directory: string
  /** Maximum number of concurrent reads. Default 2. */
  readers?: number
  /** Maximum number of concurrent consumer statements. Default 3: several of a batch's tables are written at once. */
  writers?: number
  /** Maximum number of concurrently streamed answers. Default 4. */
  streams?: number
}

export type EmbeddedClickHouse = Awaited<ReturnType<typeof openEmbeddedClickHouse>>

export type AnalystLimits = {
  maxExecutionSeconds: number
  maxMemoryBytes: number
  maxResultRows: number
  maxResultBytes: number
}

/**
 * Opens chDB on a directory, on this thread: its teardown hangs when several threads of a process load it.
 * Throws a `StartError` where it cannot, with the cause in one sentence.
 */
export async function openEmbeddedClickHouse({
  directory,
  readers = 2,
  writers = 3,
  streams = 4,
}: EmbeddedOptions) {
  setEngineZone()
  const [{ createChdbConnection }, { Session }] = await Promise.all([
    import('chdb/connection'),
    import('chdb'),
  ]).catch((cause: unknown) => {
    throw new StartError(
      'The embedded ClickHouse engine (npm package chdb) is not available on this machine: it needs Linux or macOS, x64 or arm64. ' +
        'Run npm ci without --omit=optional.',
      { cause },
    )
  })
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new StartError(
      `${directory} is a file, and the store needs a directory there. Move the file away, and start again.`,
    )
  }
  checkRoom(directory)
  emptyInput()
  const lock = lockStore(directory)
  // Personal data: only the owner may read the directory.
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // A killed backup leaves there what it had frozen, with names of people who may be erased by now.
  rmSync(join(directory, 'shadow'), { recursive: true, force: true })
  const open = () => createChdbConnection({ path: directory }) as unknown as ReadConnection
  // It runs no statement. The first one to open the directory decides the limits of the engine.
  const openEngine = () => new Session(directory, { connectionArgs: engineLimits })
  const engine = openFirst(openEngine, directory, lock)
  const openOwn = async (count: number) => {
    const connections = Array.from({ length: count }, open)
    for (const connection of connections) await connection.command({ query: ownSettings })
    return toClient(poolConnections(connections, withConstants))
  }
  const [writer, reader] = await Promise.all([openOwn(writers), openOwn(readers)])
  const openStream = () => {
    const session = new Session(directory)
    session.query(ownSettings)
    return session
  }
  const streamer = toClient(streamConnections(openStream, streams))
  const analysts: ClickHouseClient[] = []
  return {
    writer,
    reader,
    /**
     * For answers that are too large for memory: rows stream only as fast as they are consumed, and a reader that stops
     * ends the query. Every client does that over HTTP; in this process only this one does.
     */
    streamer,
    /** One more connection for statements of people: one at a time, permanently read-only, with limits. Closed with the rest. */
    async openAnalyst(limits: AnalystLimits) {
      // Analysts see what their own statement did, with its values; nobody else does.
      const analyst = createClient({
        connection: poolConnections([open()]),
        log: { level: ClickHouseLogLevel.OFF },
      })
      analysts.push(analyst)
      await restrict(analyst, limits)
      return analyst
    },
    async close() {
      for (const analyst of analysts) await analyst.close()
      await streamer.close()
      await reader.close()
      await writer.close()
      engine.close()
      lock.close()
    },
  }
}

/**
 * Lists of keys are part of the text, and longer than the 256 KB that a statement may have by default. Compiling what it computes takes the
 * engine up to half a second at the fourth of a kind, and makes none of ours faster. Reading in threads of their own takes up to half of a
 * small statement: each of its parts is handed over and waited for.
 */
const ownSettings =
  'SET max_query_size = 1000000000, compile_expressions = 0, compile_aggregate_expressions = 0, compile_sort_description = 0, ' +
  "local_filesystem_read_method = 'pread'"

type Statement = { query: string; query_params?: Record<string, unknown> }

/** For our own statements. Those of analysts keep their parameters. */
function withConstants<Params extends Statement>(params: Params): Params {
  const { query, query_params, ...rest } = params
  // Definitions of views hold parameters of their own.
  return query_params === undefined
    ? params
    : ({ ...rest, query: writeConstants(query, query_params) } as Params)
}

function toClient(connection: ReadConnection): ClickHouseClient {
  // The last place where text can be made well-formed: of a row that is not, the engine refuses the whole insert.
  const json = { stringify: stringifyJson }
  // Errors are thrown to the caller and logged there once: a reader who leaves an export midway is none.
  return withStoreErrors(createClient({ connection, json, log: { level: ClickHouseLogLevel.OFF } }))
}

/** The endpoint takes 1 MiB, and hands it to the parser as a text, whose quotes are escaped. */
const analystQueryBytes = 8 * 1024 ** 2

/**
 * Here settings should stick to the connection. `readonly` comes last, because it also protects the others and itself
 * from changes.
 */
async function restrict(client: ClickHouseClient, limits: AnalystLimits): Promise<void> {
  await client.command({ query: 'USE rollcall' })
  const settings = {
    max_query_size: analystQueryBytes,
    max_execution_time: limits.maxExecutionSeconds,
    max_memory_usage: limits.maxMemoryBytes,
    max_temporary_data_on_disk_size_for_query: limits.maxMemoryBytes,
    max_result_rows: limits.maxResultRows,
    max_result_bytes: limits.maxResultBytes,
    max_threads: 1,
    allow_ddl: 0,
    allow_introspection_functions: 0,
    // In parallel, the engine holds the text of whole blocks.
    output_format_parallel_formatting: 0,
  }
  const assigned = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  await client.command({
    query: `SET ${assigned.join(', ')}, result_overflow_mode = 'throw', timeout_overflow_mode = 'throw'`,
  })
  await client.command({ query: 'SET readonly = 1' })
}

/** Views are created again from their texts, so a damaged one does not keep the store closed. */
function openFirst<Opened>(open: () => Opened, directory: string, lock: { close(): void }): Opened {
  try {
    return open()
  } catch (first) {
    try {
      if (removeDerivedFiles(directory).length === 0) throw first
      return open()
    } catch (cause) {
      lock.close()
      // The engine's error has no words: it writes them to the process's standard error.
      const message = `The store in ${directory} cannot be opened. The lines of the engine above say why. Nothing in it was changed. If one of its files is damaged, ${waysOutOfDamage}`
      throw new StartError(message, { cause })
    }
  }
}

/**
 * The rest of a failed statement's answer would be the answer of the next one on this connection: rows of another question, or of
 * another reader. So a question of ours takes it, until it has its own answer.
 */
async function dropRest(connection: ReadConnection): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    const { stream } = await connection.exec({ query: "SELECT 'nothing is left' FORMAT TabSeparated" })
    if ((await text(stream)) === 'nothing is left\n') return
  }
}

/** A chDB connection runs one query at a time; this assigns each query a free one, in order of request. */
function poolConnections(
  connections: ReadConnection[],
  prepare: <Params extends Statement>(params: Params) => Params = (params) => params,
): ReadConnection {
  const free = [...connections]
  const waiting: ((connection: ReadConnection) => void)[] = []
  const running = new Set<Promise<unknown>>()
  async function withFree<T>(use: (connection: ReadConnection) => Promise<T>): Promise<T> {
    const connection = free.pop() ?? (await new Promise<ReadConnection>((resolve) => waiting.push(resolve)))
    try {
      const statement = use(connection)
      running.add(statement)
      return await statement.finally(() => running.delete(statement))
    } catch (error) {
      // Where that fails, too, nothing answers here, and the error of the statement says why.
      await dropRest(connection).catch(() => {})
      throw error
    } finally {
      const next = waiting.shift()
      if (next === undefined) free.push(connection)
      else next(connection)
    }
  }
  return {
    ping: (params) => withFree((connection) => connection.ping(params)),
    query: (params) => withFree(async (connection) => connection.query(prepare(params))),
    insert: (params) => withFree(async (connection) => connection.insert(prepare(params))),
    command: (params) => withFree(async (connection) => connection.command(prepare(params))),
    exec: (params) => withFree(async (connection) => connection.exec(prepare(params))),
    async close() {
      // An exit meanwhile would wait for the engine's threads when the store is not locked any more and nothing can end it: a stop that
      // takes too long can end the process here.
      await Promise.allSettled(running)
      await Promise.all(connections.map((connection) => connection.close()))
    },
  }
}

/**
 * The limits of the embedded engine besides its statements. Its defaults are those of a server that has the machine to itself.
 * Arguments of the engine; docs/sizing.md has the figures.
 */
export const engineLimits = [
  // An idle thread keeps three files of /proc open. Above this number it ends.
  '--max_thread_pool_free_size=8',
  // Caches of where columns and keys lie in the files, 5 GiB each by default. The least recently used goes first.
  '--mark_cache_size=536870912',
  '--primary_index_cache_size=134217728',
  '--index_mark_cache_size=67108864',
]
