/** The waits under a forecast, from columns in memory: as `statements/waits.ts`. */
import { z } from 'zod'
import { stateBits, type StateFact } from '../../schemas/metrics/state-bits.ts'
import { noDue, type PastWaits } from '../forecast/hazard.ts'
import type { Columns } from './columns.ts'
import type { Memory } from './memory.ts'
import { narrow, select, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'

const dayMs = 86_400_000
const mostIds = 500
const mostPast = 10_000
const has = (state: number, fact: StateFact): boolean => ((state >>> stateBits[fact]) & 1) === 1
const daysUntil = (due: number, asOf: number): number =>
  due === 0 ? noDue : Math.max(-20_000, Math.min(20_000, Math.floor((due - asOf) / dayMs)))
const daysSince = (at: number, asOf: number): number => Math.trunc((asOf - at) / dayMs)

export const waitSchema = z.object({
  kind: z.enum(['completed', 'completed_unmeasured', 'failed', 'open', 'open_unmeasured']),
  days: z.number(),
  due: z.number(),
  n: z.number(),
  assignment_ids: z.array(z.string()),
})
type Wait = z.infer<typeof waitSchema>

/** In order of kind, days and days left. */
export async function findWaits(memory: Memory, inScope: InScope): Promise<Wait[]> {
  const { asOf } = inScope.scope
  const waits = new Map<string, Wait>()
  for (const { columns, rows } of await select(memory, inScope)) {
    const { at, state: states } = columns
    await inSlices(rows.length, (from, to) => {
      for (const row of rows.subarray(from, to)) {
        const state = states[row]!
        const finished = at.completed_at[row]!
        const kind = toKind(state, finished !== 0)
        const days = Math.max(0, daysSince(at.created_at[row]!, kind === 'completed' ? finished : asOf))
        const due = kind === 'open' ? daysUntil(at.due_date[row]!, asOf) : noDue
        const key = `${kind} ${days} ${due}`
        let wait = waits.get(key)
        if (wait === undefined) waits.set(key, (wait = { kind, days, due, n: 0, assignment_ids: [] }))
        wait.n++
        if (kind === 'open') wait.assignment_ids.push(columns.idOf(row).toString())
      }
    })
  }
  return [...waits.values()]
    .map((wait) => ({ ...wait, assignment_ids: wait.assignment_ids.sort(compare).slice(0, mostIds) }))
    .sort((a, b) => compare(a.kind, b.kind) || a.days - b.days || a.due - b.due)
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function toKind(state: number, isFinishKnown: boolean): Wait['kind'] {
  const isAssumed = has(state, 'created_assumed')
  if (has(state, 'completed')) return isFinishKnown && !isAssumed ? 'completed' : 'completed_unmeasured'
  if (has(state, 'failed')) return 'failed'
  return isAssumed ? 'open_unmeasured' : 'open'
}

export async function findPastWaits(memory: Memory, inScope: InScope): Promise<PastWaits> {
  const { asOf } = inScope.scope
  const measured: Selection[] = []
  for (const selection of await select(memory, inScope)) {
    const { rows, columns } = selection
    const isMeasured = (row: number) => {
      const state = columns.state[row]!
      return !has(state, 'created_assumed') && !(has(state, 'completed') && columns.at.completed_at[row] === 0)
    }
    measured.push(await narrow(selection, (index) => isMeasured(rows[index]!)))
  }
  // Keys are hashes, so the first ones are a sample without choice.
  const last = await findLastHalf(measured)
  const candidates: { columns: Columns; row: number; key: bigint }[] = []
  for (const { columns, rows } of measured) {
    await inSlices(rows.length, (from, to) => {
      for (const row of rows.subarray(from, to))
        if (columns.halfKeyOf(row) <= last) candidates.push({ columns, row, key: columns.keyOf(row) })
    })
  }
  const past = { born: [], ended: [], completed: [], due: [] } as Record<keyof PastWaits, number[]>
  for (const { columns, row } of candidates.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, mostPast)) {
    const { at, state } = columns
    const isCompleted = has(state[row]!, 'completed')
    const began = at.created_at[row]!
    const judged = at.first_graded_at[row]! || at.first_submitted_at[row]!
    // A failed assignment ended when it was graded, or handed in.
    const endedAt = isCompleted ? Math.max(at.completed_at[row]!, began) : judged === 0 ? 0 : Math.max(judged, began)
    const isOpen = !isCompleted && !has(state[row]!, 'failed')
    past.born.push(daysSince(began, asOf))
    past.ended.push(isOpen ? -1 : endedAt === 0 ? 0 : daysSince(Math.min(asOf, endedAt), asOf))
    past.completed.push(Number(isCompleted))
    past.due.push(daysUntil(at.due_date[row]!, asOf))
  }
  return past
}

/** A half key up to which there are `mostPast` rows, and few more. */
async function findLastHalf(selections: readonly Selection[]): Promise<number> {
  const counts = new Uint32Array(65_536)
  for (const { columns, rows } of selections) {
    await inSlices(rows.length, (from, to) => {
      for (const row of rows.subarray(from, to)) counts[columns.halfKeyOf(row) >>> 16]!++
    })
  }
  let n = 0
  const step = counts.findIndex((count) => (n += count) >= mostPast)
  return step < 0 ? Infinity : step * 65_536 + 65_535
}
