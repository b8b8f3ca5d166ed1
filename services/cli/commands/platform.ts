/** Commands about the learning platform: `rollcall register`, `pull`, `reconcile` and `backfill`. */
import { z } from 'zod'
import { JobBusyError } from '../../jobs/job.ts'
import { checkDelivery, createStoredCheck } from '../../registration/delivery.ts'
import { registerWebhook } from '../../registration/register.ts'
import {
  CommandError,
  type CommandIo,
  type CommandResult,
  defineCommand,
  present,
} from '../../runtime/control/command.ts'
import { createReconcile, type ReconcileResult } from '../../sync/reconcile/reconcile.ts'
import { type CommandDeps, noPlatform } from '../command-deps.ts'

/** `rollcall register`: checks, creates or repairs our webhook at the platform, and proves it with a test event. */
export function createRegisterCommand(deps: CommandDeps) {
  const { config, client, scheduled } = deps
  return defineCommand(
    z.object({
      mode: z.enum(['check', 'register', 'fix']),
      url: z.url('--url must be a whole address, such as https://hooks.example.com/webhooks/<token>.').optional(),
      testEvent: z.boolean(),
    }),
    async ({ mode, url: typed, testEvent }, { report }) => {
      if (scheduled.platform === undefined) throw noPlatform()
      const url = typed ?? deps.ingestUrl()
      if (url === undefined) {
        throw new CommandError(
          'usage',
          'The address to register is unknown, because only token hashes are kept. Pass it with --url.',
        )
      }
      report({ step: 'Asking the platform' })
      const result = await registerWebhook({
        client: scheduled.platform,
        url,
        mode,
        platformUrl: config.platformUrl,
        ...(testEvent && {
          checkDelivery: (to: string) => {
            report({ step: 'Sending a test event' })
            return checkDelivery({ url: to, isStored: createStoredCheck(client) })
          },
        }),
      })
      const { outcome, changes, findings, delivery, manualSteps, error } = result
      return {
        outcome: outcome === 'registered' ? 'done' : outcome === 'failed' ? 'failed' : 'problems',
        lines: present([
          ...changes.map(({ message }) => `Done: ${message}`),
          ...findings.map(
            ({ severity, message, fixedBy }) =>
              `${severity === 'problem' ? 'Problem' : 'Note'}: ${message}${fixedBy === null ? '' : ` (put right by ${fixedBy === 'fix' ? '--fix' : 'rollcall register'})`}`,
          ),
          delivery.outcome === 'stored' && `A test event was stored after ${delivery.tookMs} ms.`,
          outcome === 'manual' && 'The platform does not offer registration by its API. By hand:',
          ...manualSteps,
          error?.message,
          outcome === 'registered' && `${result.url} is registered.`,
        ]),
        data: { registration: result },
      }
    },
  )
}

/** `rollcall pull`: users, guides and guide assignments from the platform, now. */
export function createPullCommand({ scheduled: { jobs, pulls, platform } }: CommandDeps) {
  return defineCommand(
    z.object({ names: z.array(z.string()), restart: z.boolean() }),
    async ({ names, restart }, { report, signal }) => {
      if (platform === undefined) throw noPlatform()
      const unknown = names.filter((name) => !pulls.includes(name))
      if (unknown.length > 0) {
        throw new CommandError('usage', `Unknown pull: ${unknown.join(', ')}. Known: ${pulls.join(', ')}.`)
      }
      const results = []
      for (const name of names.length > 0 ? names : pulls) {
        const onProgress = ({ done, of }: { done: number; of: number | undefined }) =>
          report({ step: `Pulling ${name}`, done, ...(of !== undefined && { total: of }) })
        results.push(await jobs.run(name, { restart, signal, onProgress }).catch(toCommandError))
      }
      return {
        outcome: results.every(({ outcome }) => outcome === 'succeeded') ? 'done' : 'failed',
        lines: results.map(({ job, outcome, done, pages, skipped, error, note }) =>
          [
            `${job}: ${outcome}, ${done} in ${pages} pages`,
            skipped > 0 ? `, ${skipped} could not be read` : '',
            error === undefined ? '' : `: ${error.message}`,
            note === '' ? '' : ` (${note})`,
          ].join(''),
        ),
        data: { pulls: results },
      }
    },
  )
}

function toCommandError(error: unknown): never {
  throw error instanceof JobBusyError ? new CommandError('failed', error.message, { cause: error }) : error
}

/** `rollcall reconcile` and `rollcall backfill`: compare the platform's lists with ours and heal what was missed. */
const common = { heal: z.boolean(), healMassDeletion: z.boolean() }

export function createReconcileCommand(deps: CommandDeps) {
  return defineCommand(
    z.object({ ...common, maxPeople: z.int().positive() }),
    async ({ maxPeople, heal, healMassDeletion }, io) => {
      const options = { maxPeople, heal, healMassDeletion, signal: io.signal }
      return toResult(await open(deps).sweep(options, toReport(io)), heal)
    },
  )
}

export function createBackfillCommand(deps: CommandDeps) {
  return defineCommand(
    z.object({
      ...common,
      users: z.array(z.string()),
      fromMs: z.number().optional(),
      toMs: z.number().optional(),
    }),
    async ({ users, fromMs, toMs, heal, healMassDeletion }, io) => {
      const selection = users.length > 0 ? { users } : {}
      const options = { fromMs, toMs, ...selection, heal, healMassDeletion, signal: io.signal }
      return toResult(await open(deps).backfill(options, toReport(io)), heal)
    },
  )
}

function open({ client, append, scheduled: { platform } }: CommandDeps) {
  if (platform === undefined) throw noPlatform()
  return createReconcile({ client, platform, append })
}

function toReport({ report }: CommandIo) {
  return ({ people, of }: { people: number; of: number }) => report({ step: 'Comparing', done: people, total: of })
}

function toResult(result: ReconcileResult, heal: boolean): CommandResult {
  const { people, compared, missing, stale, extra, created, healed, reported, waiting, heldBack, listed } = result
  const { notOffered, notFound, failed, skipped } = result
  return {
    // Waiting differences are checked again automatically; held-back ones need a person.
    outcome: heldBack > 0 || reported > 0 || failed > 0 || (people > 0 && notOffered === people) ? 'problems' : 'done',
    lines: present([
      `${people} people and ${compared} assignments compared: ${missing} missing, ${stale} stale, ${extra} extra here.`,
      created > 0 && `${created} were created without a Created event that arrived.`,
      listed > 0 &&
        `${listed} of these were created before deliveries began and cannot be healed: counts of the time before they were first heard of stay too low. The view drift_report lists them.`,
      heal ? `${healed} healed.` : reported > 0 && 'Nothing was changed; heal with --heal.',
      waiting > 0 && `${waiting} are left for the next time: too fresh, or extra for the first time.`,
      heldBack > 0 &&
        `${heldBack} deletions are suspiciously many and were held back; do them with --heal-mass-deletion.`,
      notOffered > 0 && `The platform offers no list of assignments for ${notOffered} people.`,
      notFound > 0 && `The platform does not know ${notFound} people.`,
      failed > 0 && `The lists of ${failed} people could not be read, so they were not compared.`,
      skipped > 0 && `${skipped} items of the platform's lists could not be read.`,
    ]),
    data: result,
  }
}
