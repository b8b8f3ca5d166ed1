/**
 * Keeps the SQL process: starts it when somebody asks, gives it what the store has before each statement, ends it when a statement
 * takes too long, when nobody has asked for some minutes, and when the store removes what a snapshot must not keep.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { selectRows } from '../../clickhouse/statements.ts'
import { hold } from '../../runtime/hold.ts'
import { readFreeBytes } from '../../runtime/files/check-room.ts'
import { type HttpAnswer, StatementError } from '../http-front/http-front.ts'
import { answerInTurn, type StatementEngine } from '../open-sql-endpoint.ts'
import { type AnswerRequest, openAnswer } from './answer-file.ts'
import type { FromProcess, ProcessOptions, StorePart, ToProcess } from './messages.ts'
import { kindsForAnalysts } from '../../records/kinds.ts'
import { repeat } from '../../runtime/repeat.ts'

export type SqlProcessOptions = {
  /** Reads the store. */
  client: ClickHouseClient
  /** Where snapshots lie: `toSnapshots`. */
  directory: string
  /** Views that analysts read. */
  views: readonly string[]
  limits: ProcessOptions['limits']
  /** Idle timeout. Default 5 minutes. */
  idleMs?: number
}

export type SqlProcess = StatementEngine & {
  /** Ends the process and removes its snapshot. The next statement starts again. A statement that runs is refused. */
  end(): Promise<void>
  /** As `end`, for good. */
  close(): Promise<void>
}

/** The engine ends a statement by itself where it can, and says so better. */
const graceMs = 1_000
/** To start an engine and to link parts, of which there may be many. */
const prepareMs = 60_000
/** Beside the room that a statement may use: deliveries go on while statements are refused. */
const spareBytes = 64 * 1024 ** 2
const lookAtDiskMs = 2_000

type Started = { child: ChildProcess; path: string; ended: Promise<void> }

export function openSqlProcess(options: SqlProcessOptions): SqlProcess {
  const { client, directory, limits, idleMs = 5 * 60_000 } = options
  removeSnapshots(directory)
  // A snapshot also keeps rows that the store has merged away.
  const neededBytes = limits.maxMemoryBytes + spareBytes
  const hasRoom = () => readFreeBytes(directory) >= neededBytes
  const statementMs = limits.maxExecutionSeconds * 1_000 + graceMs
  let started: Promise<Started> | undefined
  /** From its first moment, so that a stop need not wait for a start. */
  let current: Pick<Started, 'child' | 'ended'> | undefined
  const store = createStoreReader(client, options.views)
  let count = 0
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  async function start(): Promise<Started> {
    const snapshot = join(directory, `${process.pid}-${(count += 1)}`)
    mkdirSync(snapshot, { recursive: true, mode: 0o700 })
    const stopLooks = repeat(lookAtDiskMs, () => void (hasRoom() || child.kill('SIGKILL')))
    const child = forkProcess({ directory: join(snapshot, 'clickhouse'), limits })
    // A message to one that has just ended, or a start that failed: its close says so as well.
    child.on('error', () => {})
    const ended = new Promise<void>((resolve) => {
      // One that could not be started has no exit.
      child.once('close', () => {
        stopLooks()
        rmSync(snapshot, { recursive: true, force: true })
        if (current?.child === child) current = started = undefined
        resolve()
      })
    })
    current = { child, ended }
    try {
      await ask(child, undefined, prepareMs)
      await ask(child, { kind: 'create', statements: await store.statements() }, prepareMs)
    } catch (error) {
      child.kill('SIGKILL')
      await ended
      throw error
    }
    return { child, path: join(snapshot, 'answer'), ended }
  }

  /** The next statement tries again. */
  function forget(error: unknown): never {
    started = undefined
    throw error
  }

  async function answer(request: AnswerRequest): Promise<HttpAnswer> {
    if (isClosed) throw new StatementError('TOO_MANY_SIMULTANEOUS_QUERIES', 'Rollcall is stopping')
    clearTimeout(idle)
    let isReady = false
    let opened: Started | undefined
    try {
      if (!hasRoom()) throw toFullDisk()
      opened = await (started ??= start().catch(forget))
      const { child, path } = opened
      await store.follow(child)
      isReady = true
      const format = await ask(child, { kind: 'answer', path, ...request }, statementMs)
      const body = await openAnswer(path, limits.maxResultBytes)
      // What a snapshot must not keep is not sent either.
      const cut = () => body.destroy(new Error('The engine of statements has ended'))
      child.once('close', cut)
      body.once('close', () => child.off('close', cut))
      return { format, body }
    } catch (error) {
      // A snapshot that is half made is of no use to the next statement.
      if (opened !== undefined && (!isReady || error instanceof ProcessError)) {
        opened.child.kill('SIGKILL')
        await opened.ended
      }
      throw isOfDisk(error) || (error instanceof ProcessError && !hasRoom()) ? toFullDisk(error) : error
    } finally {
      idle = setTimeout(() => void end(), idleMs).unref()
    }
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    current?.child.kill('SIGKILL')
    await current?.ended
  }

  return {
    ...answerInTurn(answer),
    end,
    async close() {
      isClosed = true
      await end()
      removeSnapshots(directory)
    },
  }
}

