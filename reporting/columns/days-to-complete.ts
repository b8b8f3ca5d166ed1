/** How long completing takes. */
import { stateBits, type StateFact } from '../../schemas/metrics/state-bits.ts'
import type { Memory } from './memory.ts'
import { select, type InScope } from './select.ts'
import { inSlices } from './slices.ts'

const dayMs = 86_400_000
const has = (state: number, fact: StateFact): boolean => ((state >>> stateBits[fact]) & 1) === 1

export type DaysToComplete = { days: number; n: number }[]

/** Completed assignments by the whole days they took. Excludes those whose start or end was never sent. */
export async function findDaysToComplete(memory: Memory, inScope: InScope): Promise<DaysToComplete> {
  const counts = new Map<number, number>()
  for (const { columns, rows } of await select(memory, inScope)) {
    const { at, state } = columns
    await inSlices(rows.length, (from, to) => {
      for (const row of rows.subarray(from, to)) {
        const ended = at.completed_at[row]!
        if (!has(state[row]!, 'completed') || has(state[row]!, 'created_assumed') || ended === 0) continue
        const days = Math.max(0, Math.trunc((ended - at.created_at[row]!) / dayMs))
        counts.set(days, (counts.get(days) ?? 0) + 1)
      }
    })
  }
  return [...counts].sort(([a], [b]) => a - b).map(([days, n]) => ({ days, n }))
}
