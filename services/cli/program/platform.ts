/** Commands about the learning platform: registering, pulling, comparing. */
import { InvalidArgumentError, type Command } from 'commander'
import { perform, readConfig, type Context, type Options } from '../context.ts'
import { runStoreCommand } from '../run-store-command.ts'
import { addCommand } from './add-command.ts'

type RegisterOptions = Options & { check?: boolean; fix?: boolean; url?: string; testEvent: boolean }
type PullOptions = Options & { restart?: boolean }
type CompareOptions = Options & { heal?: boolean; healMassDeletion?: boolean; people: number }
type BackfillOptions = CompareOptions & { user: string[]; from?: number; to?: number; all?: boolean }

export function addPlatformCommands(program: Command, context: Context): void {
  const perform_ = (name: string, options: Options, args: object) =>
    perform(context, options, async (io) => runStoreCommand(readConfig(context), name, args, io))

  addCommand(program, 'register', 'Create or check the webhook at the platform, and prove it by a test event.', [
    'rollcall register --check',
    'rollcall register --url https://hooks.example.com/webhooks/<token>',
  ])
    .option('--check', 'only look')
    .option('--fix', 'also remove duplicates, and addresses whose token is refused')
    .option('--url <address>', 'the whole address to register; needed where only the hash of its token is known')
    .option('--no-test-event', 'send no test event')
    .action((options: RegisterOptions) => {
      const mode = options.check ? 'check' : options.fix ? 'fix' : 'register'
      return perform_('register', options, { mode, url: options.url, testEvent: options.testEvent })
    })

  addCommand(program, 'pull [names...]', 'Pull users, guides and guide assignments from the platform now.', [
    'rollcall pull',
    'rollcall pull users --restart',
  ])
    .option('--restart', 'from the beginning, whatever an unfinished pull has left')
    .action((names: string[], options: PullOptions) =>
      perform_('pull', options, { names, restart: options.restart ?? false }),
    )

  addHealing(
    addCommand(program, 'reconcile', "Compare the platform's assignments with ours, the riskiest people first.", [
      'rollcall reconcile --people 200',
      'rollcall reconcile --heal',
    ]),
  )
    .option('--people <n>', 'compare at most so many people', toCount, 500)
    .action((options: CompareOptions) =>
      perform_('reconcile', options, { ...toHealing(options), maxPeople: options.people }),
    )

  addHealing(
    addCommand(program, 'backfill', 'Fetch what was missed: of certain people, or of a range of time.', [
      'rollcall backfill --user 42 --heal',
      'rollcall backfill --from 2026-03-01 --to 2026-03-08 --heal',
    ]),
  )
    .option('--user <id>', 'this person; may be given several times', collect, [])
    .option('--from <time>', 'only what was created or changed from then on (ISO 8601)', toTime)
    .option('--to <time>', 'only what was created or changed until then (ISO 8601)', toTime)
    .option('--all', 'everybody, at any time: one call for each person')
    .action((options: BackfillOptions, command: Command) => {
      const { user: users, from: fromMs, to: toMs } = options
      if (users.length === 0 && fromMs === undefined && toMs === undefined && !options.all) {
        command.error('Say of whom or of when: --user, --from, --to, or --all.', { exitCode: 2 })
      }
      return perform_('backfill', options, { ...toHealing(options), users, fromMs, toMs })
    })
}

function addHealing(command: Command): Command {
  return command
    .option('--heal', 'put right what differs, by events that are marked as made here; else only say it')
    .option('--heal-mass-deletion', 'also deletions that are suspiciously many')
}

function toHealing({ heal = false, healMassDeletion = false }: CompareOptions) {
  return { heal, healMassDeletion }
}

function toCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1 on.')
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
