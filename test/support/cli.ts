/** `rollcall` as a person calls it: in a process of its own. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '../..')

export type CliRun = { code: number | null; out: string; err: string }

export async function runCli(words: readonly string[], env: Record<string, string>): Promise<CliRun> {
  const child = spawn(process.execPath, ['--import', './services/runtime/jsx.ts', 'services/cli/main.ts', ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, out, err }
}
