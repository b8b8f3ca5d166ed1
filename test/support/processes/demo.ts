/** `npm run demo` in a process and a directory of its own, with its history in. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../wait.ts'
import { createChild } from './child.ts'
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
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'rollcall-demo-'))
  const ports = (await findFreePorts(3)).map(String) as [string, string, string]
  const [INGEST_PORT, DASHBOARD_PORT, ADMIN_PORT] = ports
  const env = { DATA_DIR, INGEST_PORT, DASHBOARD_PORT, ADMIN_PORT, ...settings }
  const child = createChild('demo', 'sample-platform/demo.ts', env)
  child.spawn()
  await until(child.output, (text) => text.includes('now live') || child.process.exitCode !== null)
  if (child.process.exitCode !== null) throw new Error(child.output())
  return {
    url: `http://127.0.0.1:${DASHBOARD_PORT}`,
    env: { DATA_DIR: join(DATA_DIR, 'demo'), ADMIN_PORT },
    output: child.output(),
    async stop() {
      const code = await child.stop()
      rmSync(DATA_DIR, { recursive: true, force: true })
      return code
    },
  }
}
