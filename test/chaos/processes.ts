/** A process of the product in a chaos run: the same ports over every restart, its source under our hand. */
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { spawnChild, toSourceRun, untilReady, type Child } from '../support/processes/child.ts'
import { findFreePort } from '../support/processes/ports.ts'
import type { MutantName } from './preload/mutants.ts'

export type ManagedProcess = {
  name: string
  adminUrl: string
  start(): Promise<void>
  /** Started, and not waited for. */
  spawn(): void
  /** Waits for the spawned process; throws where it ended instead. */
  untilReady(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** SIGTERM; throws unless it ends with 0. */
  stop(): Promise<void>
  /** Ends by itself: the exit code. */
  untilEnd(): Promise<number | null>
  freeze(ms: number): Promise<void>
  /** The metrics page; empty while it does not answer. */
  metrics(): Promise<string>
  output(): string
}

export type ProcessOptions = {
  main: string
  env: Record<string, string>
  mutant?: MutantName | undefined
  /** Servers besides the operator's port that must be ready. */
  readyUrls?: readonly string[]
}

const mutants = pathToFileURL(join(import.meta.dirname, 'preload/mutants.ts')).href

export async function manageProcess(name: string, options: ProcessOptions): Promise<ManagedProcess> {
  const { main, env, mutant, readyUrls = [] } = options
  const adminPort = String(await findFreePort())
  const adminUrl = `http://127.0.0.1:${adminPort}`
  let child: Child | undefined
  let before = ''

  function spawn(): void {
    if (child !== undefined) before = (before + child.output()).slice(-20_000)
    const settings = {
      ADMIN_PORT: adminPort,
      ...env,
    }
    child =
      mutant === undefined
        ? spawnChild(main, settings)
        : spawnChild(
            main,
            { ...settings, CHAOS_MUTANT: mutant, NODE_OPTIONS: `--import=${mutants}` },
            toSourceRun(main),
          )
  }
  const untilItIsReady = async () => void (await untilReady(child as Child, [adminUrl, ...readyUrls]))
  const output = () => before + (child?.output() ?? '')

  return {
    name,
    adminUrl,
    spawn,
    output,
    async start() {
      spawn()
      await untilItIsReady()
    },
    untilReady: untilItIsReady,
    async kill() {
      await child?.kill()
    },
    async stop() {
      const code = await child?.stop()
      if (code !== 0)
        throw new Error(`${name} ended with ${code} when it was told to end:\n${output().slice(-4_000)}`)
    },
    async untilEnd() {
      const ended = child?.process
      if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null)
        return ended?.exitCode ?? null
      return new Promise((resolve) => ended.once('exit', (code) => resolve(code)))
    },
    async freeze(ms) {
      child?.process.kill('SIGSTOP')
      await sleep(ms)
      child?.process.kill('SIGCONT')
    },
    async metrics() {
      return fetch(`${adminUrl}/metrics`).then(
        async (answer) => answer.text(),
        () => '',
      )
    },
  }
}

/** The sum of a metric over its labels; `undefined` where it is not said. */
export function sumMetric(metrics: string, name: string): number | undefined {
  const values = [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
  return values.length === 0 ? undefined : values.reduce((sum, [, value]) => sum + Number(value), 0)
}
