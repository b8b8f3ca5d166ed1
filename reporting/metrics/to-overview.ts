/** The Overview's blocks besides the metrics, from the same snapshot. */
import { addDays, toPeriodStart } from '../../schemas/metrics/calendar.ts'
import { derive, holds, type Bits } from '../../schemas/metrics/facts.ts'
import { createRate, fellDue, metrics } from '../../schemas/metrics/metrics.ts'
import type { AttributeOptions, DueCohort, Freshness, Option, PageFrame, RankingRow } from './overview.ts'
import type { Blocks, Line } from './blocks.ts'
import { toAttribute, toAttributeKey } from '../scope/filters.ts'
import { toInstantOrNull } from '../../schemas/instant.ts'

/** By id. A person in two teams counts in both lines; no team is a line of its own. */
export const byId = (lines: readonly Line[]): Map<string, Line[]> =>
  new Map(
    [
      ...Map.groupBy(
        lines.flatMap((line) => (line.ids.length === 0 ? [''] : line.ids).map((id) => ({ id, line }))),
        ({ id }) => id,
      ),
    ].map(([id, entries]) => [id, entries.map(({ line }) => line)]),
  )

/** Most assignments first; ties by name. */
export function toRanking(
  lines: readonly Line[],
  kind: 'challenge' | 'team',
  names: Blocks['names'],
): RankingRow[] {
  const nameOf = new Map(names.filter(([of]) => of === kind).map(([, id, name]) => [id, name]))
  return [...byId(lines)]
    .map(([id, ofId]) => toRankingRow(id, nameOf.get(id) ?? id, ofId))
    .sort((a, b) => b.assigned - a.assigned || compare(a.name, b.name) || compare(a.id, b.id))
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

export const toFreshness = (blocks: Pick<Blocks, 'freshness' | 'complete_through'>): Freshness => ({
  ...blocks.freshness,
  complete_through: toInstantOrNull(blocks.complete_through),
})

export function toFilterOptions(names: Blocks['names'], people: Option[]): PageFrame['options'] {
  return {
    challenges: toOptions(names, 'challenge'),
    teams: toOptions(names, 'team'),
    people,
    attributes: toAttributeOptions(names),
  }
}

export function toAttributeOptions(names: Blocks['names']): AttributeOptions[] {
  const attributes = new Set(names.flatMap(([kind]) => toAttribute(kind) ?? []))
  return [...attributes].sort().map((name) => ({ name, values: toOptions(names, toAttributeKey(name)) }))
}

/** All names, whatever the scope: a filter must not remove its own alternatives. */
function toOptions(names: Blocks['names'], kind: string): Option[] {
  return names
    .filter(([of]) => of === kind)
    .map(([, id, name]) => ({ id, name }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id))
}

/** Much quicker than `localeCompare`, which says the same. */
const { compare } = new Intl.Collator('en', { numeric: true })
