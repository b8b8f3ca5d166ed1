import { columnHead } from '../../../reporting/exports/column-heads.ts'
import { toSteps } from '../../../reporting/explain/steps.ts'
import type { Timeline, TimelineEvent } from '../../../reporting/explain/timeline.ts'
import type { PageFrame } from '../../../reporting/metrics/overview.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { allFilters } from '../../scope/follow.ts'
import { Icon } from '../../components/icon.tsx'
import { Chips } from '../../components/filter-bar.tsx'
import { Layout } from '../../components/layout.tsx'
import { PersonLink } from '../../components/people.tsx'
import { PlatformLink } from '../../components/platform-link.tsx'
import { Stamp } from '../../components/stamp.tsx'
import { TimelineList } from '../../components/timeline.tsx'
import type { PageContext } from '../../page-context.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { allColumns, Cell } from '../assignments/columns.tsx'
import { t, lookUp, rich } from '../../../language/translate.ts'
import { Notices } from '../../components/messages.tsx'

type AssignmentPageProps = {
  context: PageContext
  scope: Scope
  assignmentId: string
  /** `null` where it is deleted at the moment. */
  row: AssignmentRow | null
  timeline: Timeline
  frame: PageFrame
  notices: string[]
}

/** One assignment: its story, its state with every fact, its lives and the events that say so. */
export function AssignmentPage({ context, scope, assignmentId, row, timeline, frame, notices }: AssignmentPageProps) {
  const { params } = context
  const asOf = new Date(scope.asOf).toISOString()
  const api = href(
    `/api/assignments/${encodeURIComponent(assignmentId)}`,
    withChange(new URLSearchParams(), { as_of: asOf, tz: params.get('tz') }),
  )
  return (
    <Layout context={context} title={t('Assignment {assignmentId}', { assignmentId })} sample={frame.freshness.sample}>
      <div class="page-head">
        <div>
          <p class="quiet">
            <a href={href('/assignments', allFilters(context))}>{t('Assignments')}</a>
          </p>
          <h1>
            {row === null
              ? t('Assignment {assignmentId}', { assignmentId })
              : (row.challenge ?? row.challenge_id ?? t('Unknown challenge'))}
          </h1>
          <Stamp
            context={context}
            overview={{
              answer: { as_of: asOf, time_zone: scope.timeZone, due_zone: scope.dueZone },
              freshness: frame.freshness,
            }}
          />
        </div>
      </div>
      <Chips context={context} options={frame.options} />
      <Notices notices={notices} />
      {row === null ? (
        <p class="notices">{t('It is taken away at this moment, so no number counts it.')}</p>
      ) : (
        <p>
          {rich('Assigned to {person}.', {
            person: <PersonLink context={context} id={row.user_id} name={row.user_name} />,
          })}{' '}
          <PlatformLink context={context} to="assignment" ids={row} />
        </p>
      )}
      <h2>{t('What happened')}</h2>
      <TimelineList
        context={context}
        steps={toSteps(timeline)}
        row={row}
        eventHref={(eventId) => `#event-${eventId}`}
      />
      <h2>{t('Events')}</h2>
      <Events context={context} timeline={timeline} />
      {row === null ? null : (
        <details class="fold">
          <summary>
            <Icon name="chevron" />
            {t('All fields')}
          </summary>
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
        </details>
      )}
    </Layout>
  )
}

/** What an event says, in words; what it does not say is left out. */
function toSaid(event: TimelineEvent, format: PageContext['format']): string {
  const flags = [
    [event.is_submitted, t('handed in')],
    [event.is_partially_graded, t('partially graded')],
    [event.is_fully_graded, t('graded')],
    [event.is_completed, t('completed')],
    [event.passed, t('passed')],
  ] as const
  const said = [
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
  return said.filter((text) => text !== null && text !== undefined).join(', ')
}

function Events({ context: { format }, timeline }: { context: PageContext; timeline: Timeline }) {
  const lives = timeline.lives.length
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={t('Events')}>
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">{t('When')}</th>
            <th scope="col">{t('Event')}</th>
            <th scope="col">{t('What it says')}</th>
            <th scope="col">{t('Received')}</th>
            {lives > 1 ? <th scope="col">{t('Time assigned')}</th> : null}
            <th scope="col">{t('Receipt')}</th>
          </tr>
        </thead>
        <tbody>
          {timeline.events.map((event) => (
            <tr id={`event-${event.event_id}`}>
              <th scope="row">
                <time datetime={event.at}>{format.instant(event.at)}</time>
              </th>
              <td>{event.event_type}</td>
              <td>{toSaid(event, format)}</td>
              <td>{format.instant(event.received_at)}</td>
              {lives > 1 ? (
                <td>{t('{life} of {lives}', { life: format.count(event.life), lives: format.count(lives) })}</td>
              ) : null}
              <td>
                <code>{event.event_id.slice(0, 12)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
