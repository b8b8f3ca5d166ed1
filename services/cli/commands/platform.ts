/** Commands about the learning platform: `rollcall register`, `pull` and `backfill`. */
import { z } from 'zod'
import { CommandError, present, type CommandResult } from '../../runtime/control/command.ts'
import type { ReconcileResult } from '../../sync/reconcile/reconcile.ts'
import { flag, storeCommand, text, value } from '../command.ts'

export const register = storeCommand({
  usage: 'register',
  summary: 'Create or check the webhook at the platform, and prove it with a test event.',
  examples: [
    'rollcall register --check',
    'rollcall register --url https://hooks.example.com/webhooks/<token>',
  ],
  options: z.object({
    check: flag('change nothing'),
    fix: flag('also remove duplicates and addresses with a refused token'),
    url: value(
      'address',
      'the full address to register; required if only the hash of the token is known',
      z.url('must be a whole address, such as https://hooks.example.com/webhooks/<token>.').optional(),
    ),
  }),
  async run({ check, fix, url: given }, deps, { report }) {
    const { config, client, scheduled } = deps
    if (scheduled.platform === undefined) throw noPlatform()
    const url = given ?? deps.ingestUrl()
    if (url === undefined) {
      throw new CommandError(
        'usage',
        'The address to register is unknown, because only token hashes are kept. Pass it with --url.',
      )
    }
    const { checkDelivery, createStoredCheck } = await import('../../registration/delivery.ts')
    const { registerWebhook } = await import('../../registration/register.ts')
    report({ step: 'Querying the platform' })
    const result = await registerWebhook({
      client: scheduled.platform,
      url,
      mode: check ? 'check' : fix ? 'fix' : 'register',
      platformUrl: config.platformUrl,
      checkDelivery(to) {
        report({ step: 'Sending a test event' })
        return checkDelivery({ url: to, isStored: createStoredCheck(client) })
      },
    })
    const { outcome, changes, findings, delivery, manualSteps, error } = result
    return {
      outcome: outcome === 'registered' ? 'done' : outcome === 'failed' ? 'failed' : 'problems',
      lines: present([
        ...changes.map(({ message }) => `Done: ${message}`),
        ...findings.map(({ severity, message, fixedBy }) => {
          const by = fixedBy === 'fix' ? 'rollcall register --fix' : 'rollcall register'
          return `${severity === 'problem' ? 'Problem' : 'Note'}: ${message}${fixedBy === null ? '' : ` (${by} fixes it)`}`
        }),
        delivery.outcome === 'stored' && `A test event was stored after ${delivery.tookMs} ms.`,
        outcome === 'manual' && 'The platform does not offer registration through its API. By hand:',
        ...manualSteps,
        error?.message,
        outcome === 'registered' && `${result.url} is registered.`,
      ]),
      data: { registration: result },
    }
  },
})

export const pull = storeCommand({
  usage: 'pull [names...]',
  summary: 'Pull users, guides and guide assignments from the platform now.',
  examples: ['rollcall pull', 'rollcall pull users'],
  options: z.object({
    names: z.array(z.string()).default([]),
  }),
  async run({ names }, { scheduled: { jobs, pulls, platform } }, { report, signal }) {
    if (platform === undefined) throw noPlatform()
    const unknown = names.filter((name) => !pulls.includes(name))
    if (unknown.length > 0) {
      throw new CommandError('usage', `Unknown pull: ${unknown.join(', ')}. Known: ${pulls.join(', ')}.`)
    }
    const { JobBusyError } = await import('../../jobs/job.ts')
    const results = []
    for (const name of names.length > 0 ? names : pulls) {
      const onProgress = ({ done, of }: { done: number; of: number | undefined }) =>
        report({ step: `Pulling ${name}`, done, ...(of !== undefined && { total: of }) })
      const result = await jobs.run(name, { signal, onProgress }).catch((error: unknown) => {
        throw error instanceof JobBusyError
          ? new CommandError('failed', error.message, { cause: error })
          : error
      })
      results.push(result)
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
})

export const backfill = storeCommand({
  usage: 'backfill',
  summary: 'Fetch missed changes of certain people or of everyone.',
  examples: ['rollcall backfill --user 42 --repair', 'rollcall backfill --all --repair'],
  options: z
    .object({
      repair: flag('repair differences with synthetic events; without it, only report them'),
      repairMassDeletion: flag('also repair suspiciously many deletions'),
      user: value('id', 'only this person; repeatable', z.array(text).default([])),
      all: flag('everyone: one call per person'),
    })
    .refine(({ user, all }) => user.length > 0 || all, 'Specify --user or --all.'),
  async run({ user, repair, repairMassDeletion }, deps, { report, signal }) {
    const { client, append, scheduled } = deps
    const { platform } = scheduled
    if (platform === undefined) throw noPlatform()
    const { createReconcile } = await import('../../sync/reconcile/reconcile.ts')
    const { backfill: run } = createReconcile({ client, platform, append })
    const users = user.length > 0 ? { users: user } : {}
    const result = await run({ ...users, repair, repairMassDeletion, signal }, ({ people, of }) =>
      report({ step: 'Comparing', done: people, total: of }),
    )
    return toResult(result, repair)
  },
})

function toResult(result: ReconcileResult, repair: boolean): CommandResult {
  const { people, compared, missing, stale, extra, created, repaired, reported, waiting, heldBack, listed } =
    result
  const { notOffered, notFound, failed, skipped } = result
  const isProblem = heldBack > 0 || reported > 0 || failed > 0 || (people > 0 && notOffered === people)
  return {
    // Rollcall checks waiting differences again. Deletions that were held back need a person.
    outcome: isProblem ? 'problems' : 'done',
    lines: present([
      `Compared ${people} people and ${compared} assignments: ${missing} missing, ${stale} stale, ${extra} extra here.`,
      created > 0 && `${created} exist here although no Created event arrived.`,
      listed > 0 &&
        `${listed} of these were created before webhooks began and cannot be repaired. Counts of the time before their first event stay too low. The view drift_report lists them.`,
      repair ? `${repaired} repaired.` : reported > 0 && 'Nothing was changed. Use --repair to repair.',
      waiting > 0 &&
        `${waiting} are checked again next time: they are too fresh, or extra for the first time.`,
      heldBack > 0 &&
        `${heldBack} deletions were held back, because they are suspiciously many. Use --repair-mass-deletion to apply them.`,
      notOffered > 0 && `The platform offers no list of assignments for ${notOffered} people.`,
      notFound > 0 && `The platform does not know ${notFound} people.`,
      failed > 0 && `The lists of ${failed} people could not be read and were not compared.`,
      skipped > 0 && `${skipped} items of the platform's lists could not be read.`,
    ]),
    data: result,
  }
}

function noPlatform(): CommandError {
  return new CommandError('usage', 'Set PLATFORM_URL and PLATFORM_TOKEN first.')
}
