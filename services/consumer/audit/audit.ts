/**
 * The net under everything that keeps versions right: finds assignments and people whose versions cannot be right, and folds
 * them once more. Nothing should ever be found; what could leave something is a process that was stopped for longer than the
 * second look waits, or a store that was put back.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Consumer } from '../consumer.ts'
import { selectRows } from '../store/sql.ts'
import { storeAssignments } from '../store/store-assignments.ts'
import type { People } from '../store/store-people.ts'

export type Doubtful = { assignments: string[]; people: string[] }

export type Audit = {
  /** The keys are looked at by shares, so that no statement holds all of them. */
  shares: number
  /** Of one share, what cannot be right, or is in the middle of a batch. Changes nothing. */
  find(share: number): Promise<Doubtful>
  /** Folds them once more, until they are right: their owner may be at the same keys. Gives what is doubtful even then. */
  mend(share: number, doubtful: Doubtful, betweenSteps?: () => Promise<void>): Promise<Doubtful>
}

const shares = 16
const maxTries = 3

export type AuditOptions = {
  client: ClickHouseClient
  /** The consumer's own. */
  people: People
  /** Keeps the consumer of this process from the same keys meanwhile. */
  exclusively: Consumer['exclusively']
}

export function createAudit({ client, people, exclusively }: AuditOptions): Audit {
  async function find(share: number): Promise<Doubtful> {
    const params = { shares, share }
    const assignments = await selectRows<{ assignmentKey: string }>(client, 'doubtful-assignments', params)
    const users = await selectRows<{ userId: string }>(client, 'doubtful-people', params)
    return {
      assignments: assignments.map(({ assignmentKey }) => assignmentKey),
      people: users.map(({ userId }) => userId),
    }
  }

  return {
    shares,
    find,
    async mend(share, doubtful, betweenSteps = () => Promise.resolve()) {
      let left = doubtful
      for (let tries = 0; tries < maxTries && left.assignments.length + left.people.length > 0; tries++) {
        // From the beginning of time: all of their versions are looked at.
        const { assignments, people: users } = left
        await exclusively(async () => {
          await storeAssignments(client, new Map(assignments.map((assignmentKey) => [assignmentKey, 0])), betweenSteps)
          await people.mend(users)
        })
        left = await find(share)
      }
      return left
    },
  }
}
