/**
 * chDB as a streaming connection of @clickhouse/client: its own connection holds a whole answer in memory before the
 * first row. One statement at a time per session; sessions are opened on demand and kept.
 */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { toStoreError } from '../errors/store-error.ts'
import { ClickHouseError, parseError, type createClient } from '@clickhouse/client'
import { writeConstants } from './write-constants.ts'

/** chDB implements this interface from its own copy of the client's types, hence the cast. */
export type ReadConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>

/** The part of chDB's `Session` that is used here. */
export type StreamSession = {
  queryStream(sql: string): AsyncIterable<{ raw(): Uint8Array }>
  close(): void
}

const pieceBytes = 65_536

export function streamConnections(openSession: () => StreamSession, limit: number): ReadConnection {
  const free: StreamSession[] = []
  const busy = new Set<StreamSession>()

  function take(): StreamSession {
    if (busy.size >= limit) {
      throw new ClickHouseError({
        message: `Too many answers are being streamed already (${limit})`,
        code: '202',
        type: 'TOO_MANY_SIMULTANEOUS_QUERIES',
      })
    }
    const session = free.pop() ?? openSession()
    busy.add(session)
    return session
  }
  function giveBack(session: StreamSession): void {
    if (busy.delete(session)) free.push(session)
  }

  async function* readChunks(session: StreamSession, sql: string): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of session.queryStream(sql)) yield* cut(chunk.raw())
    } catch (error) {
      // Streams fail with an error of chDB's own; everything else knows those of the client, without data.
      throw toStoreError(error instanceof Error ? parseError(error) : error)
    } finally {
      giveBack(session)
    }
  }

  async function query({
    query: sql,
    query_params = {},
  }: {
    query: string
    query_params?: Record<string, unknown>
  }) {
    const chunks = readChunks(take(), writeConstants(sql, query_params))
    // Awaited, so that a statement that cannot run fails here and not in the middle of an answer.
    const first = await chunks.next()
    async function* all() {
      if (first.done === true) return
      yield first.value
      yield* chunks
    }
    const stream = Readable.from(all(), { objectMode: false })
    // Also for a stream that was never read, whose generator would not be told.
    stream.once('close', () => void chunks.return(undefined))
    return { stream, query_id: randomUUID(), response_headers: {}, http_status_code: 200 }
  }

  const refuse = () => Promise.reject(new Error('This client only reads'))
  return {
    query,
    ping: () => Promise.resolve({ success: true }),
    exec: query,
    insert: refuse,
    command: refuse,
    async close() {
      for (const session of [...free, ...busy]) session.close()
    },
  }
}

/**
 * The engine's chunks are megabytes, and the client decodes about sixteen ahead: so use smaller ones, like a socket's.
 */
function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceBytes)
    yield bytes.subarray(start, start + pieceBytes)
}
