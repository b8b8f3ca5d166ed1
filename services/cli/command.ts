/**
 * A command of `rollcall` is one object: its words, its options and its work. Help, checks and exit codes
 * follow from it.
 */
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { CommandError, type CommandIo, type CommandResult } from '../runtime/control/command.ts'
import type { CommandDeps } from './command-deps.ts'

type Words<Options extends z.ZodObject> = {
  /** With its arguments, as users type it: `ledger forget [spool]`. */
  usage: string
  summary: string
  examples?: readonly string[]
  /**
   * Arguments and options, by their names in camel case. A running Rollcall parses again what was parsed
   * here.
   */
  options: Options
}

/**
 * Runs in the process that has the store open: a running Rollcall, or else this one. Imports its work when it
 * runs, so that `--help` loads none of it.
 */
export type StoreCommand<Options extends z.ZodObject = z.ZodObject> = Words<Options> & {
  /** Creates the store if DATA_DIR has none. Every other command then refuses to run. */
  createsStore?: boolean
  /** Completes the options in the process of the command line. */
  prepare?(given: z.output<Options>): Promise<z.output<Options>>
  /** Runs instead where only Kafka or only ClickHouse is configured. Defaults to an error. */
  runWithoutStore?(given: z.output<Options>, config: Config): Promise<CommandResult>
  run(given: z.output<Options>, deps: CommandDeps, io: CommandIo): Promise<CommandResult>
}

/** Needs no open store, or opens one itself. */
export type LocalCommand<Options extends z.ZodObject = z.ZodObject> = Words<Options> & {
  runHere(given: z.output<Options>, config: Config, io: CommandIo): CommandResult | Promise<CommandResult>
}

/** Becomes another program of Rollcall. */
export type MainCommand = { usage: string; summary: string; main: URL }

export type Command = StoreCommand | LocalCommand | MainCommand

export function storeCommand<Options extends z.ZodObject>(command: StoreCommand<Options>): StoreCommand {
  return command as StoreCommand
}

export function localCommand<Options extends z.ZodObject>(command: LocalCommand<Options>): LocalCommand {
  return command as LocalCommand
}

export const noOptions = z.object({})

/** `--yes`; a default of `true` makes it `--no-yes`. */
export function flag(description: string, isOn = false) {
  return z.boolean().default(isOn).meta({ description })
}

/** `--user <id>`. */
export function value<Schema extends z.ZodType>(
  placeholder: string,
  description: string,
  schema: Schema,
): Schema {
  return schema.meta({ placeholder, description })
}

export const text = z.string().min(1)

export function wholeNumber(max: number) {
  const words = `must be a whole number from 1 to ${max}.`
  return z.coerce.number(words).int(words).min(1, words).max(max, words)
}

/** The words before the arguments: `['ledger', 'forget']`. */
export function toNames({ usage }: { usage: string }): string[] {
  return usage.split(' ').filter((word) => !/^[<[]/.test(word))
}

/** The names of the arguments: `['spool']`. */
export function toArguments({ usage }: { usage: string }): string[] {
  return [...usage.matchAll(/[<[]([a-z]+)/g)].map(([, name = '']) => name)
}

export function toFlag(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Throws a `CommandError` that names every invalid argument and option. */
export function parseGiven<Options extends z.ZodObject>(
  command: Words<Options>,
  input: unknown,
): z.output<Options> {
  const parsed = command.options.safeParse(input, { error: toWords })
  if (parsed.success) return parsed.data
  const names = toArguments(command)
  const problems = parsed.error.issues.map(({ path: [key], message }) => {
    if (key === undefined) return message
    return `${names.includes(String(key)) ? `<${String(key)}>` : toFlag(String(key))} ${message}`
  })
  throw new CommandError('usage', problems.join('\n'))
}

/** Used where the schema has no words of its own. */
function toWords(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required.'
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}.`
  return issue.input === '' ? 'must not be empty.' : 'is not valid.'
}
