/** Commands about stored data: reading it again, erasing a person, exporting. */
import type { Writable } from 'node:stream'
import { Option, type Command } from 'commander'
import { parsePatch } from '../../../schemas/webhook/fix-body.ts'
import { isEventId } from '../../../schemas/webhook/parse-delivery.ts'
import { exportFormats, exportable } from '../exportable.ts'
import { CommandError } from '../../runtime/control/command.ts'
import {
  addCommand,
  perform,
  performStoreCommand,
  readConfig,
  runStoreCommand,
  type Context,
  type Options,
} from '../context.ts'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'

type ReplayOptions = Options & {
  failed?: boolean
  fromLog?: boolean
  dryRun?: boolean
  reason?: string
  id: string[]
  fix?: string
}
type ExportOptions = Options & { format: string; out?: string; filter: [string, string][] }

export function addDataCommands(program: Command, context: Context): void {
  addReplay(program, context)
  addErase(program, context)
  addExport(program, context)
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

function addExport(program: Command, context: Context): void {
  addCommand(program, 'export <what>', `Write a file: ${exportable.join(', ')}.`, [
    'rollcall export assignments --filter fact=overdue --format xlsx --out overdue.xlsx',
    'rollcall export metrics --filter as_of=2026-06-30 --format json',
    'rollcall export events --format ndjson --out events.ndjson',
  ])
    .addOption(new Option('--format <format>', 'of the file').choices(exportFormats).default('csv'))
    .option('--out <file>', 'output file; default, or -: standard output')
    .option('--filter <name=value>', 'a filter of /api/metrics; repeatable', toFilter, [])
    .action((what: string, { format, filter: filters, out, ...options }: ExportOptions, command: Command) => {
      const isFile = out !== undefined && out !== '-'
      if (options.json && !isFile) command.error('--json needs --out: the result and the file cannot share the output.')
      // An export goes to stdout, so messages go to stderr.
      const { terminal } = context
      const beside = isFile ? context : { ...context, terminal: { ...terminal, out: terminal.err } }
      const output = isFile ? openOutput(out) : undefined
      const write = async (bytes: Uint8Array) => {
        if (output !== undefined) return output.write(bytes)
        await writeThrough(terminal.out, bytes)
      }
      return perform(
        beside,
        options,
        async (io) => {
          try {
            const args = { what, format, filters }
            const result = await runStoreCommand(readConfig(context), 'export', args, io)
            await output?.keep()
            return output === undefined ? result : { ...result, data: { ...result.data, file: out } }
          } finally {
            await output?.close()
          }
        },
        write,
      )
    })
}

/** Rejects when nobody reads it any more, which ends the export. */
function writeThrough(stream: Writable, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error === null || error === undefined ? resolve() : reject(error)))
  })
}

function toFilter(text: string, before: [string, string][]): [string, string][] {
  const split = text.indexOf('=')
  return [...before, split === -1 ? [text, ''] : [text.slice(0, split), text.slice(split + 1)]]
}

/** A file that exists complete or not at all. It may hold names, so only its owner can read it. */
export function openOutput(path: string) {
  const partPath = `${path}.${process.pid}.part`
  let handle: FileHandle | undefined
  const refuse = (code: CommandError['code']) => (cause: unknown) => {
    const why = (cause as NodeJS.ErrnoException).code ?? 'unknown'
    throw new CommandError(code, `The file ${path} cannot be written (${why}).`, { cause })
  }
  const get = async () => (handle ??= await open(partPath, 'w', 0o600).catch(refuse('usage')))
  return {
    async write(bytes: Uint8Array): Promise<void> {
      await (await get()).writeFile(bytes).catch(refuse('failed'))
    },
    async keep(): Promise<void> {
      await (await get()).close()
      await rename(partPath, path).catch(refuse('usage'))
      handle = undefined
    },
    async close(): Promise<void> {
      await handle?.close()
      await rm(partPath, { force: true })
    },
  }
}
