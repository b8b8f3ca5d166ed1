/** Guides by need: what is overdue first. Findings in one sentence, with n. */
import type { GuideMetrics } from '../../schemas/metrics/guide-metrics.ts'
import { fewestToRank } from './findings.ts'
import { counted, type Format } from './format.ts'

/** `id`: `null` where there is nothing to filter by. */
export type GuideLine = { id: string | null; name: string; metrics: GuideMetrics }

const shareDone = ({ metrics }: GuideLine) => metrics.completion_rate.value ?? 1

/** Most overdue first, then the lowest share completed; groups with too few assignments stand below, unranked. */
export function rankByNeed(lines: readonly GuideLine[]): { ranked: GuideLine[]; few: GuideLine[] } {
  const byNeed = (a: GuideLine, b: GuideLine) =>
    b.metrics.overdue.value - a.metrics.overdue.value ||
    shareDone(a) - shareDone(b) ||
    a.name.localeCompare(b.name, 'en')
  return {
    ranked: lines.filter(({ metrics }) => metrics.assigned.value >= fewestToRank).sort(byNeed),
    few: lines.filter(({ metrics }) => metrics.assigned.value < fewestToRank).sort(byNeed),
  }
}

export function guidesFinding(lines: readonly GuideLine[], noun: 'guide' | 'team', format: Format): string {
  const { ranked } = rankByNeed(lines)
  const [most] = ranked
  if (lines.length === 0) return `No ${noun} in this scope.`
  if (most === undefined) return `No ${noun} has ${fewestToRank} assignments, too few to rank.`
  const lowest = ranked.reduce((a, b) => (shareDone(b) < shareDone(a) ? b : a))
  const done = `${lowest.name} is completed least: ${format.percent(shareDone(lowest))} of ${format.count(lowest.metrics.assigned.value)}`
  const { overdue, assigned, completed } = most.metrics
  if (overdue.value === 0) return `Nothing is overdue. ${done}.`
  return `${most.name} has most overdue: ${format.count(overdue.value)} of ${format.count(assigned.value - completed.value)} not completed. ${done}.`
}

export function guidesLead({ assigned, completed, overdue }: GuideMetrics, format: Format): string {
  if (assigned.value === 0) return 'No guide is assigned in this scope.'
  const open = assigned.value - completed.value
  return `${counted(format, completed.value, 'guide assignment')} of ${format.count(assigned.value)} completed; of ${format.count(open)} others ${format.count(overdue.value)} ${overdue.value === 1 ? 'is' : 'are'} overdue.`
}
