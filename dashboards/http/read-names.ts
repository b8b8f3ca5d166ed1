/** Names for the filters of pages that somebody kept: of teams, challenges and people, with the rights of the reader. */
import { currentVisitor } from '../../services/access/visitor.ts'
import type { Overview } from '../../reporting/metrics/overview.ts'
import { createScope } from '../../reporting/scope/parse-scope.ts'
import type { RouteContext } from '../dashboards-deps.ts'

/** `undefined`: ids are all there is to say to somebody who reads no rows. */
export async function readNames(
  { queries, clock, settings }: RouteContext,
  addresses: readonly URLSearchParams[],
): Promise<Overview['options'] | undefined> {
  if (addresses.length === 0 || !currentVisitor().audience.persons) return undefined
  const people = ['manager', 'user'].flatMap((key) => addresses.flatMap((query) => query.getAll(key)))
  return (await queries.frame({ ...createScope(clock(), settings), user: [...new Set(people)] })).options
}
