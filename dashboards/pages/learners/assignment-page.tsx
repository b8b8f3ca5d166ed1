import { capital } from '../../../language/format.ts'
import { isolateText, lookUp, rich, t } from '../../../language/translate.ts'
import { toSteps } from '../../../reporting/explain/steps.ts'
import { eventsPerPage, toTimeline } from '../../../reporting/explain/timeline.ts'
import { statusWords } from '../../../reporting/words/change-words.ts'
import type { TimelineEvent } from '../../../schemas/answers/timeline.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import { list } from '../../blocks/list.tsx'
import { definePage, type Ask, type Read, type View } from '../../blocks/page.ts'
import { challengeName, PersonLink, PlatformLink } from '../../components/people.tsx'
import { mayRemind } from '../../components/remind.tsx'
import { answerOf } from '../../components/stamp.tsx'
import { column, type Table } from '../../components/table.tsx'
import { TimelineList } from '../../components/timeline.tsx'
import { notAmongOwnPeople } from '../../http/problems.ts'
import type { PageContext } from '../../page-context.ts'
import { allButMoment, allFilters } from '../../scope/follow.ts'
import { pageNumber } from '../../scope/page-keys.ts'
import { href } from '../../scope/page-url.ts'

const own = { page: pageNumber }
type AssignmentView = View<Read<typeof readAssignment>, typeof own>

/** One assignment: its state, its story, and the events behind them. */
export const assignmentPage = definePage<AssignmentView['data'], typeof own>({
  path: '/assignments/:id',
  title: ({ id }) => t('Assignment {assignmentId}', { assignmentId: id }),
  question: ({ id, data: { row } }) =>
    row === null ? t('Assignment {assignmentId}', { assignmentId: id }) : isolateText(challengeName(row)),
  keys: { own, ignored: allButMoment },
  hasFilters: false,
  read: readAssignment,
  unknown: (c, routes) => notAmongOwnPeople(c, routes, 'assignment'),
  crumb: ({ context }) => ({ href: href('/assignments', allFilters(context)), name: t('Assignments') }),
  below: ({ context, data: { row, isTakenAway } }) =>
    row !== null ? (
      <State context={context} row={row} />
    ) : isTakenAway ? (
      <p class="notices">{t('It is taken away at this moment, so no number counts it.')}</p>
    ) : (
      <p class="notices">{t('It is assigned only after this moment, so no number counts it.')}</p>
    ),
  blocks: [
    {
      id: 'story',
      bare(view) {
        const shown = new Set(shownEvents(view).map(({ event_id }) => event_id))
        const steps = view.data.steps.filter(({ event_id }) => shown.has(event_id))
        const { context, data } = view
        return [<h2>{t('What happened')}</h2>, <TimelineList {...{ context, steps, row: data.row }} />]
      },
    },
    {
      id: 'events',
      title: 'Events',
      list: list({
        table: eventsTable,
        rows: ({ data }) => data.events,
        most: eventsPerPage,
        pageKey: 'page',
      }),
    },
  ],
})

async function readAssignment({ routes: { queries }, id, scope }: Ask<typeof own>) {
  const [events, { rows }, frame] = await Promise.all([
    queries.assignmentEvents(id, scope.asOf),
    queries.assignments(
      { ...scope, includeLeavers: true },
      { limit: 1, withTotal: false, onlyAssignment: id },
    ),
    queries.frame(scope),
  ])
  if (events.length === 0) return null
  const timeline = toTimeline(events)
  return {
    ...frame,
    answer: answerOf(scope),
    /** `null` where it is deleted at the moment, or not assigned yet. */
    row: rows[0] ?? null,
    /** The newest first. */
    events: timeline.events.toReversed(),
    steps: toSteps(timeline),
    /** How often it was assigned. */
    lives: timeline.lives.length,
    isTakenAway: timeline.lives.at(-1)?.ended_at !== null,
  }
}

/** A long story has only the steps of the events on the page. */
function shownEvents({ own: { page = '1' }, data: { events } }: AssignmentView): readonly TimelineEvent[] {
  if (page === 'all') return events
  return events.slice((Number(page) - 1) * eventsPerPage, Number(page) * eventsPerPage)
}

/** "Overdue by 165 days, due 16 Jun 2026", and what to do about it. */
function State({ context, row }: { context: PageContext; row: AssignmentRow }) {
  const { format } = context
  const { due_day: due, days_overdue: n, calculated_grade: grade } = row
  const state =
    n === null
      ? capital(statusWords(row.effective_status))
      : t('Overdue by {n, plural, =0 {less than a day} one {# day} other {# days}}', { n })
  const words = [
    state,
    n === null && grade !== null && t('grade {calculatedGrade}', { calculatedGrade: format.decimal(grade) }),
    due === null ? t('no due date') : t('due {dueDate}', { dueDate: format.dayYear(due) }),
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <>
      <p class="row-links">
        {row.overdue ? <b class="late-mark">{words}</b> : <b>{words}</b>}{' '}
        {row.overdue && row.user_id !== null && mayRemind(context) ? (
          <a class="button no-print" href={href('/remind', new URLSearchParams({ user: row.user_id }))}>
            {t('Remind')}
          </a>
        ) : null}{' '}
        <PlatformLink context={context} to="assignment" ids={row} className="button" />
      </p>
      <p>
        {rich('Assigned to {person}.', {
          person: <PersonLink context={context} id={row.user_id} name={row.user_name} />,
        })}
      </p>
    </>
  )
}

function eventsTable({ context: { format }, data: { lives } }: AssignmentView): Table<TimelineEvent> {
  return {
    label: 'Events',
    columns: [
      column('instant', 'event_time', 'When', (event) => event.at, {
        cell: ({ at, event_id }) => (
          <time id={`event-${event_id}`} datetime={at}>
            {format.instant(at)}
          </time>
        ),
      }),
      column('text', 'event_type', 'Event', { optional: true }),
      column('text', 'facts', 'What it says', (event) => toSaid(event, format)),
      column('instant', 'received_at', 'Received', {
        optional: true,
        cell: (event) => <>{format.instant(event.received_at)}</>,
      }),
      column(
        'text',
        'life',
        'Time assigned',
        ({ life }) => t('{some} of {all}', { some: life, all: lives }),
        {
          only: lives > 1 ? 'both' : 'file',
        },
      ),
      column('text', 'event_id', 'Receipt', {
        optional: true,
        cell: (event) => <code>{event.event_id.slice(0, 12)}</code>,
      }),
    ],
  }
}

/** The facts of an event, in words. */
function toSaid(event: TimelineEvent, format: PageContext['format']): string {
  const { status, completion_percentage: percent, calculated_grade: grade, due_date: due } = event
  const facts = [
    status !== null && lookUp(status.replaceAll('_', ' ')),
    percent !== null && t('{percent}% done', { percent: format.decimal(percent) }),
    event.is_submitted && t('submitted'),
    event.is_partially_graded && t('partially graded'),
    event.is_fully_graded && t('graded'),
    event.is_completed && t('completed'),
    event.passed && t('passed'),
    event.is_fully_graded &&
      grade !== null &&
      t('grade {calculatedGrade}', { calculatedGrade: format.decimal(grade) }),
    due === null ? t('no due date') : t('due {dueDate}', { dueDate: format.instant(due) }),
  ]
  return facts.filter(Boolean).join(', ')
}
