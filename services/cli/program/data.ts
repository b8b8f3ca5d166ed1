/** Commands about stored data: reading it again, erasing a person. */
import type { Command } from 'commander'
import { parsePatch } from '../../../schemas/webhook/fix-body.ts'
import { isEventId } from '../../../schemas/webhook/parse-delivery.ts'
import { addCommand, performStoreCommand, type Context, type Options } from '../context.ts'

type ReplayOptions = Options & {
  failed?: boolean
  fromLog?: boolean
  dryRun?: boolean
  reason?: string
  id: string[]
  fix?: string
}

export function addDataCommands(program: Command, context: Context): void {
  addReplay(program, context)
  addErase(program, context)
}

function addReplay(program: Command, context: Context): void {
  addCommand(program, 'replay', 'Read received deliveries again: failed events, or everything the log still holds.', [
    'rollcall replay --failed --dry-run',
    `rollcall replay --failed --reason no_timestamp --fix '{"timestamp": 1790000000000}' --dry-run`,
    'rollcall replay --from-log',
  ])
    .option('--failed', 'turn failed events that this version can use into events')
    .option('--from-log', 'store the deliveries of the log again; stored ones do not change')
    .option('--dry-run', 'with --failed: only count')
    .option('--reason <reason>', 'with --failed: only those with this reason')
    .option(
      '--id <receipt>',
      'with --failed: only this one; repeatable',
      (id: string, before: string[]) => [...before, id],
      [],
    )
    .option('--fix <json>', 'with --failed: fields to change in each body first (a JSON merge patch, RFC 7396)')
    .action((options: ReplayOptions, command: Command) => {
      if (Boolean(options.failed) === Boolean(options.fromLog)) command.error('Specify either --failed or --from-log.')
      if (options.dryRun && options.fromLog) command.error('--dry-run goes with --failed only.')
      const { reason, id: ids } = options
      const isNarrowed = reason !== undefined || ids.length > 0 || options.fix !== undefined
      if (isNarrowed && !options.failed) command.error('--reason, --id and --fix go with --failed only.')
      if (reason !== undefined && ids.length > 0) command.error('Specify either --reason or --id.')
      if (!ids.every(isEventId)) command.error('--id must be a receipt: 32 hexadecimal digits.')
      const fix = options.fix === undefined ? undefined : parsePatch(options.fix)
      if (options.fix !== undefined && fix === undefined) command.error('--fix must be a JSON object.')
      return performStoreCommand(context, options, 'replay', {
        from: options.failed ? 'failed' : 'log',
        dryRun: options.dryRun ?? false,
        reason,
        ids: ids.length > 0 ? ids : undefined,
        fix,
      })
    })
}

function addErase(program: Command, context: Context): void {
  addCommand(program, 'erase', "Erase a person's name, e-mail and custom fields from everything stored.", [
    'rollcall erase --user 42',
    'rollcall erase --user 42 --yes',
  ])
    .requiredOption('--user <id>', 'id of the person')
    .option('--yes', 'erase; without it, only show what would be erased')
    .action(({ user: userId, yes = false, ...options }: Options & { user: string; yes?: boolean }) =>
      performStoreCommand(context, options, 'erase', { userId, confirmed: yes }),
    )
}
