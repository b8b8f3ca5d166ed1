/** People who sign in to the dashboards, and tokens for scripts. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Option, type Command } from 'commander'
import { findPasswordProblem, hashPassword } from '../../access/passwords.ts'
import { assignedRoles, roles } from '../../config/values/roles.ts'
import { CommandError } from '../../runtime/control/command.ts'
import {
  addCommand,
  perform,
  performStoreCommand,
  readConfig,
  runStoreCommand,
  type Context,
  type Options,
} from '../context.ts'

type UserOptions = Options & {
  role: string
  names?: boolean
  userId?: string
  password?: boolean
  passwordFile?: string
}

export function addAccessCommands(program: Command, context: Context): void {
  addUserCommands(program.command('user').description('Who may see the dashboards, and how much.'), context)
  addTokenCommands(program.command('token').description('API tokens of the dashboards, for scripts.'), context)
}

function addUserCommands(users: Command, context: Context): void {
  addCommand(users, 'add <e-mail>', 'Enter a person, or change the role or the password.', [
    'rollcall user add ada@example.com --role owner',
    'rollcall user add bo@example.com --role manager --user-id 4711',
    'rollcall user add cy@example.com --role analyst --names --no-password',
  ])
    .addOption(roleOption(assignedRoles))
    .option('--names', 'an analyst sees names and e-mails')
    .option('--user-id <id>', "the person's id at the platform; default: the one entered before, else found by e-mail")
    .option('--password-file <path>', 'read the password from a file; else it is asked for')
    .option('--no-password', 'no password: the person signs in by oidc or proxy, or sets one by a link from /access')
    .action((login: string, { role, names, userId, password, passwordFile, ...options }: UserOptions) =>
      perform(context, options, async (io) => {
        // Only the hash leaves this process.
        const hashed = password === false ? undefined : await readPassword(passwordFile)
        const args = { login, role, names: names ?? false, userId, password: hashed }
        return runStoreCommand(readConfig(context), 'user-set', args, io)
      }),
    )

  addCommand(users, 'list', 'List the people who are entered.', []).action((options: Options) =>
    performStoreCommand(context, options, 'user-list', {}),
  )

  addCommand(users, 'remove <e-mail>', 'Remove a person, and sign the person out everywhere.', []).action(
    (login: string, options: Options) => performStoreCommand(context, options, 'user-remove', { login }),
  )
}

type TokenOptions = Options & { role: string; names?: boolean; userId?: string; days: string }

function addTokenCommands(tokens: Command, context: Context): void {
  addCommand(tokens, 'create <name>', 'Make a token and show it once; only its hash is kept.', [
    'rollcall token create nightly-report --role analyst',
    'rollcall token create grafana --role analyst --days 30',
  ])
    .addOption(roleOption(roles))
    .option('--days <n>', 'days until it expires', '90')
    .option('--names', 'as analyst, with names and e-mails')
    .option('--user-id <id>', "of a manager: the manager's id at the platform")
    .action((name: string, { role, names, userId, days, ...options }: TokenOptions) =>
      performStoreCommand(context, options, 'token-create', {
        name,
        role,
        names: names ?? false,
        userId: userId ?? '',
        days: Number(days),
      }),
    )

  addCommand(tokens, 'list', 'List the tokens, with expiry and last use.', []).action((options: Options) =>
    performStoreCommand(context, options, 'token-list', {}),
  )

  addCommand(tokens, 'revoke <name-or-id>', 'Refuse a token from now on.', []).action(
    (idOrName: string, options: Options) => performStoreCommand(context, options, 'token-revoke', { idOrName }),
  )
}

/** Refused before a password is typed. */
function roleOption(choices: readonly string[]): Option {
  return new Option('--role <role>', 'how much they may see').choices(choices).makeOptionMandatory()
}

/** From the file, or typed without an echo. */
async function readPassword(path: string | undefined): Promise<string> {
  const password = path === undefined ? await ask() : readPasswordFile(path)
  const problem = findPasswordProblem(password)
  if (problem !== undefined) {
    // Loaded only now: it brings every text of the pages.
    const { sayProblemInEnglish } = await import('../../../language/problems.ts')
    throw new CommandError('usage', sayProblemInEnglish(problem))
  }
  return hashPassword(password)
}

function readPasswordFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new CommandError('usage', `The password file cannot be read: ${(error as Error).message}`)
  }
}

async function ask(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandError('usage', 'No terminal to ask for a password. Use --password-file or --no-password.')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  process.stderr.write('Password: ')
  try {
    return await lines.question('')
  } catch (cause) {
    throw new CommandError('failed', 'No password was given, so nothing was changed.', { cause })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
