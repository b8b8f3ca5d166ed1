/**
 * Keeps the SQL process: starts it when somebody asks, gives it what the store has before each statement, ends it when a statement
 * takes too long, when nobody has asked for some minutes, and when the store removes what a snapshot must not keep.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { StatementError } from '../http-front/http-front.ts'
import type { FromProcess, ProcessOptions, StorePart, ToProcess } from './messages.ts'

export type SqlProcessOptions = {
  /** Reads the store. */
  client: ClickHouseClient
  /** Where snapshots lie: beside the store, on its file system. */
  directory: string
  /** Views that analysts read. */
  views: readonly string[]
  limits: ProcessOptions['limits']
  /** How long nobody asks until the process ends. Default 5 min. */
  idleMs?: number
}

export type SqlProcess = {
  /** Runs one statement at a time; the caller takes care of that. */
  client: Pick<ClickHouseClient, 'exec'>
  /** Ends the process and removes its snapshot. The next statement starts anew. A statement that runs is refused. */
  end(): Promise<void>
  /** As `end`, for good. */
  close(): Promise<void>
}

/** The engine ends a statement by itself where it can, and says so better. */
const graceMs = 1_000
/** To start an engine and to link parts, of which there may be many. */
const prepareMs = 60_000

type Started = { child: ChildProcess; snapshot: string; ask: Ask; ended: Promise<void> }
type Ask = (message: Unsent, withinMs: number) => Promise<Uint8Array>
type Unsent = ToProcess extends infer Each ? (Each extends unknown ? Omit<Each, 'id'> : never) : never

