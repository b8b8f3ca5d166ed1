import type { Change, SideOfChange } from '../queries/changes.ts'
import { effectiveStatuses, type EffectiveStatus } from '../../schemas/metrics/answer.ts'
import type { Format } from '../../language/format.ts'
import { t, type Message } from '../../language/translate.ts'
import type { ChangeCause, ChangeKind } from '../metrics/changes.ts'

const kinds: Record<ChangeKind, Message> = {
  assigned: 'added',
  became_overdue: 'became overdue',
  no_longer_overdue: 'no longer overdue',
  handed_in: 'submitted',
  graded: 'graded',
  completed: 'completed',
  failed: 'failed',
  regraded: 'regraded',
  reopened: 'no longer completed',
  deadline_moved: 'due date moved',
  removed: 'removed',
  came_into_scope: 'new in your view',
  left_scope: 'left your view',
  other: 'other: viewed, started, due soon',
}

const causes: Record<ChangeCause, Message> = { event: 'activity', time: 'date passed', people: 'moved team' }

const statuses: Record<EffectiveStatus, Message> = {
  completed: 'completed',
  failed: 'failed',
  awaiting_grading: 'waiting for a grade',
  overdue: 'overdue',
  in_progress: 'in progress',
  not_started: 'not started',
}

/** Within a line, as behind a number: "3 not started". */
export function statusWords(status: EffectiveStatus): string {
  return t(statuses[status])
}

export function kindWords(kind: ChangeKind): string {
  return t(kinds[kind])
}

export function causeWords(cause: ChangeCause): string {
  return t(causes[cause])
}

/** "in progress → overdue", "new, in progress", with the grade or the due date where that changed. */
export function beforeAfter({ before, after, kinds }: Change, format: Format): string[] {
  const arrow = (from: string, to: string) => (from === to ? [] : [`${from} → ${to}`])
  const due = ({ due_date }: SideOfChange) =>
    due_date === null ? t('no due date') : t('due {dueDate}', { dueDate: format.dueDay(due_date) })
  const grade = (side: SideOfChange) =>
    side.grade === null ? t('no grade') : t('grade {grade}', { grade: format.decimal(side.grade) })
  return [
    ...statusChange(before, after),
    ...(kinds.includes('graded') || kinds.includes('regraded') ? arrow(grade(before), grade(after)) : []),
    ...(kinds.includes('deadline_moved') ? arrow(due(before), due(after)) : []),
  ]
}

/** `undefined`: it is not there, or unknown. */
export function statusIn({ facts }: SideOfChange): EffectiveStatus | undefined {
  return effectiveStatuses.find((each) => facts.includes(each))
}

function statusChange(before: SideOfChange, after: SideOfChange): string[] {
  const [from, to] = [before, after].map((side) => {
    const status = statusIn(side)
    return status === undefined ? t('unknown') : statusWords(status)
  })
  const [isNew, isGone] = [before.facts.length === 0, after.facts.length === 0]
  if (isNew && !isGone) return [t('new, {status}', { status: to ?? '' })]
  if (isGone && !isNew) return [t('{status}, removed', { status: from ?? '' })]
  return from === to ? [] : [`${from} → ${to}`]
}
