import { toSteps } from '../../../reporting/explain/steps.ts'
import type { Timeline, TimelineEvent } from '../../../reporting/explain/timeline.ts'
import type { PageFrame } from '../../../reporting/metrics/overview.ts'
import type { AssignmentRow } from '../../../reporting/queries/assignment-row.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { Layout } from '../../components/layout.tsx'
import { Notices } from '../../components/notices.tsx'
import { PersonLink } from '../../components/people.tsx'
import { Stamp } from '../../components/stamp.tsx'
import { TimelineList } from '../../components/timeline.tsx'
import type { PageContext } from '../../page-context.ts'
import { href, withChange } from '../../url/page-url.ts'
import { allColumns, Cell, columnName } from '../assignments/columns.tsx'

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
    <Layout context={context} title={`Assignment ${assignmentId}`} sample={frame.freshness.sample}>
      <div class="page-head">
        <div>
          <p class="quiet">
            <a href="/assignments">Assignments</a>
          </p>
          <h1>
            {row === null ? `Assignment ${assignmentId}` : (row.challenge ?? row.challenge_id ?? 'Unknown challenge')}
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
      <Notices notices={notices} />
      {row === null ? (
        <p class="notices">It is taken away at this moment, so no number counts it.</p>
      ) : (
        <p>
          Assigned to <PersonLink context={context} id={row.user_id} name={row.user_name} />.
        </p>
      )}
      <h2>What happened</h2>
      <TimelineList
        context={context}
        steps={toSteps(timeline)}
        row={row}
        eventHref={(eventId) => `#event-${eventId}`}
      />
      <h2>Events</h2>
      <Events context={context} timeline={timeline} />
      {row === null ? null : (
        <>
          <h2>State</h2>
          <dl class="facts all-facts">
            {allColumns.map((column) => (
              <div>
                <dt>{columnName(column)}</dt>
                <dd>
                  <Cell context={context} row={row} column={column} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <p class="row-links">
        <a class="csv" href={api}>
          State and events as JSON
        </a>
      </p>
    </Layout>
  )
}

/** What an event says, in words; what it does not say is left out. */
function toSaid(event: TimelineEvent, format: PageContext['format']): string {
  const flags = [
    [event.is_submitted, 'handed in'],
    [event.is_partially_graded, 'partially graded'],
    [event.is_fully_graded, 'graded'],
    [event.is_completed, 'completed'],
    [event.passed, 'passed'],
  ] as const
  const said = [
    event.status?.replaceAll('_', ' '),
    event.completion_percentage === null ? null : `${format.decimal(event.completion_percentage)}% done`,
    ...flags.map(([isSet, words]) => (isSet === true ? words : null)),
    event.is_fully_graded === true && event.calculated_grade !== null
      ? `grade ${format.decimal(event.calculated_grade)}`
      : null,
    event.due_date === null ? 'no due date' : `due ${format.instant(event.due_date)}`,
  ]
  return said.filter((text) => text !== null && text !== undefined).join(', ')
}

function Events({ context: { format }, timeline }: { context: PageContext; timeline: Timeline }) {
  const lives = timeline.lives.length
  return (
    <div class="scroll" tabindex={0} role="group" aria-label="Events">
      <table class="rows">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Event</th>
            <th scope="col">What it says</th>
            <th scope="col">Received</th>
            {lives > 1 ? <th scope="col">Time assigned</th> : null}
            <th scope="col">Receipt</th>
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
                <td>
                  {format.count(event.life)} of {format.count(lives)}
                </td>
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
