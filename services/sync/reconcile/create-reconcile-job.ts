/**
 * The rolling sweep as a scheduled job: some people an hour. The store knows who was checked, so a run needs no
 * checkpoint.
 */
import { readCount, type Job } from '../../jobs/job.ts'
import type { Reconcile, ReconcileResult } from './reconcile.ts'

export type ReconcileJobOptions = {
  reconcile: Reconcile
  schedule: string
  /** One call to the platform per person. */
  peoplePerRun: number
  repair: boolean
}

export function createReconcileJob({ reconcile, schedule, peoplePerRun, repair }: ReconcileJobOptions): Job {
  return {
    name: 'reconcile',
    title: 'The comparison with the platform’s assignments',
    schedule,
    async run({ signal, advance }) {
      let skipped = 0
      const result = await reconcile.sweep({ repair, maxPeople: peoplePerRun, signal }, async (progress) => {
        const more = progress.result.skipped - skipped
        skipped = progress.result.skipped
        await advance({ done: 1, skipped: more, of: progress.of, checkpoint: {} })
      })
      return { note: toNote(result) }
    },
  }
}

export const fetchJob = 'fetch-existing'

/** What the platform has already: all people, then the assignments of each. Its items are people. An owner starts it. */
export function createFetchJob({ reconcile, users }: { reconcile: Reconcile; users: Job }): Job {
  return {
    name: fetchJob,
    title: 'The fetch of existing assignments',
    schedule: 'request',
    async run(context) {
      const { checkpoint, startedAtMs: beganAtMs, signal, advance } = context
      const fetched = readCount(checkpoint, 'fetched')
      if (checkpoint?.['of'] === undefined)
        await users.run({ ...context, priority: 'job', advance: (step) => advance({ ...step, done: 0 }) })
      const result = await reconcile.backfill({ repair: true, beganAtMs, signal }, ({ people, of }) =>
        advance({ done: 1, of, checkpoint: { fetched: fetched + people, of: fetched + of } }),
      )
      return { note: toNote(result) }
    },
  }
}

/** A note for the owner in one sentence; empty where all was well. */
export function toNote(result: ReconcileResult): string {
  const { people, missing, stale, extra, created, repaired, heldBack, listed, notOffered, failed } = result
  const differences = missing + stale + extra + created
  const held = `; ${heldBack} deletions are held back until a person confirms them`
  const early = `; ${listed} were created before webhooks began and cannot be repaired`
  const notes = [
    notOffered > 0 &&
      notOffered === people &&
      'The platform offers no list of assignments in webhook shape; nothing was compared.',
    differences > 0 &&
      `${missing} missing, ${stale} stale, ${extra} extra, ${created} created without an event, ${repaired} repaired` +
        `${heldBack > 0 ? held : ''}${listed > 0 ? early : ''}.`,
    failed > 0 && `The lists of ${failed} people could not be read; a later run asks again.`,
  ]
  return notes.filter((note) => note !== false).join(' ')
}
