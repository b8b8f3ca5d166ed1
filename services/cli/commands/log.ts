/** `rollcall log adopt`: makes the store read another event log, or its own again. */
import { present } from '../../runtime/control/command.ts'
import { auditCommand } from '../open-access.ts'
import { noOptions, storeCommand } from '../command.ts'

export const logAdopt = storeCommand({
  usage: 'log adopt',
  summary: 'Read another event log from its first record, such as a Kafka topic that was recreated.',
  options: noOptions,
  async run(_, deps) {
    const { adoptLog } = await import('../../consumer/store-log.ts')
    const id = await deps.readLogId()
    const lost = await adoptLog(deps.client, id)
    await auditCommand(deps, 'log_adopted', id)
    return {
      outcome: 'done',
      lines: present([
        `Adopted: the store reads the event log ${id} from its first record. What is stored stays.`,
        lost > 0 &&
          `${lost} webhooks that waited in the log before are lost. To fetch them: rollcall backfill.`,
        'Restart Rollcall, or the consumers.',
      ]),
      data: { log: id, lost },
    }
  },
})
