import type { Step, StepKind } from '../../reporting/explain/steps.ts'
import type { Format } from '../../language/format.ts'
import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import type { PageContext } from '../page-context.ts'
import { t, type Message } from '../../language/translate.ts'

type TimelineListProps = {
  context: PageContext
  steps: readonly Step[]
  row: AssignmentRow | null
}

/** The history of an assignment, in the order of time, with the event behind each step. */
export function TimelineList({ context: { format }, steps, row }: TimelineListProps) {
  const entries = steps.map((step) => ({
    at: step.at,
    name: t(words[step.kind]),
    detail: toDetail(step, format),
    eventId: step.event_id as string | null,
    life: step.life,
  }))
  // When it was viewed is told by the state; no event says it by its own time.
  const at = row?.first_viewed_at ?? null
  if (at !== null)
    entries.push({ at, name: t('Viewed'), detail: '', eventId: null, life: steps.at(-1)?.life ?? 1 })
  entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const lives = Math.max(1, ...entries.map(({ life }) => life))
  return (
    <ol class="timeline">
      {entries.map(({ at, name, detail, eventId, life }) => (
        <li>
          <time datetime={at}>{format.instant(at)}</time>
          <span>
            <strong>{name}</strong>
            {detail === '' ? '' : `, ${detail}`}
            {lives > 1 ? t(' (time {life} of {lives})', { life, lives }) : ''}
          </span>
          {eventId === null ? (
            <span></span>
          ) : (
            <a href={`#event-${eventId}`}>
              {t('Event')}
              <span class="visually-hidden"> {t('behind “{name}”', { name })}</span>
            </a>
          )}
        </li>
      ))}
    </ol>
  )
}

const words: Record<StepKind, Message> = {
  assigned: 'Assigned',
  assigned_again: 'Assigned again',
  viewed: 'Viewed',
  started: 'Started',
  submitted: 'Submitted',
  graded: 'Graded',
  regraded: 'Grade changed',
  completed: 'Completed',
  due_moved: 'Due date moved',
  failed: 'Failed',
  reopened: 'Reopened',
  deleted: 'Taken away',
}

function toDetail({ kind, from, to }: Step, format: Format): string {
  const day = (value: unknown) => (typeof value === 'string' ? format.dueDay(value) : t('none§date'))
  const grade = (value: unknown) => (typeof value === 'number' ? format.decimal(value) : t('unknown'))
  if (kind === 'assigned' || kind === 'assigned_again')
    return to === null || to === undefined ? t('without a due date') : t('due {to}', { to: day(to) })
  if (kind === 'due_moved') return t('from {from} to {to}', { from: day(from), to: day(to) })
  if (kind === 'regraded')
    return from === to
      ? t('passed or not, changed')
      : t('from {from} to {to}', { from: grade(from), to: grade(to) })
  return kind === 'graded' ? t('grade {to}', { to: grade(to) }) : ''
}
