/** Makes the command line of `rollcall` from its commands, in the order of the help. */
import { Command as Program, CommanderError, Option } from 'commander'
import { z } from 'zod'
import { version } from '../runtime/version.ts'
import { toArguments, toFlag, toNames, type Command } from './command.ts'
import { commands, groups } from './commands.ts'
import { performCommand, toJson, type Context, type Output } from './run-command.ts'

const exitCodeHelp = `
Exit codes:
  0  done
  1  failed or incomplete
  2  invalid arguments or settings (.env, see .env.example)
  3  done, and problems were found`

const whereHelp = `
While Rollcall runs, the running process executes commands. Otherwise the command opens the store in DATA_DIR.
If KAFKA_BROKERS and CLICKHOUSE_URL are set, commands work on Kafka and ClickHouse.`

/** Sets exit codes, never throws. */
export async function runProgram(words: readonly string[], context: Context): Promise<void> {
  const program = new Program('rollcall')
    .description('Commands for owners and operators of Rollcall.')
    .version(version)
    // Options belong to the command before them: `ledger forget --json`.
    .enablePositionalOptions()
    .showHelpAfterError('(try --help)')
    .addHelpText('after', `${exitCodeHelp}\n${whereHelp}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.out.write(text),
      writeErr: (text) => void context.err.write(text),
    })
  for (const command of commands) addCommand(program, command, context)
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return context.setExitCode(0)
    const message = error.message.replace(/^error: /, '')
    if (words.includes('--json')) context.out.write(toJson({ outcome: 'error', message }))
    context.setExitCode(2)
  }
}

function addCommand(program: Program, command: Command, context: Context): void {
  const names = toNames(command)
  const [group, ...rest] = names.length > 1 ? command.usage.split(' ') : ['', command.usage]
  const parent = group === '' ? program : findGroup(program, group ?? '')
  const added = parent.command(rest.join(' ')).description(command.summary).version(version)
  if ('main' in command) {
    added.action(async () => {
      // A main reads no arguments and handles signals itself.
      process.argv.splice(2)
      process.removeAllListeners('SIGINT')
      await import(command.main.href)
    })
    return
  }
  for (const [key, schema] of Object.entries(command.options.shape)) addOption(added, key, schema)
  const examples = (command.examples ?? []).map((line) => `\n  ${line}`)
  added
    .option('--json', 'print the result as JSON')
    .option('--quiet', 'show no progress')
    .addHelpText('after', `${examples.length > 0 ? `\nExamples:${examples.join('')}\n` : ''}${exitCodeHelp}`)
    .action(() => {
      const { json, quiet, ...options } = added.opts<Output>()
      const given = toArguments(command).map((name, at) => [name, added.processedArgs[at]])
      const output = { ...(json && { json }), ...(quiet && { quiet }) }
      return performCommand(command, { ...options, ...Object.fromEntries(given) }, output, context)
    })
}

function findGroup(program: Program, name: string): Program {
  const found = program.commands.find((each) => each.name() === name)
  return found ?? program.command(name).description(groups[name] ?? '')
}

/** Arguments have no description. */
function addOption(command: Program, key: string, schema: z.core.$ZodType): void {
  const { description, placeholder } = (schema as z.ZodType).meta() ?? {}
  if (description === undefined) return
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
  if (Array.isArray(missing.data))
    option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text])
  command.addOption(option)
}
