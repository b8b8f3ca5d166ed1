/** The audit as a job, share by share, so it can be interrupted anywhere. */
import { setTimeout as pause } from 'node:timers/promises'
import { readCount, type Job } from '../job.ts'
import type { Audit, Doubtful } from './audit.ts'

/** Once a day, at a quiet hour. */
const schedule = '17 4 * * *'

/** Longer than a batch takes from its first insert to its last. */
const betweenLooksMs = 20_000

export function createAuditJob(audit: Audit): Job {
  /** A doubtful key may be a half-done batch; if it is still doubtful later, it is not. */
  async function findTwice(share: number, signal: AbortSignal): Promise<Doubtful> {
    const first = await audit.find(share)
    if (first.assignments.length + first.people.length === 0) return first
    await pause(betweenLooksMs, undefined, { signal })
    const second = await audit.find(share)
    return {
      assignments: second.assignments.filter((assignmentKey) => first.assignments.includes(assignmentKey)),
      people: second.people.filter((userId) => first.people.includes(userId)),
    }
  }

  return {
    name: 'audit',
    title: 'Checking for inconsistent states',
    schedule,
    async run({ checkpoint, signal, advance }) {
      let [share = 0, mended = 0, left = 0] = ['share', 'mended', 'left'].map((name) => readCount(checkpoint, name))
      const checkStop = () => Promise.resolve(signal.throwIfAborted())
      for (; share < audit.shares; share++) {
        const surplus = await findTwice(share, signal)
        const still = await audit.mend(share, surplus, checkStop)
        const done = surplus.assignments.length + surplus.people.length
        mended += done
        left += still.assignments.length + still.people.length
        await advance({ done, checkpoint: { share: share + 1, mended, left }, of: audit.shares })
      }
      await audit.forgetAttributes()
      if (mended === 0) return {}
      return { note: `${mended} assignments and people were folded once more; ${left} of them are still doubtful.` }
    },
  }
}
