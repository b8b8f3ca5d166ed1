/** One of our mains in a process of its own, ready to work. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { runDirectoryVariable } from '../run-directory.ts'
import { until } from '../wait.ts'
import { toBuilt } from './built.ts'

const root = join(import.meta.dirname, '../../..')

export type Child = {
  name: string
  /** The process of the last start. */
  readonly process: ChildProcess
  /** The address of the operator's port. */
  adminUrl: string
  /** Of all starts. */
  output(): string
  /** Begins a start; `untilReady` waits for it, and throws if the process ended instead. */
  spawn(): void
  untilReady(): Promise<void>
  start(): Promise<void>
  /** SIGTERM, then the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
}

/** The environment of every process of ours: nothing of this one's but where programs are. What a run builds, it compiles once. */
export function childEnvironment(env: Record<string, string> = {}): Record<string, string | undefined> {
  const { PATH, [runDirectoryVariable]: run } = process.env
  return { PATH, NODE_COMPILE_CACHE: run && join(run, 'compiled'), ...env }
}

/** Where a developer's `.env` is not. A mutant changes a source as it is loaded, so it runs from the sources. */
const toRun = (main: string, { CHAOS_MUTANT }: Record<string, string> = {}) =>
  CHAOS_MUTANT === undefined
    ? { words: [toBuilt(main)], cwd: tmpdir() }
    : { words: ['--import', './services/runtime/jsx.ts', main], cwd: root }

/** Not started yet. Its ports, which `env` sets, stay the same over restarts. `urls`: servers besides the operator's that must be ready. */
export function createChild(
  name: string,
  main: string | { words: readonly string[]; cwd: string },
  env: Record<string, string> & { ADMIN_PORT: string },
  urls: readonly string[] = [],
): Child {
  const adminUrl = `http://127.0.0.1:${env.ADMIN_PORT}`
  let child: ChildProcess | undefined
  let closed: Promise<unknown> = Promise.resolve()
  let output = ''
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null

  function spawnIt(): void {
    const { words, cwd } = typeof main === 'string' ? toRun(main, env) : main
    child = spawn(process.execPath, words, {
      cwd,
      env: childEnvironment({ HOST: '127.0.0.1', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    closed = once(child, 'close')
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }

  async function untilReady(): Promise<void> {
    const check = async () => {
      if (isRunning()) return (await Promise.all([adminUrl, ...urls].map(isReady))).every(Boolean)
      await closed
      throw new Error(`It ended with ${child?.exitCode ?? child?.signalCode}:\n${output}`)
    }
    await until(check, Boolean, { describe: () => output }).catch(async (error: unknown) => {
      await end('SIGKILL')
      throw error
    })
  }

  /** Waits for all of its output. */
  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (isRunning()) child?.kill(signal)
    await closed
    return child?.exitCode ?? null
  }

  return {
    name,
    get process() {
      return child as ChildProcess
    },
    adminUrl,
    output: () => output,
    spawn: spawnIt,
    untilReady,
    async start() {
      spawnIt()
      await untilReady()
    },
    stop: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL')
    },
  }
}

/** Runs a main until it ends by itself. */
export async function runToEnd(
  main: string,
  env: Record<string, string>,
  words: readonly string[] = [],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const run = toRun(main)
  const child = spawn(process.execPath, [...run.words, ...words], {
    cwd: run.cwd,
    env: childEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The metrics page; empty while it does not answer. */
export const readMetrics = ({ adminUrl }: Pick<Child, 'adminUrl'>): Promise<string> =>
  fetch(`${adminUrl}/metrics`)
    .then((answer) => answer.text())
    .catch(() => '')

/** A counter or gauge. Several series are added up; `labels` is what must stand between the braces. `undefined`: there is none. */
export function sumMetric(metrics: string, name: string, labels = ''): number | undefined {
  const series = [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*${labels}[^}]*\\})? (\\S+)$`, 'gm'))]
  return series.length === 0 ? undefined : series.reduce((sum, [, value]) => sum + Number(value), 0)
}

export const readMetric = async (child: Pick<Child, 'adminUrl'>, name: string): Promise<number> =>
  sumMetric(await readMetrics(child), name) ?? NaN
