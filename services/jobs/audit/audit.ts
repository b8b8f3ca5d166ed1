/**
 * The last safety net for versions: finds assignments and people with an impossible state and folds them again. It should
 * never find anything; possible causes are a process that was stopped longer than the audit of a takeover waits, or a
 * restored store.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Consumer } from '../../consumer/consumer.ts'
import { forgetAttributes } from '../../consumer/store/refold.ts'
import { storeAssignments } from '../../consumer/store/store-assignments.ts'
import type { People } from '../../consumer/store/store-people.ts'
import { type Job, readCount } from '../job.ts'
import { select } from '../statements.ts'

export type Doubtful = { assignments: string[]; people: string[] }

export type Audit = ReturnType<typeof createAudit>

const shares = 16
const maxTries = 3

export type AuditOptions = {
  client: ClickHouseClient
  people: People
  /** Keeps this process's consumer from the same keys meanwhile. */
  exclusively: Consumer['exclusively']
}

export function createAudit({ client, people, exclusively }: AuditOptions) {
  /** The keys of one share with an impossible state, or in the middle of a batch. Changes nothing. */
  async function find(share: number): Promise<Doubtful> {
    const params = { shares, share }
    const assignments = await select<{ assignmentKey: string }>(client, 'doubtful-assignments', params)
    const users = await select<{ userId: string }>(client, 'doubtful-people', params)
    const unlinked = await select<{ userId: string }>(client, 'unlinked-people', { ...params, among: [] })
    return {
      assignments: assignments.map(({ assignmentKey }) => assignmentKey),
      people: [...new Set([...users, ...unlinked].map(({ userId }) => userId))],
    }
  }

  /** Folds these keys once more, all of their versions, and removes what should not be there. */
  async function refold(keys: Doubtful, betweenSteps = () => Promise.resolve()): Promise<void> {
    await exclusively(async () => {
      // Since the beginning of time: all of their versions are checked.
      const touched = new Map(keys.assignments.map((assignmentKey) => [assignmentKey, 0]))
      await storeAssignments(client, touched, betweenSteps)
      await people.mend(keys.people)
    })
  }

  return {
    /** Keys are checked in shares, so that no statement holds all of them. */
    shares,
    find,
    refold,
    /** A process with an older list of attributes may have stored others since the last start, as while processes are replaced in turn. */
    forgetAttributes: () => exclusively(() => forgetAttributes(client, people)),
    /** Re-folds them until they are right, since their owner may change the same keys. Returns the keys that stay doubtful. */
    async mend(share: number, doubtful: Doubtful, betweenSteps?: () => Promise<void>): Promise<Doubtful> {
      let rest = doubtful
      for (let tries = 0; tries < maxTries && rest.assignments.length + rest.people.length > 0; tries++) {
        await refold(rest, betweenSteps)
        rest = await find(share)
      }
      return rest
    },
  }
}

// The audit as a job, share by share, so it can be interrupted anywhere.

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
