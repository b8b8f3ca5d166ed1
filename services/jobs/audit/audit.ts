/**
 * The last safety net for versions: finds assignments and people with an impossible state and folds them again. It should
 * never find anything; possible causes are a process that was stopped longer than the audit of a takeover waits, or a
 * restored store.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Consumer } from '../../consumer/consumer.ts'
import { storeAssignments } from '../../consumer/store/store-assignments.ts'
import type { People } from '../../consumer/store/store-people.ts'
import { select } from '../statements.ts'

export type Doubtful = { assignments: string[]; people: string[] }

export type Audit = {
  /** Keys are checked in shares, so that no statement holds all of them. */
  shares: number
  /** Of one share, the keys with an impossible state, or in the middle of a batch. Changes nothing. */
  find(share: number): Promise<Doubtful>
  /**
   * Re-folds them until they are right, since their owner may change the same keys. Returns the keys that stay doubtful.
   */
  mend(share: number, doubtful: Doubtful, betweenSteps?: () => Promise<void>): Promise<Doubtful>
  /** Folds these keys once more, all of their versions, and removes what should not be there. */
  refold(keys: Doubtful, betweenSteps?: () => Promise<void>): Promise<void>
}

const shares = 16
const maxTries = 3

export type AuditOptions = {
  client: ClickHouseClient
  /** The consumer's own. */
  people: People
  /** Keeps this process's consumer from the same keys meanwhile. */
  exclusively: Consumer['exclusively']
}

export function createAudit({ client, people, exclusively }: AuditOptions): Audit {
  async function find(share: number): Promise<Doubtful> {
    const params = { shares, share }
    const assignments = await select<{ assignmentKey: string }>(client, 'doubtful-assignments', params)
    const users = await select<{ userId: string }>(client, 'doubtful-people', params)
    return {
      assignments: assignments.map(({ assignmentKey }) => assignmentKey),
      people: users.map(({ userId }) => userId),
    }
  }

  const refold: Audit['refold'] = ({ assignments, people: users }, betweenSteps = () => Promise.resolve()) =>
    exclusively(async () => {
      // Since the beginning of time: all of their versions are checked.
      await storeAssignments(client, new Map(assignments.map((assignmentKey) => [assignmentKey, 0])), betweenSteps)
      await people.mend(users)
    })

  return {
    shares,
    find,
    refold,
    async mend(share, doubtful, betweenSteps) {
      let left = doubtful
      for (let tries = 0; tries < maxTries && left.assignments.length + left.people.length > 0; tries++) {
        await refold(left, betweenSteps)
        left = await find(share)
      }
      return left
    },
  }
}
