/** `rollcall user add`: who may see the dashboards. The page /access lists and removes users. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { z } from 'zod'
import { assignedRoles } from '../../config/values/roles.ts'
import { CommandError } from '../../runtime/control/command.ts'
import { flag, storeCommand, text, value } from '../command.ts'
import { by, openChanges, unwrap } from '../open-access.ts'

export const userAdd = storeCommand({
  usage: 'user add <email>',
  summary: 'Add a user, or change the role or the password. The role nobody ends access.',
  examples: [
    'rollcall user add ada@example.com --role owner',
    'rollcall user add bo@example.com --role manager --user-id 4711',
    'rollcall user add cy@example.com --role analyst --names --no-password',
  ],
  options: z.object({
    email: text,
    role: value('role', 'what the user may see', z.enum(assignedRoles)),
    names: flag('an analyst sees names and emails'),
    userId: value(
      'id',
      "the person's ID at the platform; default: the stored one, else found by email",
      z.string().optional(),
    ),
    passwordFile: value(
      'path',
      'read the password from a file instead of the terminal',
      z.string().optional(),
    ),
    password: flag(
      'no password: the user signs in by oidc or proxy, or sets one by a link from /access',
      true,
    ),
    /** Only the hash leaves the process of the command line. */
    passwordHash: z.string().optional(),
  }),
  createsStore: true,
  async prepare({ password, passwordFile, ...given }) {
    const passwordHash = password ? await hash(await readPassword(passwordFile)) : undefined
    return { ...given, password, passwordHash }
  },
  async run({ email: login, role, names, userId, passwordHash: password }, deps) {
    const { setPerson } = await openChanges(deps)
    const change = { login, role, names, userId, ...(password !== undefined && { password }), ...by }
    await unwrap(setPerson(change))
    return { outcome: 'done', lines: [`${login} has the role ${role}.`], data: { login, role, names } }
  },
})

async function hash(password: string): Promise<string> {
  const { findPasswordProblem, hashPassword } = await import('../../access/passwords.ts')
  const problem = findPasswordProblem(password)
  if (problem === undefined) return hashPassword(password)
  const { sayProblemInEnglish } = await import('../../../language/problems.ts')
  throw new CommandError('usage', sayProblemInEnglish(problem))
}

async function readPassword(path: string | undefined): Promise<string> {
  if (path === undefined) return ask()
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new CommandError('usage', `The password file cannot be read: ${(error as Error).message}`)
  }
}

/** Without an echo. */
async function ask(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandError(
      'usage',
      'No terminal to ask for a password. Use --password-file or --no-password.',
    )
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
