/** The one way to rows of assignments: the columns of a scope for a reader, held in memory or read for the question. */
import { readUnder } from './reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { seenBy } from '../read/statement.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Memory } from '../columns/memory.ts'
import type { InScope } from '../columns/select.ts'

/** `since`: the question is also about versions that held since this instant, epoch ms. */
export async function columnsFor<Answer>(
  reader: Reader,
  scope: Scope,
  use: (memory: Memory, inScope: InScope) => Promise<Answer>,
  since?: number,
): Promise<Answer> {
  const inScope = await toInScope(reader, scope)
  const question = { moments: [inScope], ...(since !== undefined && { since, ofWholeAssignments: true }) }
  return reader.memory.ask((memory) => use(memory, inScope), question, reader.request?.())
}

/** The same of two moments of a scope, from the rows stored at one. */
export async function columnsBetween<Answer>(
  reader: Reader,
  before: Scope,
  scope: Scope,
  use: (memory: Memory, moments: { before: InScope; after: InScope }) => Promise<Answer>,
): Promise<Answer> {
  const [earlier, after] = [await toInScope(reader, before), await toInScope(reader, scope)]
  // Whom a reader sees may change between the two readings of it.
  const moments = { before: { ...earlier, seenIds: after.seenIds }, after }
  const question = { moments: [moments.before, after], ofWholeAssignments: true }
  return reader.memory.ask((memory) => use(memory, moments), question, reader.request?.())
}

export async function toInScope(reader: Reader, scope: Scope): Promise<InScope> {
  const seenIds = await seenBy(reader)
  const under = scope.manager.length === 0 ? [] : await readUnder(reader, scope)
  return { scope, under, seenIds }
}
