/** `rollcall log`: checks the event log on this disk, or makes the store read another one. */
import { join } from 'node:path'
import { isEmbedded, toSpoolDirectory } from '../../config/config.ts'
import { CommandError, present } from '../../runtime/control/command.ts'
import { auditCommand } from '../open-access.ts'
import { localCommand, noOptions, storeCommand } from '../command.ts'
import { requireData } from '../require-data.ts'

export const logCheck = localCommand({
  usage: 'log check',
  summary: 'Read the whole log and report damage. Rollcall may be running.',
  options: noOptions,
  async runHere(_, config) {
    const { checkLocalLog } = await import('../../event-log/local/log-use.ts')
    if (isEmbedded(config)) requireData(config, 'log')
    // In distributed mode the log is in Kafka, and this disk has the spool.
    const directory = isEmbedded(config) ? join(config.dataDir, 'log') : toSpoolDirectory(config)
    const check = checkLocalLog(directory)
    if (check === undefined) throw new CommandError('usage', `There is no event log in ${directory}.`)
    const { readable, damaged, problems } = check
    return {
      outcome: damaged + problems.length === 0 ? 'done' : 'problems',
      lines: present([
        `${directory}: ${readable} webhooks are intact.`,
        damaged > 0 && `${damaged} are damaged: each becomes a failed event with the reason "damaged".`,
        ...problems,
      ]),
      data: { directory, ...check },
    }
  },
})

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
