/** `rollcall token`: API tokens of the dashboards, for scripts. */
import { z } from 'zod'
import { roles } from '../../config/values/roles.ts'
import { flag, noOptions, storeCommand, text, value, wholeNumber } from '../command.ts'
import { by, openAccess, unwrap } from '../open-access.ts'

export const tokenCreate = storeCommand({
  usage: 'token create <name>',
  summary: 'Create a token and show it once. Only its hash is kept.',
  examples: [
    'rollcall token create nightly-report --role analyst',
    'rollcall token create grafana --role analyst --days 30',
  ],
  options: z.object({
    name: text,
    role: value('role', 'what the token may read', z.enum(roles)),
    days: value('n', 'days until it expires', wholeNumber(9_999).default(90)),
    names: flag('as analyst, with names and emails'),
    userId: value('id', "of a manager: the manager's ID at the platform", z.string().default('')),
  }),
  async run(given, deps) {
    const { changes } = await openAccess(deps)
    const { token, id, expiresAtMs } = await unwrap(changes.createToken({ ...given, ...by }))
    const expiresAt = new Date(expiresAtMs).toISOString()
    return {
      outcome: 'done',
      lines: [
        `Token ${id} (${given.name}, ${given.role}) expires ${expiresAt}. It is shown only once:`,
        `  ${token}`,
        'Send it as: Authorization: Bearer <token>',
      ],
      data: { id, token, role: given.role, expires_at: expiresAt },
    }
  },
})

export const tokenList = storeCommand({
  usage: 'token list',
  summary: 'List the tokens, with expiry and last use.',
  options: noOptions,
  async run(_, deps) {
    const { access } = await openAccess(deps)
    const tokens = (await access.store.readTokens()).map((token) => ({
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
    return {
      outcome: 'done',
      lines: lines.length === 0 ? ['There is no API token.'] : lines,
      data: { tokens },
    }
  },
})

export const tokenRevoke = storeCommand({
  usage: 'token revoke <token>',
  summary: 'Revoke a token by its name or ID.',
  options: z.object({ token: text }),
  async run({ token: idOrName }, deps) {
    const { changes } = await openAccess(deps)
    const { id, name } = await unwrap(changes.revokeToken({ idOrName, ...by }))
    return {
      outcome: 'done',
      lines: [`Revoked: ${id} (${name}). It stops working within a few seconds.`],
      data: { id, name },
    }
  },
})
