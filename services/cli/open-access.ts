/** Users and tokens of the dashboards, as the command line reads and changes them. */
import type { AuditAction } from '../access/access-store.ts'
import type { Changed } from '../access/changes.ts'
import { CommandError } from '../runtime/control/command.ts'
import type { CommandDeps } from './command-deps.ts'

/** Who made the change, in the audit. */
export const by = { by: 'command line', address: '' }

async function openAccess({ client, config }: CommandDeps) {
  const { createAccess, toAccessSettings } = await import('../access/access.ts')
  const { createAccessStore } = await import('../access/access-store.ts')
  const { createSeals } = await import('../access/session-cookie.ts')
  const store = createAccessStore({ reader: client, writer: client })
  return createAccess({
    store,
    // No session begins here.
    seals: createSeals(['unused']),
    settings: toAccessSettings(config),
    clock: Date.now,
    onError: (error: unknown) => {
      throw error
    },
  })
}

export async function openChanges(deps: CommandDeps) {
  const { createAccessChanges } = await import('../access/changes.ts')
  return createAccessChanges(await openAccess(deps))
}

/** Call it after the change. */
export async function auditCommand(deps: CommandDeps, action: AuditAction, detail: string): Promise<void> {
  const { audit } = await openAccess(deps)
  await audit(action, by.by, detail, by.address)
}

export async function unwrap<Value>(change: Promise<Changed<Value>>): Promise<Value> {
  const changed = await change
  if (changed.ok) return changed.value
  const { sayProblemInEnglish } = await import('../../language/problems.ts')
  throw new CommandError('usage', sayProblemInEnglish(changed.problem))
}
