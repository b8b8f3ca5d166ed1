/** Guides by need: overdue ones first. Findings in one sentence, with n. */
import type { GuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import type { Format } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'

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
  const isTeam = noun === 'team'
  if (lines.length === 0) return isTeam ? t('No team in this scope.') : t('No guide in this scope.')
  if (most === undefined)
    return isTeam
      ? t('No team has {n} assignments, too few to rank.', { n: fewestToRank })
      : t('No guide has {n} assignments, too few to rank.', { n: fewestToRank })
  // "No team" in a sentence would say the opposite.
  const isNoTeam = ({ id }: GuideLine) => isTeam && id === null
  const lowest = ranked.reduce((a, b) => (shareDone(b) < shareDone(a) ? b : a))
  const done = t('Lowest completion: {name}, {lowest} of {value}', {
    name: isNoTeam(lowest) ? t('people without a team') : lowest.name,
    lowest: format.percent(shareDone(lowest)),
    value: format.count(lowest.metrics.assigned.value),
  })
  const { overdue, assigned, completed } = most.metrics
  if (overdue.value === 0) return t('Nothing is overdue. {done}.', { done })
  const late = {
    value: format.count(overdue.value),
    value2: format.count(assigned.value - completed.value),
    done,
  }
  return isNoTeam(most)
    ? t('People without a team have most overdue: {value} of {value2} not completed. {done}.', late)
    : t('{name} has most overdue: {value} of {value2} not completed. {done}.', { name: most.name, ...late })
}

export function guidesLead({ assigned, completed, overdue }: GuideMetrics): string {
  if (assigned.value === 0) return t('No guide is assigned in this scope.')
  const open = assigned.value - completed.value
  return t(
    '{completed, number} of {assigned, number} guide assignments are completed; {overdue, plural, one {# of the other {open, number} is} other {# of the other {open, number} are}} overdue.',
    { completed: completed.value, assigned: assigned.value, open, overdue: overdue.value },
  )
}