export function openSqlProcess(options: SqlProcessOptions): SqlProcess {
  const { client, directory, limits, idleMs = 5 * 60_000 } = options
  // Left by a crash.
  rmSync(directory, { recursive: true, force: true })
  const statementMs = limits.maxExecutionSeconds * 1_000 + graceMs
  let started: Promise<Started> | undefined
  const store = createStoreReader(client, options.views)
  let count = 0
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  async function start(): Promise<Started> {
    const snapshot = join(directory, `${process.pid}-${(count += 1)}`)
    mkdirSync(snapshot, { recursive: true, mode: 0o700 })
    const child = forkProcess({ directory: join(snapshot, 'clickhouse'), limits })
    // A message to one that has just ended: its exit says so as well.
    child.on('error', () => {})
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => {
        rmSync(snapshot, { recursive: true, force: true })
        if (current?.child === child) current = started = undefined
        resolve()
      })
    })
    const ask = createAsk(child)
    try {
      await ask(undefined, prepareMs)
      await ask({ kind: 'create', statements: await store.statements() }, prepareMs)
    } catch (error) {
      child.kill('SIGKILL')
      await ended
      throw error
    }
    return { child, snapshot, ask, ended }
  }
  let current: Started | undefined

  async function run(query: string, format: string): Promise<Uint8Array> {
    if (isClosed) throw new StatementError('TOO_MANY_SIMULTANEOUS_QUERIES', 'Rollcall is stopping')
    clearTimeout(idle)
    try {
      started ??= start()
      current = await started
    } catch (error) {
      started = undefined
      throw error
    }
    const { ask, child, ended } = current
    try {
      await store.follow(ask)
      return await ask({ kind: 'run', query, format }, statementMs)
    } catch (error) {
      if (error instanceof ProcessError) {
        child.kill('SIGKILL')
        await ended
      }
      throw error
    } finally {
      idle = setTimeout(() => void end(), idleMs)
      idle.unref()
    }
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const running = await started?.catch(() => undefined)
    running?.child.kill('SIGKILL')
    await running?.ended
  }

  return {
    client: {
      async exec({ query, clickhouse_settings }) {
        const body = await run(query, clickhouse_settings?.['default_format'] ?? 'TabSeparated')
        return { stream: Readable.from([Buffer.from(body)]), query_id: '', response_headers: {} } as never
      },
    },
    end,
    async close() {
      isClosed = true
      await end()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The process did not answer in time, or is gone. */
class ProcessError extends StatementError {}

function forkProcess(options: ProcessOptions): ChildProcess {
  return fork(join(import.meta.dirname, 'sql-process.ts'), [JSON.stringify(options)], {
    serialization: 'advanced',
    execArgv: [],
    // Nothing of the server's settings and secrets.
    env: { TZ: new Intl.DateTimeFormat().resolvedOptions().timeZone },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** `undefined` waits for the process to be there. */
function createAsk(child: ChildProcess): (message: Unsent | undefined, withinMs: number) => Promise<Uint8Array> {
  let last = 0
  return (message, withinMs) =>
    new Promise((resolve, reject) => {
      const id = message === undefined ? 0 : (last += 1)
      const settle = (act: () => void) => {
        clearTimeout(timer)
        child.off('message', onMessage)
        child.off('exit', onExit)
        act()
      }
      const timer = setTimeout(() => {
        const seconds = Math.floor((withinMs - graceMs) / 1_000)
        settle(() =>
          reject(new ProcessError('TIMEOUT_EXCEEDED', `Timeout exceeded: the statement was ended after ${seconds} s`)),
        )
      }, withinMs)
      const onExit = () =>
        settle(() =>
          reject(new ProcessError('TOO_MANY_SIMULTANEOUS_QUERIES', 'The engine of statements has ended; come again')),
        )
      const onMessage = (answer: FromProcess) => {
        if (answer.id !== id) return
        settle(() => {
          if ('body' in answer) resolve(answer.body)
          else reject(Object.assign(new Error(answer.error.message), answer.error))
        })
      }
      child.on('message', onMessage)
      child.once('exit', onExit)
      if (message !== undefined) child.send({ ...message, id })
    })
}

function createStoreReader(client: ClickHouseClient, views: readonly string[]) {
  let schema: Promise<Schema> | undefined
  let followed: { ask: Ask; parts: string } | undefined
  const readOnce = () =>
    (schema ??= readSchema(client, views).catch((error: unknown) => {
      schema = undefined
      throw error
    }))

  return {
    statements: async () => (await readOnce()).statements,
    /** Parts that are merged away between the list and the links: the next list has their successor. */
    async follow(ask: Ask): Promise<void> {
      const { tables } = await readOnce()
      for (let tries = 1; ; tries++) {
        const parts = await listParts(client, tables)
        const text = JSON.stringify(parts)
        if (followed?.ask === ask && followed.parts === text) return
        try {
          await ask({ kind: 'parts', parts }, prepareMs)
          followed = { ask, parts: text }
          return
        } catch (error) {
          if ((error as { code?: string }).code !== 'ENOENT' || tries === 5) throw toFullDisk(error)
        }
      }
    },
  }
}

type Schema = { tables: string[]; statements: string[] }

/** The views, and the tables under them: nothing else is in a snapshot, so no password and no audit. */
async function readSchema(client: ClickHouseClient, views: readonly string[]): Promise<Schema> {
  const answer = await client.query({
    query: `SELECT name, engine, create_table_query AS text FROM system.tables WHERE database = 'rollcall'`,
    format: 'JSONEachRow',
  })
  const all = new Map(
    (await answer.json<{ name: string; engine: string; text: string }>()).map((row) => [row.name, row]),
  )
  /** What stands under something comes before it. */
  const needed = new Set<string>()
  function add(name: string): void {
    const text = all.get(name)?.text
    if (text === undefined || needed.has(name)) return
    for (const [, under = ''] of text.matchAll(/\brollcall\.`?(\w+)`?/g)) if (under !== name) add(under)
    needed.add(name)
  }
  for (const view of views) add(view)
  const rows = [...needed].flatMap((name) => all.get(name) ?? [])
  return {
    tables: rows.filter(({ engine }) => engine.endsWith('MergeTree')).map(({ name }) => name),
    statements: rows.map(({ text }) => text.replace(/ UUID '[^']*'/, '')),
  }
}

async function listParts(client: ClickHouseClient, tables: readonly string[]): Promise<StorePart[]> {
  const answer = await client.query({
    query: `SELECT table, name, path FROM system.parts WHERE database = 'rollcall' AND active AND rows > 0 AND table IN {tables:Array(String)} ORDER BY ALL`,
    query_params: { tables },
    format: 'JSONEachRow',
  })
  return answer.json<StorePart>()
}

function toFullDisk(error: unknown): unknown {
  return (error as { code?: string }).code === 'ENOSPC'
    ? new StatementError(
        'NOT_ENOUGH_SPACE',
        'The disk of the store is full, so statements cannot be run. Deliveries are still taken',
      )
    : error
}
