/** `rollcall token create`: API tokens of the dashboards, for scripts. The page /access lists and revokes them. */
import { z } from 'zod'
import { roles } from '../../config/values/roles.ts'
import { flag, storeCommand, text, value, wholeNumber } from '../command.ts'
import { by, openChanges, unwrap } from '../open-access.ts'

export const tokenCreate = storeCommand({
  usage: 'token create <name>',
  summary: 'Create a token and show it once. Only its hash is kept. /access lists and revokes tokens.',
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
    const { createToken } = await openChanges(deps)
    const { token, id, expiresAtMs } = await unwrap(createToken({ ...given, ...by }))
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
