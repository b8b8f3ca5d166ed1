/**
 * A ClickHouse over HTTP for tests: `CLICKHOUSE_URL` if it is set, else a container where a Docker engine answers, else chDB
 * behind our own HTTP front, in a process of its own. `kind` says which; docs/clickhouse.md says what that does not prove.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { findFreePort } from '../processes/ports.ts'
import { until } from '../wait.ts'
import { copyStoreTemplate } from './template.ts'

export type TestClickHouse = {
  kind: 'given' | 'docker' | 'chdb'
  url: string
  username: string
  password: string
  /** Ends it as a crash would (SIGKILL); `start` brings it back on the same port with the same data. Not for kind `given`. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its data. One that was given keeps running; its database rollcall is dropped. */
  stop(): Promise<void>
}

/** The one of docker-compose.yml. */
const compose = readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8')
export const image = /image: (clickhouse\/\S+)/.exec(compose)?.[1] ?? 'none in docker-compose.yml'
const run = promisify(execFile)

/** `isMigrated`: the engine behind our front begins with the tables of a server, which saves the migrations. Default: with nothing. */
export async function openTestClickHouse({ isMigrated = false } = {}): Promise<TestClickHouse> {
  const { CLICKHOUSE_URL, CLICKHOUSE_USER = 'default', CLICKHOUSE_PASSWORD = '' } = process.env
  if (CLICKHOUSE_URL !== undefined && CLICKHOUSE_URL !== '') {
    return openGiven(CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD)
  }
  return (await findDocker()) ? openContainer() : openFront(isMigrated)
}

function openGiven(url: string, username: string, password: string): TestClickHouse {
  const cannot = () => Promise.reject(new Error('A ClickHouse that was given is not stopped by tests'))
  return {
    kind: 'given',
    url,
    username,
    password,
    kill: cannot,
    start: cannot,
    async stop() {
      const headers = { 'x-clickhouse-user': username, 'x-clickhouse-key': password }
      const answer = await fetch(url, {
        method: 'POST',
        body: 'DROP DATABASE IF EXISTS rollcall SYNC',
        headers,
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
  }
}

/** Whether a Docker engine answers. */
export async function findDocker(): Promise<boolean> {
  return run('docker', ['version', '--format', '{{.Server.Version}}']).then(
    ({ stdout }) => stdout.trim() !== '',
    () => false,
  )
}

async function openContainer(): Promise<TestClickHouse> {
  const password = randomBytes(12).toString('hex')
  const settings = ['-e', `CLICKHOUSE_PASSWORD=${password}`, '-e', 'CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT=1']
  const started = await run('docker', ['run', '-d', '-p', '127.0.0.1:0:8123', ...settings, image])
  const id = started.stdout.trim()
  const published = await run('docker', ['port', id, '8123/tcp'])
  const port = /:(\d+)\s*$/m.exec(published.stdout)?.[1] ?? ''
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(url)
  return {
    kind: 'docker',
    url,
    username: 'default',
    password,
    async kill() {
      await run('docker', ['kill', '-s', 'KILL', id])
    },
    async start() {
      await run('docker', ['start', id])
      await untilAnswers(url)
    },
    async stop() {
      await run('docker', ['rm', '-f', '-v', id])
    },
  }
}

const program = join(import.meta.dirname, 'clickhouse-front-main.ts')

async function openFront(isMigrated: boolean): Promise<TestClickHouse> {
  const parent = await mkdtemp(join(tmpdir(), 'rollcall-clickhouse-'))
  const directory = join(parent, 'store')
  if (isMigrated) copyStoreTemplate(directory, 'server')
  // Not any port: between a kill and a start no outgoing connection and no other server can take it.
  let { child, port } = await spawnFront(directory, String(await findFreePort()))
  return {
    kind: 'chdb',
    url: `http://127.0.0.1:${port}`,
    username: 'default',
    password: '',
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async start() {
      ;({ child, port } = await spawnFront(directory, port))
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.disconnect()
        await ended
      }
      await rm(parent, { recursive: true, force: true })
    },
  }
}

async function spawnFront(directory: string, port: string): Promise<{ child: ChildProcess; port: string }> {
  const child = spawn(process.execPath, [program, directory, port], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  for await (const line of createInterface({ input: child.stdout as Readable }))
    return { child, port: line.trim() }
  throw new Error('The HTTP front of the engine ended before it listened; what it said is above')
}

async function untilAnswers(url: string): Promise<void> {
  await until(() =>
    fetch(`${url}/ping`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
}
