/** Maintenance: the schema, and finding problems. */
import type { Command } from 'commander'
import { isEventId } from '../../../schemas/webhook/parse-delivery.ts'
import {
  addCommand,
  perform,
  performStoreCommand,
  readConfig,
  runStoreCommand,
  type Context,
  type Options,
} from '../context.ts'

export function addCareCommands(program: Command, context: Context): void {
  addCommand(program, 'doctor', 'Find what can lose data, expose it, or make numbers mislead.', [
    'rollcall doctor',
    'rollcall doctor --json | jq .findings',
  ])
    .option('--mend', 'first re-fold inconsistent states, as the hourly audit does')
    .option('--test-channels', 'also send a test message to the team channels of digests and alerts')
    .action(
      ({ mend = false, testChannels = false, ...options }: Options & { mend?: boolean; testChannels?: boolean }) =>
        perform(context, options, async (io) => {
          const config = readConfig(context)
          const { doctorWithoutStore, isThereAStore } = await import('../commands/doctor.ts')
          return isThereAStore(config)
            ? runStoreCommand(config, 'doctor', { mend, testChannels }, io)
            : doctorWithoutStore(config, testChannels)
        }),
    )

  addCommand(program, 'receipt <receipt>', 'Show where one delivery is; looks into the event log, too.', [
    'rollcall receipt 9f86d081884c7d659a2feaa0c55ad015',
  ]).action((id: string, options: Options, command: Command) => {
    if (!isEventId(id)) command.error('A receipt has 32 hexadecimal digits: what the webhook address has answered.')
    return performStoreCommand(context, options, 'receipt', { id })
  })

  const ledger = addCommand(program, 'ledger', 'Show where every delivery is, in all and per source and hour.', [
    'rollcall ledger',
    'rollcall ledger --hours 168 --json',
  ])
  ledger
    .option('--hours <n>', 'how far back, in hours; older hours show if they do not add up', '24')
    .action(({ hours, ...options }: Options & { hours: string }, command: Command) => {
      if (!/^[1-9]\d{0,5}$/.test(hours)) command.error('--hours must be a whole number from 1.')
      return performStoreCommand(context, options, 'ledger', { hours: Number(hours) })
    })

  addCommand(
    ledger,
    'forget [spool]',
    'Give up a spool that is gone for good; its deliveries count as (lost). Without an id: list the spools that hold something.',
    ['rollcall ledger forget', 'rollcall ledger forget 4f1c0e6b9a2d7385 --yes'],
  )
    .option('--yes', 'forget it; without it, only show what would be lost')
    .option('--undo', 'it was found after all: take back that its deliveries are lost')
    .action(
      (
        spool: string | undefined,
        { yes = false, undo = false }: Options & { yes?: boolean; undo?: boolean },
        command: Command,
      ) =>
        // `ledger` has the same options, and takes those after `forget`, too.
        performStoreCommand(context, command.optsWithGlobals<Options>(), 'ledger-forget', {
          spool,
          confirmed: yes,
          undo,
        }),
    )

  addCommand(program, 'migrate', 'Bring the store to the schema of this version without starting anything.', [
    'rollcall migrate',
    'CLICKHOUSE_USER=admin rollcall migrate --users',
  ])
    .option('--users', 'also create the roles for writer, dashboards and analysts; needs an administrator')
    .action(({ users, ...options }: Options & { users?: boolean }) =>
      perform(context, options, async (io) => {
        const { migrateStore } = await import('../commands/migrate.ts')
        return migrateStore(readConfig(context), { users: users ?? false }, io)
      }),
    )
}
