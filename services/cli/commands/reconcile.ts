/** `rollcall reconcile` and `rollcall backfill`: compare the platform's lists with ours and heal what was missed. */
import { z } from 'zod'
import { createReconcile, type ReconcileResult } from '../../sync/reconcile/reconcile.ts'
import { defineCommand, present, type CommandIo, type CommandResult } from '../../runtime/control/command.ts'
import { noPlatform, type CommandDeps } from '../command-deps.ts'

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

function open({ client, append, scheduled: { opened } }: CommandDeps) {
  if (opened === undefined) throw noPlatform()
  return createReconcile({ client, platform: opened.platform, append })
}

function toReport({ report }: CommandIo) {
  return ({ people, of }: { people: number; of: number }) => report({ step: 'Comparing', done: people, total: of })
}

function toResult(result: ReconcileResult, heal: boolean): CommandResult {
  const { people, compared, missing, stale, extra, created, healed, waiting, heldBack, listed } = result
  const { notOffered, notFound, skipped } = result
  const differences = missing + stale + extra + created - listed
  const rest = differences - healed - waiting
  return {
    // Waiting differences are checked again automatically; held-back ones need a person.
    outcome: heldBack > 0 || rest > 0 || (people > 0 && notOffered === people) ? 'problems' : 'done',
    lines: present([
      `${people} people and ${compared} assignments compared: ${missing} missing, ${stale} stale, ${extra} extra here.`,
      created > 0 && `${created} were created without a Created event that arrived.`,
      listed > 0 &&
        `${listed} of these were created before deliveries began and cannot be healed: counts of the time before they were first heard of stay too low. The view drift_report lists them.`,
      heal ? `${healed} healed.` : differences > 0 && 'Nothing was changed; heal with --heal.',
      waiting > 0 && `${waiting} are left for the next time: too fresh, or extra for the first time.`,
      heldBack > 0 &&
        `${heldBack} deletions are suspiciously many and were held back; do them with --heal-mass-deletion.`,
      notOffered > 0 && `The platform offers no list of assignments for ${notOffered} people.`,
      notFound > 0 && `The platform does not know ${notFound} people.`,
      skipped > 0 && `${skipped} items of the platform's lists could not be read.`,
    ]),
    data: result,
  }
}
