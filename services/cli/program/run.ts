/** start and demo: the mains of `npm start` and `npm run demo`, in a child process. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { exitCodes } from '../../runtime/control/command.ts'
import type { Context } from '../context.ts'

export function addRunCommands(program: Command, context: Context): void {
  program
    .command('start')
    .description('Run everything on this machine, as npm start does.')
    .action(() => run(context, new URL('../../embedded/main.ts', import.meta.url)))
  program
    .command('demo')
    .description('Run it with a sample company, as npm run demo does.')
    .action(() => run(context, new URL('../../../sample-platform/demo.ts', import.meta.url)))
}

/** Signals are passed on; the child decides when it has stopped. */
async function run({ setExitCode }: Context, main: URL): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(main)], { stdio: 'inherit' })
  const passOn = (signal: NodeJS.Signals) => void child.kill(signal)
  process.on('SIGINT', passOn).on('SIGTERM', passOn)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  process.off('SIGINT', passOn).off('SIGTERM', passOn)
  setExitCode(code ?? exitCodes.failed)
}
