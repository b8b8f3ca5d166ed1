/** The steps of an assignment in words. */
import type { Step, StepKind } from '../../reporting/explain/steps.ts'
import type { Format } from '../../language/format.ts'
import { t, type Message } from '../../language/translate.ts'

const words: Record<StepKind, Message> = {
  assigned: 'Assigned',
  assigned_again: 'Assigned again',
  viewed: 'Viewed',
  started: 'Started',
  submitted: 'Handed in',
  graded: 'Graded',
  regraded: 'Grade changed',
  completed: 'Completed',
  due_moved: 'Due date moved',
  failed: 'Failed',
  reopened: 'Reopened',
  deleted: 'Taken away',
}

export function stepWords({ kind, from, to }: Step, format: Format): { name: string; detail: string } {
  const day = (value: unknown) => (typeof value === 'string' ? format.instantDay(value) : t('none§date'))
  const grade = (value: unknown) => (typeof value === 'number' ? format.decimal(value) : t('unknown'))
  const name = t(words[kind])
  if (kind === 'assigned' || kind === 'assigned_again')
    return { name, detail: to === null || to === undefined ? t('without a due date') : t('due {to}', { to: day(to) }) }
  if (kind === 'due_moved') return { name, detail: t('from {from} to {to}', { from: day(from), to: day(to) }) }
  if (kind === 'regraded')
    return {
      name,
      detail:
        from === to ? t('passed or not, changed') : t('from {from} to {to}', { from: grade(from), to: grade(to) }),
    }
  if (kind === 'graded') return { name, detail: t('grade {to}', { to: grade(to) }) }
  return { name, detail: '' }
}
