/** ClickHouse in this process, by chDB. The only file that loads it: the distributed images do without. */
import { mkdirSync } from 'node:fs'
import { createClient } from '@clickhouse/client'
import { StartError } from '../runtime/start-error.ts'
import type { ClickHouse } from './clickhouse.ts'

export type EmbeddedOptions = {
  /** Data directory; made if absent. One process at a time. */
  directory: string
  /** How many queries may read at once. Default 2. */
  readers?: number
}

/**
 * Opens chDB on a directory, on this thread: its teardown hangs when several threads of a process load it.
 * Throws a `StartError` when the optional package is not installed, or when another process has the directory.
 */
export async function openEmbeddedClickHouse({ directory, readers = 2 }: EmbeddedOptions): Promise<ClickHouse> {
  const { createChdbConnection } = await import('chdb/connection').catch((cause: unknown) => {
    throw new StartError(
      'The embedded ClickHouse engine (npm package chdb) is not available on this machine: it needs Linux or macOS, x64 or arm64. ' +
        'Run npm ci without --omit=optional, or use the distributed mode.',
      { cause },
    )
  })
  mkdirSync(directory, { recursive: true })
  const open = () => createChdbConnection({ path: directory }) as unknown as ReadConnection
  const writer = createClient({ connection: openFirst(open, directory) })
  const reader = createClient({ connection: poolConnections(Array.from({ length: readers }, open)) })
  return {
    writer,
    reader,
    async close() {
      await reader.close()
      await writer.close()
    },
  }
}

/** chDB implements this interface from its own copy of the client's types, hence the cast where one is opened. */
type ReadConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

/** The directory is locked by its first connection; whoever comes second is told so in words. */
function openFirst(open: () => ReadConnection, directory: string): ReadConnection {
  try {
    return open()
  } catch (cause) {
    throw new StartError(
      `The store in ${directory} cannot be opened. Most likely another Rollcall runs on it: stop that one, or set DATA_DIR to another directory.`,
      { cause },
    )
  }
}

/** A chDB connection runs one query at a time; this spreads queries over several, each to the least busy one. */
function poolConnections(connections: ReadConnection[]): ReadConnection {
  const pool = connections.map((connection) => ({ connection, running: 0 }))
  async function withLeastBusy<T>(use: (connection: ReadConnection) => Promise<T>): Promise<T> {
    const member = pool.reduce((least, candidate) => (candidate.running < least.running ? candidate : least))
    member.running++
    try {
      return await use(member.connection)
    } finally {
      member.running--
    }
  }
  return {
    ping: (params) => withLeastBusy((connection) => connection.ping(params)),
    query: (params) => withLeastBusy((connection) => connection.query(params)),
    insert: (params) => withLeastBusy((connection) => connection.insert(params)),
    command: (params) => withLeastBusy((connection) => connection.command(params)),
    exec: (params) => withLeastBusy((connection) => connection.exec(params)),
    async close() {
      await Promise.all(connections.map((connection) => connection.close()))
    },
  }
}
