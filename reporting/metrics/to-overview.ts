/** The Overview's blocks besides the metrics, from the same snapshot. */
import { addDays, toPeriodStart } from '../../schemas/metrics/calendar.ts'
import { derive, holds, toBits } from '../../schemas/metrics/facts.ts'
import { createRate, fellDue, metrics } from '../../schemas/metrics/metrics.ts'
import type { AttributeOptions, DueCohort, Freshness, Option, PageFrame, RankingRow } from './overview.ts'
import type { Blocks } from './blocks.ts'
import { toAttribute, toAttributeKey } from '../scope/filters.ts'
import { toInstantOrNull } from '../../schemas/instant.ts'

type Kind = 'challenge' | 'team'

/** A person in two teams counts in both lines; no team is a line of its own. */
export function toTeamRows(sets: Blocks['team_sets']): Blocks['challenges'] {
  return sets.flatMap(([teams, bits, count]) =>
    (teams.length === 0 ? [''] : teams).map((id): Blocks['challenges'][number] => [id, bits, count]),
  )
}

/** Most assignments first; ties by name. */
export function toRanking(rows: Blocks['challenges'], kind: Kind, names: Blocks['names']): RankingRow[] {
  const nameOf = new Map(names.filter(([of]) => of === kind).map(([, id, name]) => [id, name]))
  const byId = new Map<string, [string, number][]>()
  for (const [id, facts, n] of rows) {
    const counts = byId.get(id)
    if (counts === undefined) byId.set(id, [[facts, n]])
    else counts.push([facts, n])
  }
  return [...byId]
    .map(([id, counts]) => toRankingRow(id, nameOf.get(id) ?? id, counts))
    .sort((a, b) => b.assigned - a.assigned || compare(a.name, b.name) || compare(a.id, b.id))
}

const [completion, onTime] = [createRate(metrics.completion_rate), createRate(metrics.on_time_rate)]

/** How a combination of facts counts. Lines share few of them. */
type Judged = { completion: number; onTime: number; isOverdue: boolean; isAwaiting: boolean }
const judged = new Map<string, Judged>()

function judge(facts: string): Judged {
  const before = judged.get(facts)
  if (before !== undefined) return before
  const bits = derive(toBits(facts), 0)
  const made = {
    completion: completion.partOf(bits),
    onTime: onTime.partOf(bits),
    isOverdue: holds('overdue', bits),
    isAwaiting: holds('awaiting_grading', bits),
  }
  judged.set(facts, made)
  return made
}

/** `counts`: how many assignments have which of the facts of `rankingMask`. */
export function toRankingRow(
  id: string,
  name: string,
  counts: Iterable<readonly [string, number]>,
): RankingRow {
  let [assigned, overdue, awaiting_grading] = [0, 0, 0]
  const [completed, inTime]: [number[], number[]] = [[], []]
  for (const [facts, n] of counts) {
    const is = judge(facts)
    assigned += n
    if (is.isOverdue) overdue += n
    if (is.isAwaiting) awaiting_grading += n
    completed[is.completion] = (completed[is.completion] ?? 0) + n
    inTime[is.onTime] = (inTime[is.onTime] ?? 0) + n
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
  for (const [day, bits, count] of dueWeeks) {
    const facts = toBits(bits)
    const period_start = toPeriodStart('week', day)
    const cohort = weeks.get(period_start) ?? { period_start, on_time: 0, late: 0, open: 0 }
    weeks.set(period_start, cohort)
    for (const part of ['on_time', 'late', 'open'] as const)
      if (holds(fellDue[part], facts)) cohort[part] += count
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

export function toFreshness(
  blocks: Pick<Blocks, 'received' | 'complete_through' | 'is_sample' | 'has_challenge_events'>,
): Freshness {
  const [newest, newestFailed, failedToday, unrecognisedToday, lastHour] = blocks.received
  return {
    last_event_at: toInstantOrNull(Math.max(newest ?? 0, newestFailed ?? 0)),
    has_challenge_events: blocks.has_challenge_events,
    complete_through: toInstantOrNull(blocks.complete_through),
    last_hour: lastHour ?? 0,
    failed_today: failedToday ?? 0,
    unrecognised_today: unrecognisedToday ?? 0,
    sample: blocks.is_sample,
  }
}

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
