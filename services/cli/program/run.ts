/** start and demo: the mains of `npm start` and `npm run demo`, in a child process. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Command } from 'commander'
import { exitCodes } from '../../runtime/control/command.ts'
import type { Context } from '../context.ts'

const root = join(import.meta.dirname, '../../..')

export function addRunCommands(program: Command, context: Context): void {
  program
    .command('start')
    .description('Run everything on this machine, as npm start does.')
    .action(() => run(context, 'services/embedded/main.ts'))
  program
    .command('demo')
    .description('Run it with a sample company, as npm run demo does.')
    .action(() => run(context, 'sample-platform/demo.ts'))
}

/** Signals are passed on; the child decides when it has stopped. */
async function run({ setExitCode }: Context, main: string): Promise<void> {
  const words = ['--import', './services/runtime/env-file.ts', '--import', './services/runtime/jsx.ts', main]
  const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit' })
  const passOn = (signal: NodeJS.Signals) => void child.kill(signal)
  process.on('SIGINT', passOn).on('SIGTERM', passOn)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  process.off('SIGINT', passOn).off('SIGTERM', passOn)
  setExitCode(code ?? exitCodes.failed)
}
