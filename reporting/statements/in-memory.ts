/** An answer from columns in memory, where the reader has a store that is held there. */
import { readUnder } from './reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { seenBy } from '../read/statement.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Memory } from '../columns/memory.ts'
import type { InScope } from '../columns/select.ts'

/** The same of two moments of a scope, from the rows stored at one. */
export async function betweenInMemory<Answer>(
  reader: Reader,
  before: Scope,
  scope: Scope,
  use: (memory: Memory, moments: { before: InScope; after: InScope }) => Promise<Answer>,
): Promise<Answer | undefined> {
  const under = before.manager.length === 0 || reader.memory === undefined ? [] : await readUnder(reader, before)
  return inMemory(reader, scope, (memory, after) => use(memory, { before: { ...after, scope: before, under }, after }))
}

/** `undefined`: ask the store. */
export async function inMemory<Answer>(
  reader: Reader,
  scope: Scope,
  use: (memory: Memory, inScope: InScope) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (reader.memory === undefined) return undefined
  const seenIds = await seenBy(reader, [...scope.user, ...scope.manager])
  const under = scope.manager.length === 0 ? [] : await readUnder(reader, scope)
  return reader.memory.ask((memory) => use(memory, { scope, under, seenIds }), reader.request?.())
}
