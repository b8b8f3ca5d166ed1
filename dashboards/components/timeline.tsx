import type { Step } from '../../reporting/explain/steps.ts'
import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import type { PageContext } from '../page-context.ts'
import { stepWords } from './step-words.ts'
import { t } from '../../language/translate.ts'

type TimelineListProps = {
  context: PageContext
  steps: readonly Step[]
  row: AssignmentRow | null
  /** Where the events behind a step are. */
  eventHref: (eventId: string) => string
}

type Entry = { at: string; name: string; detail: string; eventId: string | null; life: number }

/** What happened to an assignment, in the order of time, with the event behind each step. */
export function TimelineList({ context, steps, row, eventHref }: TimelineListProps) {
  const { format } = context
  const entries = [...toEntries(steps, format), ...toViewed(steps, row)].sort((a, b) =>
    a.at < b.at ? -1 : a.at > b.at ? 1 : 0,
  )
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
            <a href={eventHref(eventId)}>
              {t('Event')}
              <span class="visually-hidden"> {t('behind “{name}”', { name })}</span>
            </a>
          )}
        </li>
      ))}
    </ol>
  )
}

function toEntries(steps: readonly Step[], format: PageContext['format']): Entry[] {
  return steps.map((step) => ({ ...stepWords(step, format), at: step.at, eventId: step.event_id, life: step.life }))
}

/** When it was viewed is told by the state; no event says it by its own time. */
function toViewed(steps: readonly Step[], row: AssignmentRow | null): Entry[] {
  const at = row?.first_viewed_at ?? null
  return at === null ? [] : [{ at, name: t('Viewed'), detail: '', eventId: null, life: steps.at(-1)?.life ?? 1 }]
}
