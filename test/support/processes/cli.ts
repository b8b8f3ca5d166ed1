/** `rollcall` as a person calls it: in a process of its own. */
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { CommandDeps } from '../../../services/cli/command-deps.ts'
import { parseGiven, type StoreCommand } from '../../../services/cli/command.ts'
import type { CommandResult } from '../../../services/runtime/control/command.ts'
import { toBuilt } from './built.ts'
import { childEnvironment } from './child.ts'

export type CliRun = { code: number | null; out: string; err: string }

export type CliOptions = {
  /** Nobody reads its standard output, as when the next program of a pipe has ended. */
  isUnread?: boolean
}

export async function runCli(
  words: readonly string[],
  env: Record<string, string>,
  { isUnread = false }: CliOptions = {},
): Promise<CliRun> {
  const child = spawn(process.execPath, [toBuilt('services/cli/main.ts'), ...words], {
    cwd: tmpdir(),
    env: childEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (isUnread) child.stdout.destroy()
  const [out, err] = await Promise.all([isUnread ? '' : text(child.stdout), text(child.stderr)])
  return { code: await code, out, err }
}

/**
 * The same in this process: everything but `main.ts`, without half a second to load a process. For commands that a running
 * product does, or that need no store: a store is opened by one process, once.
 */
export async function runCliInside(words: readonly string[], env: Record<string, string>): Promise<CliRun> {
  const { runProgram } = await import('../../../services/cli/program.ts')
  const [out, err] = [new PassThrough(), new PassThrough()]
  const texts = Promise.all([text(out), text(err)])
  let code: number | null = 0
  await runProgram(words, {
    out,
    err,
    env,
    signal: new AbortController().signal,
    setExitCode: (given) => (code = given),
  })
  for (const stream of [out, err]) stream.end()
  const [said, complained] = await texts
  return { code, out: said, err: complained }
}

/** What a command does in the process that has the store open, with the parts of it that the test has. */
export function runInStore(
  command: StoreCommand,
  given: unknown,
  deps: Partial<CommandDeps>,
): Promise<CommandResult> {
  const io = { report: () => {}, signal: new AbortController().signal }
  return command.run(parseGiven(command, given), deps as CommandDeps, io)
}
