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
  process: ChildProcess
  /** The address of the operator's port. */
  adminUrl: string
  output(): string
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

type Run = { words: readonly string[]; cwd: string }

/** Where a developer's `.env` is not. */
const toRun = (main: string): Run => ({ words: [toBuilt(main)], cwd: tmpdir() })
/** For what changes a source as it is loaded. */
export const toSourceRun = (main: string): Run => ({
  words: ['--import', './services/runtime/jsx.ts', main],
  cwd: root,
})

/** `env` must set ADMIN_PORT. */
export function spawnChild(
  main: string,
  env: Record<string, string> & { ADMIN_PORT: string },
  { words, cwd } = toRun(main),
): Child {
  const child = spawn(process.execPath, words, {
    cwd,
    env: childEnvironment({ HOST: '127.0.0.1', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const adminUrl = `http://127.0.0.1:${env.ADMIN_PORT}`

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    }
    return child.exitCode
  }

  return {
    process: child,
    adminUrl,
    output: () => output,
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

/** Returns it once all its servers are ready (default: the one on the operator's port). */
export async function untilReady(child: Child, urls: readonly string[] = [child.adminUrl]): Promise<Child> {
  const { process, output } = child
  const check = async () => {
    if (process.exitCode === null && process.signalCode === null)
      return (await Promise.all(urls.map(isReady))).every(Boolean)
    throw new Error(`It ended with ${process.exitCode ?? process.signalCode}:\n${output()}`)
  }
  try {
    await until(check, Boolean, { describe: output })
  } catch (error) {
    await child.kill()
    throw error
  }
  return child
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** A counter or gauge on a process's admin port. Several series are added up; `labels` is what must stand between the braces. */
export async function readMetric(
  { adminUrl }: Pick<Child, 'adminUrl'>,
  name: string,
  labels = '',
): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  const series = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*${labels}[^}]*\\})? (\\S+)$`, 'gm'))
  return [...series].reduce((sum, [, value]) => sum + Number(value), 0)
}
