/** How long completing takes. */
import { forEachDuration } from './durations.ts'
import type { Memory } from './memory.ts'
import { select, type InScope } from './select.ts'

const dayMs = 86_400_000

export type DaysToComplete = { days: number; n: number }[]

/** Completed assignments by the whole days they took. Excludes those whose start or end was never sent. */
export async function findDaysToComplete(memory: Memory, inScope: InScope): Promise<DaysToComplete> {
  const counts = new Map<number, number>()
  const count = (ms: number, hasEnded: boolean) => {
    if (hasEnded) counts.set(Math.trunc(ms / dayMs), (counts.get(Math.trunc(ms / dayMs)) ?? 0) + 1)
  }
  for (const selection of await select(memory, inScope)) {
    await forEachDuration('time_to_complete', selection, inScope.scope.asOf, count)
  }
  return [...counts].sort(([a], [b]) => a - b).map(([days, n]) => ({ days, n }))
}
