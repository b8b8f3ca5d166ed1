/** The commands of `rollcall`, in the order of its help. This file only turns words into arguments. */
import { Command, CommanderError } from 'commander'
import { version } from '../runtime/version.ts'
import type { Context } from './context.ts'
import { printError } from './print.ts'
import { addAccessCommands } from './program/access.ts'
import { addCareCommands } from './program/care.ts'
import { addDataCommands } from './program/data.ts'
import { addPlatformCommands, addTokenCommands } from './program/platform.ts'
import { addBackupCommands, addLogCommands, addTransferCommands } from './program/storage.ts'

const exitCodeHelp = `
Exit codes:
  0  done
  1  failed, or not wholly done
  2  invalid arguments or configuration (.env, see .env.example)
  3  done, and problems were found

Where Rollcall runs, commands are done by the running process; else the store in DATA_DIR is opened for them. With
KAFKA_BROKERS and CLICKHOUSE_URL set they work on Kafka and ClickHouse.`

export function createProgram(context: Context): Command {
  const program = new Command('rollcall')
    .description('Commands for the owner and the operator of Rollcall.')
    .version(version)
    .showHelpAfterError('(try --help)')
    .addHelpText('after', exitCodeHelp)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.terminal.out.write(text),
      writeErr: (text) => void context.terminal.err.write(text),
    })
  addRunCommands(program)
  addPlatformCommands(program, context)
  addDataCommands(program, context)
  addTokenCommands(program, context)
  addAccessCommands(program, context)
  addCareCommands(program, context)
  addLogCommands(program, context)
  addBackupCommands(program, context)
  addTransferCommands(program, context)
  return program
}

/** `start` and `demo`: what `npm start` and `npm run demo` run, in this process. */
function addRunCommands(program: Command): void {
  program
    .command('start')
    .description('Run everything on this machine, as npm start does.')
    .action(() => run(new URL('../embedded/main.ts', import.meta.url)))
  program
    .command('demo')
    .description('Run it with a sample company, as npm run demo does.')
    .action(() => run(new URL('../../sample-platform/demo.ts', import.meta.url)))
}

/** A main reads no words of the command line, and handles signals itself: npm passes on a Ctrl-C that has come already. */
async function run(main: URL): Promise<void> {
  process.argv.splice(2)
  process.removeAllListeners('SIGINT')
  await import(main.href)
}

/** Parses the words and runs the command. Sets exit codes, never throws. */
export async function runProgram(words: readonly string[], context: Context): Promise<void> {
  try {
    await createProgram(context).parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return context.setExitCode(0)
    if (words.includes('--json')) printError(context.terminal, error.message.replace(/^error: /, ''))
    context.setExitCode(2)
  }
}
