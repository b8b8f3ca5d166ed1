/** The commands that need the store: the process that has it open runs them. Other commands are not here. */
import type { Commands } from '../runtime/control/command.ts'
import type { CommandDeps } from './command-deps.ts'
import { createAccessCommands } from './commands/access.ts'
import { createBackupCommand } from './commands/backup.ts'
import { createDoctorCommand } from './commands/doctor.ts'
import { createEraseCommand } from './commands/erase.ts'
import { createExportEventsCommand } from './commands/export-events.ts'
import { createLedgerCommand, createLedgerForgetCommand } from './commands/ledger.ts'
import { createLogAdoptCommand } from './commands/log-adopt.ts'
import {
  createBackfillCommand,
  createPullCommand,
  createReconcileCommand,
  createRegisterCommand,
} from './commands/platform.ts'
import { createReceiptCommand } from './commands/receipt.ts'
import { createReplayCommand } from './commands/replay.ts'
import { createSourcesCommand } from './commands/tokens.ts'

export function createCommands(deps: CommandDeps): Commands {
  return new Map([
    ['backfill', createBackfillCommand(deps)],
    ['backup', createBackupCommand(deps)],
    ['doctor', createDoctorCommand(deps)],
    ['erase', createEraseCommand(deps)],
    ['export-events', createExportEventsCommand(deps)],
    ['ledger', createLedgerCommand(deps)],
    ['ledger-forget', createLedgerForgetCommand(deps)],
    ['log-adopt', createLogAdoptCommand(deps)],
    ['pull', createPullCommand(deps)],
    ['receipt', createReceiptCommand(deps)],
    ['reconcile', createReconcileCommand(deps)],
    ['register', createRegisterCommand(deps)],
    ['replay', createReplayCommand(deps)],
    ['sources', createSourcesCommand(deps)],
    ...Object.entries(createAccessCommands(deps)),
  ])
}
