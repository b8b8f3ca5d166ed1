/**
 * The rolling sweep as a scheduled job: some people an hour. The store knows who was checked, so a run needs no
 * checkpoint.
 */
import type { Job } from '../../jobs/job.ts'
import type { Reconcile, ReconcileResult } from './reconcile.ts'

export type ReconcileJobOptions = {
  reconcile: Reconcile
  schedule: string
  /** One call to the platform per person. */
  peoplePerRun: number
  heal: boolean
}

export function createReconcileJob({ reconcile, schedule, peoplePerRun, heal }: ReconcileJobOptions): Job {
  return {
    name: 'reconcile',
    title: 'The comparison with the platform’s assignments',
    schedule,
    async run({ signal, advance }) {
      let skipped = 0
      const result = await reconcile.sweep({ heal, maxPeople: peoplePerRun, signal }, async (progress) => {
        const more = progress.result.skipped - skipped
        skipped = progress.result.skipped
        await advance({ done: 1, skipped: more, of: progress.of, checkpoint: {} })
      })
      return { note: toNote(result) }
    },
  }
}

/** A note for the owner in one sentence; empty where all was well. */
export function toNote(result: ReconcileResult): string {
  const { people, missing, stale, extra, created, healed, heldBack, listed, notOffered, failed } = result
  const differences = missing + stale + extra + created
  const notes = [
    notOffered > 0 && notOffered === people
      ? 'The platform offers no list of assignments in webhook shape; nothing was compared.'
      : '',
    differences > 0
      ? `${missing} missing, ${stale} stale, ${extra} extra, ${created} created unheard of, ${healed} healed${
          heldBack > 0 ? `; ${heldBack} deletions are held back until somebody confirms them` : ''
        }${listed > 0 ? `; ${listed} were created before deliveries began and cannot be healed` : ''}.`
      : '',
  ]
  if (failed > 0)
    notes.push(`The lists of ${failed} people could not be read; they are asked for again in their turn.`)
  return notes.filter((note) => note !== '').join(' ')
}
