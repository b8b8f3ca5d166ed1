/** The parts of the pages and the API for giving people guides. */
import type { GuideOrders } from '../services/guide-orders/create-guide-orders.ts'
import { maxPeoplePerOrder } from '../services/guide-orders/guide-orders.ts'
import type { Scope } from '../schemas/metrics/scope.ts'
import type { Queries } from '../reporting/queries/queries.ts'

/** The people behind the assignments of a scope, each once, ordered by their newest assignment. */
export type PeopleOfList = {
  userIds: string[]
  /** The number of assignments read; all of them unless `isCut`. */
  assignments: number
  /** More people than an order allows. */
  isCut: boolean
}

export type Assigning = {
  orders: GuideOrders
  peopleOf(scope: Scope): Promise<PeopleOfList>
  /** Whether the people come from the sample platform: every page then says so. */
  isSample(): Promise<boolean>
}

const rowsPerPage = 1_000

export function createAssigning(
  orders: GuideOrders,
  queries: Pick<Queries, 'assignments' | 'isSample'>,
): Assigning {
  return {
    orders,
    isSample: () => queries.isSample(),
    async peopleOf(scope) {
      const userIds = new Set<string>()
      let assignments = 0
      let cursor: Parameters<Queries['assignments']>[1]['cursor'] = null
      do {
        const page: Awaited<ReturnType<Queries['assignments']>> = await queries.assignments(scope, {
          cursor,
          limit: rowsPerPage,
          withTotal: false,
        })
        for (const { user_id } of page.rows) if (user_id !== null) userIds.add(user_id)
        assignments += page.rows.length
        cursor = page.next
      } while (cursor !== null && userIds.size <= maxPeoplePerOrder)
      return {
        userIds: [...userIds].slice(0, maxPeoplePerOrder),
        assignments,
        isCut: userIds.size > maxPeoplePerOrder,
      }
    },
  }
}
