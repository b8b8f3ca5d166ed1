/** What a forecast rests on, from columns in memory: as `statements/waits.ts`. */
import { stateBits, type StateFact } from '../../schemas/metrics/state-bits.ts'
import { noDue, type PastWaits } from '../forecast/hazard.ts'
import type { Columns } from './columns.ts'
import type { Memory } from './memory.ts'
import { select, type InScope } from './select.ts'

const dayMs = 86_400_000
const mostIds = 500
const mostPast = 10_000
const has = (state: number, fact: StateFact): boolean => ((state >>> stateBits[fact]) & 1) === 1
const daysUntil = (due: number, asOf: number): number =>
  due === 0 ? noDue : Math.max(-20_000, Math.min(20_000, Math.floor((due - asOf) / dayMs)))
const daysSince = (at: number, asOf: number): number => Math.trunc((asOf - at) / dayMs)

export type Wait = {
  kind: 'completed' | 'completed_unmeasured' | 'failed' | 'open' | 'open_unmeasured'
  days: number
  due: number
  n: number
  assignment_ids: string[]
}

/** In order of kind, days and days left. */
export async function findWaits(memory: Memory, inScope: InScope): Promise<Wait[]> {
  const { asOf } = inScope.scope
  const waits = new Map<string, Wait>()
  for (const { columns, rows } of await select(memory, inScope)) {
    for (const row of rows) {
      const { at, state: states } = columns
      const [state, finished] = [states[row]!, at.completed_at[row]!]
      const kind = toKind(state, finished !== 0)
      const days = Math.max(0, daysSince(at.created_at[row]!, kind === 'completed' ? finished : asOf))
      const due = kind === 'open' ? daysUntil(at.due_date[row]!, asOf) : noDue
      const key = `${kind} ${days} ${due}`
      let own = waits.get(key)
      if (own === undefined) waits.set(key, (own = { kind, days, due, n: 0, assignment_ids: [] }))
      own.n++
      if (kind === 'open') own.assignment_ids.push(columns.idOf(row).toString())
    }
  }
  return [...waits.values()]
    .map((own) => ({ ...own, assignment_ids: own.assignment_ids.sort(compare).slice(0, mostIds) }))
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
  let found: { columns: Columns; row: number; isCompleted: boolean }[] = []
  for (const { columns, rows } of await select(memory, inScope)) {
    for (const row of rows) {
      const { at, state: states } = columns
      const [state, completed] = [states[row]!, at.completed_at[row]!]
      const isCompleted = has(state, 'completed')
      if (has(state, 'created_assumed') || (isCompleted && completed === 0)) continue
      found.push({ columns, row, isCompleted })
    }
  }
  // Keys are hashes, so the first ones are a sample without choice.
  if (found.length > mostPast) {
    const half = ({ columns, row }: (typeof found)[number]) => columns.halfKeyOf(row)
    const last = Uint32Array.from(found, half).sort()[mostPast - 1]!
    const keyed = found
      .filter((each) => half(each) <= last)
      .map((each) => ({ ...each, key: each.columns.keyOf(each.row) }))
    found = keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, mostPast)
  }
  const past = { born: [], ended: [], completed: [], due: [] } as Record<keyof PastWaits, number[]>
  for (const { columns, row, isCompleted } of found) {
    const { at, state } = columns
    const began = at.created_at[row]!
    const judged = at.first_graded_at[row]! || at.first_submitted_at[row]!
    // What failed ended when it was graded, or handed in.
    const known = isCompleted ? Math.max(at.completed_at[row]!, began) : judged === 0 ? 0 : Math.max(judged, began)
    const isOpen = !isCompleted && !has(state[row]!, 'failed')
    past.born.push(daysSince(began, asOf))
    past.ended.push(isOpen ? -1 : known === 0 ? 0 : daysSince(Math.min(asOf, known), asOf))
    past.completed.push(Number(isCompleted))
    past.due.push(daysUntil(at.due_date[row]!, asOf))
  }
  return past
}
