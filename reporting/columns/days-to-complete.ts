/** How long completing takes. */
import { createDurations } from './durations.ts'
import type { Memory } from './memory.ts'
import { forEachRow, select, type InScope } from './select.ts'

const dayMs = 86_400_000

export type DaysToComplete = { days: number; n: number }[]

/** Completed assignments by the whole days they took. Excludes those whose start or end was never sent. */
export async function findDaysToComplete(memory: Memory, inScope: InScope): Promise<DaysToComplete> {
  const counts: number[] = []
  const count = (ms: number, hasEnded: boolean) => {
    const days = Math.trunc(ms / dayMs)
    if (hasEnded) counts[days] = (counts[days] ?? 0) + 1
  }
  await forEachRow(await select(memory, inScope), (selection) => {
    const measure = createDurations('time_to_complete', selection, inScope.scope.asOf)
    return (row, code) => measure(row, code, count)
  })
  return counts.flatMap((n, days) => ({ days, n }))
}
