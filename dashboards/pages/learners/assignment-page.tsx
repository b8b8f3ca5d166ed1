import { columnHead } from '../../../reporting/exports/column-heads.ts'
import { canOpen } from '../../components/access.tsx'
import type { Step } from '../../../reporting/explain/steps.ts'
import type { TimelinePage } from '../../../reporting/explain/timeline.ts'
import type { TimelineEvent } from '../../../schemas/answers/timeline.ts'
import type { PageFrame } from '../../../reporting/metrics/overview.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { allFilters, momentOnly } from '../../scope/follow.ts'
import { Behind } from '../../components/behind.tsx'
import { Listing } from '../../components/listing.tsx'
import { challengeName, PersonLink, PlatformLink } from '../../components/people.tsx'
import { ThingPage } from '../../components/scope-page.tsx'
import { answerOf } from '../../components/stamp.tsx'
import { TimelineList } from '../../components/timeline.tsx'
import type { PageContext } from '../../page-context.ts'
import { href, type PageKey, withChange } from '../../scope/page-url.ts'
import { allColumns, Cell } from '../assignments/columns.tsx'
import { t, lookUp, rich } from '../../../language/translate.ts'

type AssignmentPageProps = {
  context: PageContext
  scope: Scope
  assignmentId: string
  /** `null` where it is deleted at the moment, or not assigned yet. */
  row: AssignmentRow | null
  timeline: TimelinePage
  /** Of the events of `timeline`. */
  steps: readonly Step[]
  /** How often it was assigned. */
  lives: number
  isTakenAway: boolean
  frame: PageFrame
  notices: string[]
}

/** One assignment: its story, its state with every fact, its lives and the events that say so. */
export function AssignmentPage(props: AssignmentPageProps) {
  const { context, scope, assignmentId, row, timeline, steps, lives, isTakenAway, frame, notices } = props
  const answer = answerOf(scope)
  const title = t('Assignment {assignmentId}', { assignmentId })
  const moment = new URLSearchParams([...context.params].filter(([key]) => momentOnly.includes(key as PageKey)))
  const api = href(`/api/assignments/${encodeURIComponent(assignmentId)}`, withChange(moment, { as_of: answer.as_of }))
  return (
    <ThingPage
      context={context}
      title={title}
      heading={row === null ? title : challengeName(row)}
      crumb={<a href={href('/assignments', allFilters(context))}>{t('Assignments')}</a>}
      frame={{ ...frame, answer }}
      notices={notices}
    >
      {row === null ? (
        <p class="notices">
          {isTakenAway
            ? t('It is taken away at this moment, so no number counts it.')
            : t('It is assigned only after this moment, so no number counts it.')}
        </p>
      ) : (
        <p>
          {rich('Assigned to {person}.', {
            person: <PersonLink context={context} id={row.user_id} name={row.user_name} />,
          })}{' '}
          <PlatformLink context={context} to="assignment" ids={row} />
        </p>
      )}
      <h2>{t('What happened')}</h2>
      <TimelineList context={context} steps={steps} row={row} eventHref={(eventId) => `#event-${eventId}`} />
      <h2>{t('Events')}</h2>
      {timeline.older === null ? null : (
        <p class="more">
          <a href={href(context.path, withChange(moment, { as_of: answer.as_of }), { before: timeline.older })}>
            {t('Older')}
          </a>
        </p>
      )}
      <Events context={context} events={timeline.events} lives={lives} />
      {row === null || !canOpen(context, '/data') ? null : (
        <Behind class="fold" summary={t('All fields')}>
          <dl class="facts all-facts">
            {allColumns.map((column) => (
              <div>
                <dt>{columnHead(column)}</dt>
                <dd>
                  <Cell context={context} row={row} column={column} />
                </dd>
              </div>
            ))}
          </dl>
          <p class="row-links">
            <a class="csv" href={api}>
              {t('State and events as JSON')}
            </a>
          </p>
        </Behind>
      )}
    </ThingPage>
  )
}

/** The facts of an event, in words; facts that it does not have are left out. */
function toSaid(event: TimelineEvent, format: PageContext['format']): string {
  const flags = [
    [event.is_submitted, t('submitted')],
    [event.is_partially_graded, t('partially graded')],
    [event.is_fully_graded, t('graded')],
    [event.is_completed, t('completed')],
    [event.passed, t('passed')],
  ] as const
  const facts = [
    event.status === null ? null : lookUp(event.status.replaceAll('_', ' ')),
    event.completion_percentage === null
      ? null
      : t('{percent}% done', { percent: format.decimal(event.completion_percentage) }),
    ...flags.map(([isSet, words]) => (isSet === true ? words : null)),
    event.is_fully_graded === true && event.calculated_grade !== null
      ? t('grade {calculatedGrade}', { calculatedGrade: format.decimal(event.calculated_grade) })
      : null,
    event.due_date === null ? t('no due date') : t('due {dueDate}', { dueDate: format.instant(event.due_date) }),
  ]
  return facts.filter((text) => text !== null && text !== undefined).join(', ')
}

type EventsProps = { context: PageContext; events: readonly TimelineEvent[]; lives: number }

function Events({ context: { format }, events, lives }: EventsProps) {
  return (
    <Listing
      label={t('Events')}
      className="rows"
      columns={[
        t('When'),
        t('Event'),
        t('What it says'),
        t('Received'),
        lives > 1 ? t('Time assigned') : null,
        t('Receipt'),
      ]}
      rows={events.map((event) => (
        <tr id={`event-${event.event_id}`}>
          <th scope="row">
            <time datetime={event.at}>{format.instant(event.at)}</time>
          </th>
          <td>{event.event_type}</td>
          <td>{toSaid(event, format)}</td>
          <td>{format.instant(event.received_at)}</td>
          {lives > 1 ? <td>{t('{some} of {all}', { some: event.life, all: lives })}</td> : null}
          <td>
            <code>{event.event_id.slice(0, 12)}</code>
          </td>
        </tr>
      ))}
    />
  )
}
