/** The product as a user starts it: `services/embedded/main.ts` in a process of its own, on free ports and a directory of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '../..')

export type Embedded = {
  process: ChildProcess
  /** Where webhooks go, token included. */
  ingestUrl: string
  dashboardUrl: string
  adminUrl: string
  /** Everything written so far, for messages of failing tests. */
  output(): string
  /** SIGTERM, then the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
}

export const testToken = 'dGVzdC10b2tlbi1vZi0yNTYtYml0cy1mb3ItdGVzdHM'

export async function startEmbedded(dataDirectory: string, env: Record<string, string> = {}): Promise<Embedded> {
  const [ingestPort, dashboardPort, adminPort] = await Promise.all([findFreePort(), findFreePort(), findFreePort()])
  const child = spawn(process.execPath, ['--import', './services/runtime/jsx.ts', 'services/embedded/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDirectory,
      HOST: '127.0.0.1',
      INGEST_PORT: String(ingestPort),
      DASHBOARD_PORT: String(dashboardPort),
      ADMIN_PORT: String(adminPort),
      INGEST_TOKENS: `main=${testToken}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const embedded: Embedded = {
    process: child,
    ingestUrl: `http://127.0.0.1:${ingestPort}/webhooks/${testToken}`,
    dashboardUrl: `http://127.0.0.1:${dashboardPort}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    output: () => output,
    stop: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL')
    },
  }
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`The process ended with ${child.exitCode}:\n${output}`)
    const ready = await Promise.all(
      [embedded.adminUrl, embedded.dashboardUrl, `http://127.0.0.1:${ingestPort}`].map((url) => isReady(url)),
    )
    if (ready.every(Boolean)) return embedded
    await sleep(100)
  }
  child.kill('SIGKILL')
  throw new Error(`The process was not ready within 30 s:\n${output}`)

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await once(child, 'exit')
    }
    return child.exitCode
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health/ready`)).ok
  } catch {
    return false
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Asks again until the answer fits, for at most `timeoutMs`; then gives the last answer, for the test to fail on. */
export async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean, timeoutMs = 20_000): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (fits(answer) || Date.now() > deadline) return answer
    await sleep(100)
  }
}
