/** `rollcall user` and `rollcall token`: who may see the dashboards. Done in the process that has the store open. */
import { z } from 'zod'
import { sayProblemInEnglish } from '../../../language/problems.ts'
import { createAccess, sayUnassigned, toAccessSettings, type Access } from '../../access/access.ts'
import { createAccessState } from '../../access/access-state.ts'
import { createAccessStore, type AuditAction } from '../../access/access-store.ts'
import { createAccessChanges, type Changed } from '../../access/changes.ts'
import { createSeals } from '../../access/session-cookie.ts'
import { CommandError, defineCommand, type Command, type CommandResult } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'

const by = { by: 'command line', address: '' }

const onError = (error: unknown) => {
  throw error
}

/** The access of the dashboards, without a way to sign in. */
function openAccess({ client, config }: CommandDeps): Access {
  const store = createAccessStore({ reader: client, writer: client })
  return createAccess({
    store,
    state: createAccessState(store),
    // No session begins here.
    seals: createSeals(['unused']),
    settings: toAccessSettings(config),
    clock: Date.now,
    onError,
  })
}

function openChanges(deps: CommandDeps) {
  return createAccessChanges(openAccess(deps))
}

/** For commands that the audit lists: after they have done it. */
export async function auditCommand(deps: CommandDeps, action: AuditAction, detail: string): Promise<void> {
  await openAccess(deps).audit(action, by.by, detail, by.address)
}

function unwrap<Value>(changed: Changed<Value>): Value {
  if (!changed.ok) throw new CommandError('usage', sayProblemInEnglish(changed.problem))
  return changed.value
}

function toDone(lines: string[], data: Record<string, unknown>): CommandResult {
  return { outcome: 'done', lines, data }
}

const login = z.string().min(1, 'The e-mail must not be empty.')
const idOrName = z.string().min(1, 'The name must not be empty.')
const days = z.number('--days must be a whole number.')

export function createAccessCommands(deps: CommandDeps): Record<string, Command> {
  return {
    'user-set': defineCommand(
      z.object({
        login,
        role: z.string(),
        names: z.boolean(),
        userId: z.string().optional(),
        password: z.string().optional(),
      }),
      async ({ login, role, names, userId, password }) => {
        const changes = openChanges(deps)
        unwrap(
          await changes.setPerson({ login, role, names, userId, ...(password !== undefined && { password }), ...by }),
        )
        return toDone([`${login} has the role ${role === '' ? 'that groups say' : role}.`], { login, role, names })
      },
    ),
    'user-list': defineCommand(z.object({}), async () => {
      const { store, settings } = openAccess(deps)
      const people = await store.readPeople()
      return toDone(
        people.length === 0
          ? ['Nobody is entered. Add an owner: rollcall user add <e-mail> --role owner']
          : people.map(({ login, role, names, password }) =>
              [
                `${login}  ${role || sayUnassigned(login, settings)}`,
                role === 'analyst' && names ? ', with names' : '',
                password === '' ? ', no password' : '',
              ].join(''),
            ),
        { users: people.map(({ password, ...person }) => ({ ...person, has_password: password !== '' })) },
      )
    }),
    'user-remove': defineCommand(z.object({ login }), async ({ login }) => {
      unwrap(await openChanges(deps).removePerson({ login, ...by }))
      return toDone([`${login} is removed, and signed out everywhere.`], { login })
    }),
    'token-create': defineCommand(
      z.object({ name: z.string(), role: z.string(), names: z.boolean(), userId: z.string(), days }),
      async (args) => {
        const { token, id, expiresAtMs } = unwrap(await openChanges(deps).createToken({ ...args, ...by }))
        const expiresAt = new Date(expiresAtMs).toISOString()
        return toDone(
          [
            `Token ${id} (${args.name}, ${args.role}) until ${expiresAt}. It is shown this once:`,
            `  ${token}`,
            'Send it as: Authorization: Bearer <token>',
          ],
          { id, token, role: args.role, expires_at: expiresAt },
        )
      },
    ),
    'token-list': defineCommand(z.object({}), async () => {
      const tokens = (await openAccess(deps).store.readTokens()).map((token) => ({
        id: token.id,
        name: token.name,
        role: token.role,
        names: token.names,
        user_id: token.user_id,
        created_at: new Date(token.created_at_ms).toISOString(),
        expires_at: new Date(token.expires_at_ms).toISOString(),
        used_at: token.used_at_ms === 0 ? null : new Date(token.used_at_ms).toISOString(),
      }))
      const lines = tokens.map(
        ({ id, name, role, expires_at, used_at }) =>
          `${id}  ${name}  ${role}, expires ${expires_at}, last used ${used_at ?? 'never'}`,
      )
      return toDone(lines.length === 0 ? ['There is no API token.'] : lines, { tokens })
    }),
    'token-revoke': defineCommand(z.object({ idOrName }), async ({ idOrName }) => {
      const { id, name } = unwrap(await openChanges(deps).revokeToken({ idOrName, ...by }))
      return toDone([`Revoked: ${id} (${name}). It is refused within a few seconds.`], { id, name })
    }),
  }
}
