/** `rollcall log check`: reads the whole event log on this disk. */
import { join } from 'node:path'
import { isEmbedded, toSpoolDirectory, type Config } from '../../config/config.ts'
import { checkLocalLog } from '../../event-log/local/log-use.ts'
import { CommandError, present, type CommandResult } from '../../runtime/control/command.ts'

export async function checkLog(config: Config): Promise<CommandResult> {
  // Apart, the log is Kafka's; the one on this disk is the spool.
  const directory = isEmbedded(config) ? join(config.dataDir, 'log') : toSpoolDirectory(config)
  const check = await checkLocalLog(directory)
  if (check === undefined) throw new CommandError('usage', `There is no event log in ${directory}.`)
  const { readable, damaged, problems } = check
  return {
    outcome: damaged + problems.length === 0 ? 'done' : 'problems',
    lines: present([
      `${directory}: ${readable} deliveries are as they were written.`,
      damaged > 0 && `${damaged} are not: each becomes a failed event for the reason "damaged".`,
      ...problems,
    ]),
    data: { directory, ...check },
  }
}
