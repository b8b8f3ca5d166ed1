/** The commands of `rollcall`, in the order of its help. */
import type { Commands, RunCommand } from '../runtime/control/command.ts'
import type { CommandDeps } from './command-deps.ts'
import { parseGiven, toNames, type Command } from './command.ts'
import { backup, restore } from './commands/backup.ts'
import { doctor } from './commands/doctor.ts'
import { erase } from './commands/erase.ts'
import { exportEvents } from './commands/export-events.ts'
import { importEvents } from './commands/import-events.ts'
import { ledger, ledgerForget } from './commands/ledger.ts'
import { logAdopt } from './commands/log.ts'
import { migrate } from './commands/migrate.ts'
import { backfill, pull, register } from './commands/platform.ts'
import { receipt } from './commands/receipt.ts'
import { replay } from './commands/replay.ts'
import { tokenCreate } from './commands/token.ts'
import { tokensList, tokensNew, tokensRevoke, tokensShow } from './commands/tokens.ts'
import { userAdd } from './commands/user.ts'

export const groups: Readonly<Record<string, string>> = {
  tokens: 'Manage the tokens of webhook addresses.',
  user: 'Manage who may see the dashboards. See also the page /access.',
  token: 'Manage API tokens of the dashboards. See also the page /access.',
  log: 'Read another event log.',
}

export const commands: readonly Command[] = [
  {
    usage: 'start',
    summary: 'Run everything on this machine, like npm start.',
    main: new URL('../embedded/main.ts', import.meta.url),
  },
  {
    usage: 'demo',
    summary: 'Run Rollcall with a sample company, like npm run demo.',
    main: new URL('../../sample-platform/demo.ts', import.meta.url),
  },
  [register, pull, backfill],
  [replay, erase],
  [tokensNew, tokensList, tokensShow, tokensRevoke],
  [userAdd, tokenCreate],
  [doctor, receipt, ledger, ledgerForget, migrate],
  [logAdopt],
  [backup, restore, exportEvents, importEvents],
].flat()

/** What a process that has the store open does for the command line. */
export function createCommands(deps: CommandDeps): Commands {
  const all = new Map<string, RunCommand>()
  for (const command of commands) {
    if (!('run' in command)) continue
    all.set(toNames(command).join('-'), (input, io) => command.run(parseGiven(command, input), deps, io))
  }
  return all
}
