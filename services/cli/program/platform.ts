/** Commands about the learning platform: the tokens of its address, registering, pulling, comparing. */
import { type Command, InvalidArgumentError } from 'commander'
import { findRunning } from '../../runtime/control/control-client.ts'
import { listTokens, newToken, revokeToken, rotateToken, showToken } from '../commands/tokens.ts'
import { addCommand, type Context, type Options, perform, performStoreCommand, readConfig } from '../context.ts'

/** Tokens: the secret part of the address that the platform posts to. */
export function addTokenCommands(program: Command, context: Context): void {
  const tokens = program.command('tokens').description('Create, show, list and revoke the tokens of webhook addresses.')

  addCommand(tokens, 'new <name>', 'Create a token and show its address once; only its hash is kept.', [
    'rollcall tokens new workramp',
  ]).action((name: string, options: Options) => perform(context, options, () => newToken(readConfig(context), name)))

  addCommand(tokens, 'list', 'List all accepted tokens, without their secrets.', []).action((options: Options) =>
    perform(context, options, async (io) => {
      const config = readConfig(context)
      // Only if cheap: ask a running process, but never open a store for it.
      const running = await findRunning(config.dataDir)
      const sources = await running?.run('sources', {}, io)
      return listTokens(config, sources?.data as Record<string, string> | undefined)
    }),
  )

  addCommand(tokens, 'show', 'Print the address with the token generated at the first start.', []).action(
    (options: Options) => perform(context, options, () => showToken(readConfig(context))),
  )

  addCommand(tokens, 'revoke <name-or-id>', 'Refuse a token from now on.', [
    'rollcall tokens revoke workramp',
    'rollcall tokens revoke 1f0c22ab',
  ])
    .option('--all', 'all tokens of that name')
    .action((nameOrId: string, { all = false, ...options }: Options & { all?: boolean }) =>
      perform(context, options, () => revokeToken(readConfig(context), nameOrId, { all })),
    )

  addCommand(
    tokens,
    'rotate',
    'Replace the token generated at the first start; the old one stays valid until revoked.',
    ['rollcall tokens rotate'],
  ).action((options: Options) => perform(context, options, () => rotateToken(readConfig(context))))
}

type CompareOptions = Options & { heal?: boolean; healMassDeletion?: boolean; people: number }
type BackfillOptions = CompareOptions & { user: string[]; from?: number; to?: number; all?: boolean }

export function addPlatformCommands(program: Command, context: Context): void {
  addCommand(program, 'register', 'Create or check the webhook at the platform, and prove it with a test event.', [
    'rollcall register --check',
    'rollcall register --url https://hooks.example.com/webhooks/<token>',
  ])
    .option('--check', 'only look')
    .option('--fix', 'also remove duplicates and addresses with a refused token')
    .option('--url <address>', 'the full address to register; needed if only the hash of the token is known')
    .option('--no-test-event', 'send no test event')
    .action((options: Options & { check?: boolean; fix?: boolean; url?: string; testEvent: boolean }) => {
      const mode = options.check ? 'check' : options.fix ? 'fix' : 'register'
      return performStoreCommand(context, options, 'register', { mode, url: options.url, testEvent: options.testEvent })
    })

  addCommand(program, 'pull [names...]', 'Pull users, guides and guide assignments from the platform now.', [
    'rollcall pull',
    'rollcall pull users --restart',
  ])
    .option('--restart', 'start from the beginning, ignoring an unfinished pull')
    .action((names: string[], options: Options & { restart?: boolean }) =>
      performStoreCommand(context, options, 'pull', { names, restart: options.restart ?? false }),
    )

  addHealing(
    addCommand(program, 'reconcile', "Compare the platform's assignments with ours, riskiest people first.", [
      'rollcall reconcile --people 200',
      'rollcall reconcile --heal',
    ]),
  )
    .option('--people <n>', 'maximum number of people to compare', toCount, 500)
    .action((options: CompareOptions) =>
      performStoreCommand(context, options, 'reconcile', { ...toHealing(options), maxPeople: options.people }),
    )

  addHealing(
    addCommand(program, 'backfill', 'Fetch missed changes of certain people or of a time range.', [
      'rollcall backfill --user 42 --heal',
      'rollcall backfill --from 2026-03-01 --to 2026-03-08 --heal',
    ]),
  )
    .option('--user <id>', 'only this person; repeatable', collect, [])
    .option('--from <time>', 'only assignments created or changed since then (ISO 8601)', toTime)
    .option('--to <time>', 'only assignments created or changed until then (ISO 8601)', toTime)
    .option('--all', 'everybody, at any time: one call per person')
    .action((options: BackfillOptions, command: Command) => {
      const { user: users, from: fromMs, to: toMs } = options
      if (users.length === 0 && fromMs === undefined && toMs === undefined && !options.all) {
        command.error('Specify --user, --from, --to or --all.', { exitCode: 2 })
      }
      return performStoreCommand(context, options, 'backfill', { ...toHealing(options), users, fromMs, toMs })
    })
}

function addHealing(command: Command): Command {
  return command
    .option('--heal', 'heal differences with synthetic events; without it, only report them')
    .option('--heal-mass-deletion', 'also heal suspiciously many deletions')
}

function toHealing({ heal = false, healMassDeletion = false }: CompareOptions) {
  return { heal, healMassDeletion }
}

function toCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('must be a whole number, 1 or more.')
  return Number(text)
}

function toTime(text: string): number {
  const ms = Date.parse(text)
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(ms)) {
    throw new InvalidArgumentError('must be a time such as 2026-03-01 or 2026-03-01T08:00:00Z.')
  }
  return ms
}

function collect(text: string, before: string[]): string[] {
  return [...before, text]
}
