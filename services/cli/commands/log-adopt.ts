/** `rollcall log adopt`: from now on the store reads the event log that is configured, from its first record. */
import { z } from 'zod'
import { adoptLog } from '../../consumer/store-log.ts'
import { defineCommand } from '../../runtime/control/command.ts'
import type { CommandDeps } from '../command-deps.ts'
import { auditCommand } from './access.ts'

export function createLogAdoptCommand(deps: CommandDeps) {
  return defineCommand(z.object({}), async () => {
    const id = await deps.readLogId()
    const lost = await adoptLog(deps.client, id)
    await auditCommand(deps, 'log_adopted', id)
    return {
      outcome: 'done',
      lines: [
        `Adopted: the store reads the event log ${id} from its first record. What is stored stays.`,
        ...(lost === 0
          ? []
          : [`${lost} deliveries that waited in the log before are lost. Ask the platform: rollcall backfill.`]),
        'Start Rollcall, or the consumers, anew.',
      ],
      data: { log: id, lost },
    }
  })
}
