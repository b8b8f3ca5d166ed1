/** Findings in one sentence, with n. */
import type { Format } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { GuidePart } from '../../../reporting/statements/guides.ts'
import type { GuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import { fewestToRank } from '../../components/figures/findings.ts'

/** A guide, or a team. `id`: `null` for no team. */
export type GuideLine = GuideMetrics & { id: string | null; name: string }

export const partNames: Record<GuidePart, Message> = {
  assigned: 'assigned',
  completed: 'completed',
  overdue: 'overdue',
  on_time: 'completed on time',
  decided: 'completed or overdue',
}

const shareDone = ({ completion_rate }: GuideLine) => completion_rate.value ?? 1

/** `lines`: the most overdue first. */
export function guidesFinding(lines: readonly GuideLine[], noun: 'guide' | 'team', format: Format): string {
  const ranked = lines.filter(({ assigned }) => assigned.value >= fewestToRank)
  const [most] = ranked
  const isTeam = noun === 'team'
  if (most === undefined)
    return isTeam
      ? t('Not enough data to rank teams yet ({n} assignments needed).', { n: fewestToRank })
      : t('Not enough data to rank guides yet ({n} assignments needed).', { n: fewestToRank })
  const lowest = ranked.reduce((a, b) => (shareDone(b) < shareDone(a) ? b : a))
  const done = t('Lowest completion: {name}, {lowest} of {value}.', {
    name: lowest.name,
    lowest: format.percent(shareDone(lowest)),
    value: format.count(lowest.assigned.value),
  })
  const { name, overdue, assigned, completed } = most
  const open = format.count(assigned.value - completed.value)
  const late =
    overdue.value === 0
      ? t('Nothing is overdue.')
      : t('Most overdue: {name}, {n} of {open} open.', { name, n: format.count(overdue.value), open })
  return `${late} ${done}`
}
