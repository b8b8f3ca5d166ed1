/** `rollcall log`: the records that the event log on this disk still gives, and a new log of them where it is damaged. */
import { join } from 'node:path'
import { isEmbedded, type Config } from '../../config/config.ts'
import { checkLocalLog, isWhole, type LogCheck } from '../../repair/check-log.ts'
import { LogDamagedError } from '../../event-log/local/damage/error.ts'
import { repairLocalLog } from '../../repair/repair-log.ts'
import { LogInUseError } from '../../event-log/local/lock.ts'
import { CommandError, present, type CommandResult } from '../../runtime/control/command.ts'

/** Apart, the log is Kafka's; the one on this disk is the spool. */
export function toLogDirectory(config: Config): string {
  return isEmbedded(config) ? join(config.dataDir, 'log') : config.spoolDir
}

export function checkLog(config: Config): CommandResult {
  const { directory, check } = readCheck(config)
  const whole = isWhole(check)
  return {
    outcome: whole && check.lost === 0 ? 'done' : 'problems',
    lines: present([
      `${directory}: ${check.readable} deliveries can be read.`,
      ...describe(check),
      !whole && 'Stop Rollcall and run: rollcall log repair. It keeps whatever can be read.',
    ]),
    data: { directory, ...check },
  }
}

export function repairLog(config: Config): CommandResult {
  const { directory, check } = readCheck(config)
  if (isWhole(check)) {
    return { outcome: 'done', lines: [`${directory} is whole: nothing to repair.`], data: { directory, ...check } }
  }
  const { kept, damaged, lost, foundAgain, asideIn } = repair(directory, !isEmbedded(config))
  return {
    outcome: damaged + lost > 0 ? 'problems' : 'done',
    lines: present([
      `${directory} is whole again, with ${kept} deliveries.`,
      damaged > 0 &&
        `${damaged} of them are not what was received: they become failed events, for the reason "damaged".`,
      foundAgain > 0 &&
        `${foundAgain} of them were passed over as lost before. They are stored after the next start; the ledger keeps the difference that they made.`,
      lost > 0 &&
        `${lost} places that were not stored are gone. How many acknowledged deliveries that were is the difference of the ledger, after the next start; rollcall backfill asks the platform for what they said.`,
      `The damaged log is in ${asideIn}. Delete it once you do not need it any more: names and e-mails are in it.`,
    ]),
    data: { directory, kept, damaged, lost, found_again: foundAgain, aside_in: asideIn },
  }
}

function describe({ damaged, unreadable, missing, lost, broken, structure }: LogCheck): string[] {
  return present([
    broken,
    damaged > 0 && `${damaged} have bodies that are not what was received.`,
    unreadable + missing > 0 && `${unreadable + missing} cannot be read.`,
    lost > 0 && `${lost} places are known to be lost. How many acknowledged deliveries that were: rollcall ledger.`,
    ...structure.map((words) => `SQLite: ${words}`),
  ])
}

function readCheck(config: Config): { directory: string; check: LogCheck } {
  const directory = toLogDirectory(config)
  const check = checkLocalLog(directory)
  if (check === undefined) throw new CommandError('usage', `There is no event log in ${directory}.`)
  return { directory, check }
}

function repair(directory: string, shrinks: boolean): ReturnType<typeof repairLocalLog> {
  try {
    return repairLocalLog(directory, new Date(), shrinks)
  } catch (cause) {
    if (cause instanceof LogInUseError) {
      throw new CommandError('failed', 'Rollcall runs on this log. Stop it, and do this again.', { cause })
    }
    if (cause instanceof LogDamagedError) throw cause
    const words = (cause as Error).message
    throw new CommandError(
      'failed',
      `The log could not be repaired (${words}); it is as it was. A repair needs as much room on the disk as the log has.`,
      { cause },
    )
  }
}
