/** Makes the command line of `rollcall` from its commands, in the order of the help. */
import { Command as Program, CommanderError, Option } from 'commander'
import { z } from 'zod'
import { version } from '../runtime/version.ts'
import { toArguments, toFlag, toNames, type Command, type MainCommand } from './command.ts'
import { commands, groups } from './commands.ts'
import { printError } from './print.ts'
import { performCommand, type Context, type Output } from './run-command.ts'

const exitCodeHelp = `
Exit codes:
  0  done
  1  failed or incomplete
  2  invalid arguments or settings (.env, see .env.example)
  3  done, and problems were found`

const whereHelp = `
While Rollcall runs, the running process executes commands. Otherwise the command opens the store in DATA_DIR.
If KAFKA_BROKERS and CLICKHOUSE_URL are set, commands work on Kafka and ClickHouse.`

function createProgram(context: Context): Program {
  const program = new Program('rollcall')
    .description('Commands for owners and operators of Rollcall.')
    .version(version)
    // Options belong to the command before them: `ledger forget --json`.
    .enablePositionalOptions()
    .showHelpAfterError('(try --help)')
    .addHelpText('after', `${exitCodeHelp}\n${whereHelp}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.terminal.out.write(text),
      writeErr: (text) => void context.terminal.err.write(text),
    })
  for (const command of commands) addCommand(program, command, context)
  return program
}

function addCommand(program: Program, command: Command, context: Context): void {
  const names = toNames(command)
  const added = findGroup(program, names.slice(0, -1))
    .command(
      command.usage
        .split(' ')
        .slice(names.length - 1)
        .join(' '),
    )
    .description(command.summary)
    .version(version)
  if ('main' in command) return void added.action(() => become(command))
  for (const [key, schema] of Object.entries(command.options.shape)) {
    const option = toOption(key, schema)
    if (option !== undefined) added.addOption(option)
  }
  const { examples = [] } = command
  added
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .addHelpText(
      'after',
      examples.length === 0 ? '' : `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`,
    )
    .addHelpText('after', exitCodeHelp)
    .action(() => {
      const { json, quiet, ...options } = added.opts<Output>()
      const words = toArguments(command).map((name, at) => [name, added.processedArgs[at]])
      const output = { ...(json && { json }), ...(quiet && { quiet }) }
      return performCommand(command, { ...options, ...Object.fromEntries(words) }, output, context)
    })
}

function findGroup(program: Program, names: readonly string[]): Program {
  return names.reduce(
    (parent, name) =>
      parent.commands.find((each) => each.name() === name) ??
      parent.command(name).description(groups[name] ?? ''),
    program,
  )
}

/** `undefined` if the key is an argument. */
function toOption(key: string, schema: z.core.$ZodType): Option | undefined {
  const { description, placeholder } = (schema as z.ZodType).meta() ?? {}
  if (description === undefined) return undefined
  const missing = z.safeParse(schema, undefined)
  const notes = [
    !missing.success && 'required',
    schema instanceof z.ZodEnum && `one of ${schema.options.join(', ')}`,
    typeof missing.data === 'number' && `default ${missing.data}`,
  ].filter((note) => note !== false)
  const flags =
    typeof placeholder === 'string'
      ? `${toFlag(key)} <${placeholder}>`
      : toFlag(key).replace('--', missing.data === true ? '--no-' : '--')
  const option = new Option(flags, notes.length === 0 ? description : `${description} (${notes.join('; ')})`)
  if (!Array.isArray(missing.data)) return option
  return option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text])
}

/** A main reads no arguments and handles signals itself. */
async function become({ main }: MainCommand): Promise<void> {
  process.argv.splice(2)
  process.removeAllListeners('SIGINT')
  await import(main.href)
}

/** Sets exit codes, never throws. */
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
