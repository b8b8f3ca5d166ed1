/** `npm run demo` in a process and a directory of its own, with its history in. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../wait.ts'
import { toBuilt } from './built.ts'
import { childEnvironment } from './child.ts'
import { findFreePorts } from './ports.ts'

export type Demo = {
  url: string
  /** The environment of commands that reach it. */
  env: { DATA_DIR: string; ADMIN_PORT: string }
  /** Its output so far. */
  output: string
  /** SIGTERM, then the exit code. */
  stop(): Promise<number | null>
}

/** `settings`: besides those that the demo has anyway. */
export async function startDemo(settings: Record<string, string> = {}): Promise<Demo> {
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-demo-'))
  const [ingestPort, dashboardPort, adminPort] = (await findFreePorts(3)).map(String) as [
    string,
    string,
    string,
  ]
  const demo = spawn(process.execPath, [toBuilt('sample-platform/demo.ts')], {
    cwd: directory,
    env: childEnvironment({
      DATA_DIR: directory,
      INGEST_PORT: ingestPort,
      DASHBOARD_PORT: dashboardPort,
      ADMIN_PORT: adminPort,
      ...settings,
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = async () => {
    demo.kill('SIGTERM')
    if (demo.exitCode === null) await once(demo, 'exit')
    await rm(directory, { recursive: true, force: true })
    return demo.exitCode
  }
  let output = ''
  demo.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(
    async () => output,
    (text) => text.includes('now live') || demo.exitCode !== null,
  )
  if (demo.exitCode !== null) throw new Error(output)
  return {
    url: `http://127.0.0.1:${dashboardPort}`,
    env: { DATA_DIR: join(directory, 'demo'), ADMIN_PORT: adminPort },
    output,
    stop,
  }
}
