/** The Overview's blocks besides the metrics, from the same snapshot. */
import { addDays, toPeriodStart } from '../../schemas/metrics/calendar.ts'
import { derive, holds, type Bits } from '../../schemas/metrics/facts.ts'
import { createRate, fellDue, metrics } from '../../schemas/metrics/metrics.ts'
import type { DueCohort, Option, RankingRow } from './overview.ts'
import type { Blocks, Line } from './blocks.ts'

/** By id. An item of two ids is in both groups; those of no id are a group of their own. */
export function groupByIds<Item>(
  items: readonly Item[],
  idsOf: (item: Item) => readonly string[],
): Map<string, Item[]> {
  const entries = items.flatMap((item) => {
    const ids = idsOf(item)
    return (ids.length === 0 ? [''] : ids).map((id) => ({ id, item }))
  })
  const groups = Map.groupBy(entries, ({ id }) => id)
  return new Map([...groups].map(([id, ofId]) => [id, ofId.map(({ item }) => item)]))
}

/** A person in two teams counts in both lines. */
export const byId = (lines: readonly Line[]): Map<string, Line[]> => groupByIds(lines, ({ ids }) => ids)

/** Most assignments first; ties by name. */
export function toRanking(lines: readonly Line[], names: readonly Option[]): RankingRow[] {
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  return [...byId(lines)]
    .map(([id, ofId]) => toRankingRow(id, nameOf.get(id) ?? id, ofId))
    .sort((a, b) => b.assigned - a.assigned || compareNamed(a, b))
}

const [completion, onTime] = [createRate(metrics.completion_rate), createRate(metrics.on_time_rate)]

/** How a combination of facts counts, by its bits. Lines share few of them. */
const judged = new Map<number, ReturnType<typeof judgeAnew>>()

function judgeAnew(facts: Bits) {
  const bits = derive({ ...facts, days: NaN }, 0)
  return {
    completion: completion.partOf(bits),
    onTime: onTime.partOf(bits),
    overdue: Number(holds('overdue', bits)),
    awaiting: Number(holds('awaiting_grading', bits)),
  }
}

function judge(facts: Bits) {
  const key = facts.high * 2 ** 32 + facts.low
  const known = judged.get(key) ?? judgeAnew(facts)
  judged.set(key, known)
  return known
}

export function toRankingRow(id: string, name: string, lines: readonly Line[]): RankingRow {
  let [assigned, overdue, awaiting_grading] = [0, 0, 0]
  const [completed, inTime]: [number[], number[]] = [[], []]
  for (const { facts } of lines) {
    for (const each of facts) {
      const is = judge(each)
      assigned += each.n
      overdue += is.overdue * each.n
      awaiting_grading += is.awaiting * each.n
      completed[is.completion] = (completed[is.completion] ?? 0) + each.n
      inTime[is.onTime] = (inTime[is.onTime] ?? 0) + each.n
    }
  }
  return {
    id,
    name,
    assigned,
    completion_rate: completion.of(completed),
    on_time_rate: onTime.of(inTime),
    overdue,
    awaiting_grading,
  }
}

/**
 * By the week of the due day. Failed ones, and those completed at an unknown time, are neither on time nor late and are
 * left out.
 */
export function toDueCohorts(dueWeeks: Blocks['due_weeks']): DueCohort[] {
  const weeks = new Map<string, DueCohort>()
  for (const { ids, facts } of dueWeeks) {
    const period_start = toPeriodStart('week', ids[0]!)
    const cohort = weeks.get(period_start) ?? { period_start, on_time: 0, late: 0, open: 0 }
    weeks.set(period_start, cohort)
    for (const each of facts)
      for (const part of ['on_time', 'late', 'open'] as const)
        if (holds(fellDue[part], each)) cohort[part] += each.n
  }
  return fillWeeks([...weeks.values()].sort((a, b) => compare(a.period_start, b.period_start)))
}

/** A week without due dates shows as a gap; a year without does not. */
const maxGapWeeks = 52

function fillWeeks(cohorts: DueCohort[]): DueCohort[] {
  return cohorts.flatMap((cohort, index) => {
    const next = cohorts[index + 1]?.period_start ?? cohort.period_start
    const filled = [cohort]
    for (
      let start = addDays(cohort.period_start, 7);
      start < next && filled.length <= maxGapWeeks;
      start = addDays(start, 7)
    )
      filled.push({ period_start: start, on_time: 0, late: 0, open: 0 })
    return filled
  })
}

/** Much quicker than `localeCompare`, which says the same. */
const { compare } = new Intl.Collator('en', { numeric: true })

export const compareNamed = (a: Option, b: Option): number =>
  compare(a.name || a.id, b.name || b.id) || compare(a.id, b.id)
