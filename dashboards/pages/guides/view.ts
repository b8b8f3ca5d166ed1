import type { Format } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { GuidesPageAnswer } from '../../../reporting/queries/guides.ts'
import { guideParts, type GuidePart } from '../../../reporting/statements/guides.ts'
import type { GuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import type { PageData, View } from '../../blocks/page.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import { oneOf, type OwnKey } from '../../scope/page-keys.ts'

export const partNames: Record<GuidePart, Message> = {
  assigned: 'assigned',
  completed: 'completed',
  overdue: 'overdue',
  on_time: 'completed on time',
  decided: 'completed or overdue',
}

/** The parameters that only this page has. */
export const own = {
  guide: {
    read: (id) => id.slice(0, 200),
    chip: { label: 'Guide', words: (id, _scope, _format, names) => names?.get(id) || id },
  } as OwnKey,
  /** Which rows are listed. */
  show: oneOf(guideParts, { label: 'Guide assignments', words: (part) => t(partNames[part]) }),
}

/** `names`: of guides. */
export type GuidesView = View<
  PageData & { guides: GuidesPageAnswer; names: ReadonlyMap<string, string> },
  typeof own
>

/** A guide, or a team. `id`: `null` for no team. */
export type GuideLine = GuideMetrics & { id: string | null; name: string }

/** `lines`: the most overdue first. */
export function guidesFinding(lines: readonly GuideLine[], format: Format): string {
  const most = lines.find(({ assigned }) => assigned.value >= fewestToRank)
  if (most === undefined)
    return t('Not enough data to rank yet ({n} assignments needed).', { n: fewestToRank })
  const { name, overdue, assigned, completed } = most
  if (overdue.value === 0) return t('Nothing is overdue.')
  return t('Most overdue: {name}, {n} of {open} open.', {
    name,
    n: format.count(overdue.value),
    open: format.count(assigned.value - completed.value),
  })
}