/** Beside the store, on its file system. */
export function toSnapshots(dataDir: string): string {
  return join(dataDir, 'sql')
}

/** Removes the leftovers of a crash. The caller holds the store. */
export function removeSnapshots(directory: string): void {
  rmSync(directory, { recursive: true, force: true })
}

/** The process did not answer in time, or is gone. */
class ProcessError extends StatementError {}

function forkProcess(options: ProcessOptions): ChildProcess {
  return fork(new URL('./sql-process.ts', import.meta.url), [JSON.stringify(options)], {
    serialization: 'advanced',
    execArgv: [],
    // Nothing of the server's settings and secrets, and the zone that every answer names.
    env: { TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/**
 * One message at a time, with one answer: the format of an answer, else empty. `undefined` waits for the process to be there.
 */
function ask(child: ChildProcess, message: ToProcess | undefined, withinMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const words = 'The engine of statements has ended; come again'
  const onClose = () => reject(new ProcessError('TOO_MANY_SIMULTANEOUS_QUERIES', words))
  const onMessage = (answer: FromProcess) => {
    if ('format' in answer) resolve(answer.format)
    else reject(Object.assign(new Error(answer.error.message), answer.error))
  }
  const timeout = new ProcessError('TIMEOUT_EXCEEDED', 'Timeout exceeded: the statement was ended')
  const timer = setTimeout(() => reject(timeout), withinMs)
  child.once('message', onMessage)
  child.once('close', onClose)
  // One that has ended already says so here only.
  if (message !== undefined) child.send(message, (error) => error !== null && onClose())
  else if (child.exitCode !== null || child.signalCode !== null) onClose()
  return promise.finally(() => {
    clearTimeout(timer)
    child.off('message', onMessage)
    child.off('close', onClose)
  })
}

function createStoreReader(client: ClickHouseClient, views: readonly string[]) {
  const schema = hold(() => readSchema(client, views), Date.now, Infinity)
  let followed: { child: ChildProcess; parts: string } | undefined

  return {
    statements: async () => (await schema.read()).statements,
    /** Parts that are merged away between the list and the links: the next list has their successor. */
    async follow(child: ChildProcess): Promise<void> {
      const { tables } = await schema.read()
      for (let tries = 1; ; tries++) {
        const parts = await selectRows<StorePart>(client, partsQuery, { tables, kinds: kindsForAnalysts })
        const text = JSON.stringify(parts)
        if (followed?.child === child && followed.parts === text) return
        try {
          await ask(child, { kind: 'parts', parts }, prepareMs)
          followed = { child, parts: text }
          return
        } catch (error) {
          if ((error as { code?: string }).code !== 'ENOENT' || tries === 5) throw error
        }
      }
    },
  }
}

type Schema = { tables: string[]; statements: string[] }

/** The views, and the tables under them: nothing else is in a snapshot, so no password and no audit. */
async function readSchema(client: ClickHouseClient, views: readonly string[]): Promise<Schema> {
  const query = `SELECT name, engine, create_table_query AS text FROM system.tables WHERE database = 'rollcall'`
  const relations = await selectRows<{ name: string; engine: string; text: string }>(client, query)
  const all = new Map(relations.map((row) => [row.name, row]))
  /** Each relation comes after those that its text names. */
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

const partsQuery = `SELECT table, name, path FROM system.parts
  WHERE database = 'rollcall' AND active AND rows > 0 AND table IN {tables:Array(String)}
    AND (table != 'records' OR partition IN {kinds:Array(String)}) ORDER BY ALL`

/** An error of the file system, or of the engine. */
function isOfDisk(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === 'ENOSPC' || code === '243' || /No space left on device/.test(message ?? '')
}

function toFullDisk(cause?: unknown): StatementError {
  return new StatementError(
    'NOT_ENOUGH_SPACE',
    'The disk of the store is nearly full, so no statements are run. Deliveries are still taken',
    { cause },
  )
}
