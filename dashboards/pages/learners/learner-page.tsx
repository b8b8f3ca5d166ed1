import type { Step } from '../../../reporting/explain/steps.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import type { OnePerson, Person } from '../../../reporting/statements/learners.ts'
import type { RowPage } from '../../../reporting/statements/rows.ts'
import { allFilters } from '../../scope/follow.ts'
import { Behind } from '../../components/behind.tsx'
import { Count } from '../../components/count.tsx'
import { ChallengeLink, challengeName, ObjectLinks, PlatformLink } from '../../components/people.tsx'
import { mayRemind, RemindedNote, type Reminded } from '../../components/remind.tsx'
import { ThingPage } from '../../components/scope-page.tsx'
import { TimelineList } from '../../components/timeline.tsx'
import type { PageContext } from '../../page-context.ts'
import { capital, counted } from '../../../language/format.ts'
import { objectHref } from '../../components/group-url.ts'
import { CohortFigure, type DrawnChart } from '../../components/figures/figures.tsx'
import { isAddress } from '../../../services/config/values/address.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { statusWords } from '../../../reporting/words/change-words.ts'
import { t, rich } from '../../../language/translate.ts'

type LearnerPageProps = {
  context: PageContext
  userId: string
  person: OnePerson | null
  page: RowPage
  /** With its last steps. */
  assignments: { row: AssignmentRow; steps: readonly Step[] }[]
  overview: Overview
  cohorts: DrawnChart
  /** Whether guides can be given here. */
  canAssign: boolean
  reminded: Reminded | undefined
  notices: string[]
}

/** Assignments whose story is told without a click. */
const mostOpen = 3

/** One person: their overdue work, and the story of each assignment. */
export function LearnerPage(props: LearnerPageProps) {
  const { context, userId, person, page, assignments, overview, cohorts, canAssign, reminded, notices } = props
  const { format } = context
  const { metrics, as_of: asOf } = overview.answer
  const n = metrics.overdue.value
  const overdue = assignments.map(({ row }) => row).filter((row) => row.overdue)
  const [finished = [], current = []] = [true, false].map((isFinished) =>
    assignments.filter(({ row }) => (row.completed || row.failed) === isFinished),
  )
  const name = person?.user_name || assignments[0]?.row.user_name || userId
  const total = page.total ?? 0
  return (
    <ThingPage
      context={context}
      title={name}
      heading={name}
      crumb={<a href={href('/learners', allFilters(context))}>{t('Learners')}</a>}
      frame={overview}
      notices={notices}
      tools={
        canAssign && person?.is_active === true ? (
          <a class="button" href={href('/assign', new URLSearchParams({ user: userId }))}>
            {t('Assign a guide')}
          </a>
        ) : null
      }
    >
      <PersonFacts context={context} person={person} userId={userId} />
      <StatusCounts context={context} metrics={metrics} />
      {n === 0 ? null : (
        <section class="attention" aria-labelledby="overdue-title">
          <h2 id="overdue-title">{t('{n, plural, one {# assignment} other {# assignments}} overdue', { n })}</h2>
          <ul>
            {overdue.toSorted(longestFirst).map((row) => (
              <li>
                <p>
                  {rich('{challenge}, due {day}, {n, plural, =0 {less than a day} one {# day} other {# days}} late.', {
                    challenge: <strong>{challengeName(row)}</strong>,
                    day: format.dayYear(row.due_day!),
                    n: row.days_overdue ?? 0,
                  })}
                </p>
              </li>
            ))}
          </ul>
          {n > overdue.length ? (
            <p class="more">
              <Count context={context} n={n} narrow={{ fact: 'overdue' }}>
                {t('All {assignments}', { assignments: counted(format, n, 'overdue assignment') })}
              </Count>
            </p>
          ) : null}
          <p>
            {mayRemind(context) ? (
              <a class="button no-print" href={href('/remind', new URLSearchParams({ user: userId }))}>
                {t('Remind this person')}
              </a>
            ) : null}{' '}
            <RemindedNote context={context} reminded={reminded} />
          </p>
        </section>
      )}
      {overview.due_cohorts.length === 0 ? null : (
        <CohortFigure
          context={context}
          overview={overview}
          drawn={cohorts}
          block={(name) =>
            href(`/overview/${name}.csv`, withChange(context.rows?.params ?? context.params, { as_of: asOf }))
          }
        />
      )}
      <h2>{t('Assignments')}</h2>
      {assignments.length === 0 ? <p class="empty">{t('Nothing is assigned at this moment.')}</p> : null}
      {current.slice(0, mostOpen).map(({ row, steps }) => (
        <AssignmentCard context={context} row={row} steps={steps} isOpen />
      ))}
      <FoldedCards context={context} assignments={current.slice(mostOpen)} says="{n} more, not completed" />
      <FoldedCards
        context={context}
        assignments={finished}
        says="{n} completed or failed"
        isOpen={current.length === 0}
      />
      {total > assignments.length ? (
        <p class="more">
          {t('The newest {n} are shown.', { n: format.count(assignments.length) })}{' '}
          <Count context={context} n={total} narrow={{}}>
            {t('All {total}', { total: format.count(total) })}
          </Count>
        </p>
      ) : null}
    </ThingPage>
  )
}

function longestFirst(a: AssignmentRow, b: AssignmentRow): number {
  return (b.days_overdue ?? 0) - (a.days_overdue ?? 0)
}

function PersonFacts({ context, person, userId }: { context: PageContext; person: OnePerson | null; userId: string }) {
  const { managers = [], teams = [], reports = 0, email = '' } = person ?? {}
  const linksOf = (kind: 'manager' | 'team', of: Person['teams']) =>
    of.length === 0 ? (
      <span class="quiet">{t('none known')}</span>
    ) : (
      <ObjectLinks context={context} kind={kind} of={of} />
    )
  const facts = [
    [t('Manager'), linksOf('manager', managers)],
    [t('Team'), linksOf('team', teams)],
    reports > 0 && [
      t('Leads'),
      <a href={objectHref('manager', userId, allFilters(context))}>
        {counted(context.format, reports, 'direct report')}
      </a>,
    ],
    isAddress(email) && [t('E-mail'), <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>{email}</a>],
    [t('Id'), userId],
    context.settings.platformLinks?.learner !== undefined && [
      t('At the platform'),
      <PlatformLink context={context} to="learner" ids={{ user_id: userId }} />,
    ],
    person?.is_active === false && [
      t('Active'),
      t('Has left: not in the numbers unless people who have left are included.'),
    ],
  ]
  return (
    <dl class="facts">
      {facts.map((fact) =>
        fact === false ? null : (
          <div>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** Counts by status: of all assignments, also of those that the page does not list. */
function StatusCounts({ context, metrics }: { context: PageContext; metrics: Metrics }) {
  const { assigned, statuses } = metrics
  return (
    <ul class="chips" aria-label={t('Assignments by status')}>
      <li>
        <span class="chip">
          {rich('{n} assigned', { n: <Count context={context} n={assigned.value} narrow={{}} /> })}
        </span>
      </li>
      {statuses.map(({ status, count }) =>
        count === 0 ? null : (
          <li>
            <span class="chip">
              <Count context={context} n={count} narrow={{ status }} /> {statusWords(status)}
            </span>
          </li>
        ),
      )}
    </ul>
  )
}

type FoldedCardsProps = {
  context: PageContext
  assignments: LearnerPageProps['assignments']
  says: '{n} more, not completed' | '{n} completed or failed'
  isOpen?: boolean
}

function FoldedCards({ context, assignments, says, isOpen = false }: FoldedCardsProps) {
  if (assignments.length === 0) return null
  return (
    <Behind class="fold" open={isOpen} summary={t(says, { n: context.format.count(assignments.length) })}>
      {assignments.map(({ row, steps }) => (
        <AssignmentCard context={context} row={row} steps={steps} isOpen={false} />
      ))}
    </Behind>
  )
}

type AssignmentCardProps = { context: PageContext; row: AssignmentRow; steps: readonly Step[]; isOpen: boolean }

function AssignmentCard({ context, row, steps, isOpen }: AssignmentCardProps) {
  const { format } = context
  const name = challengeName(row)
  const page = objectHref('assignment', row.assignment_id, allFilters(context))
  return (
    <article class="figure assignment-card">
      <div class="figure-head">
        <div>
          <h3>
            <ChallengeLink context={context} row={row} />
          </h3>
          <p class="finding">
            {capital(statusWords(row.effective_status))}
            {row.due_day === null ? t(', no due date') : t(', due {dueDay}', { dueDay: format.dayYear(row.due_day) })}
            {row.days_overdue === null
              ? ''
              : t(', {n, plural, =0 {less than a day} one {# day} other {# days}} late', { n: row.days_overdue })}
            {row.calculated_grade === null
              ? ''
              : t(', grade {calculatedGrade}', { calculatedGrade: format.decimal(row.calculated_grade) })}
          </p>
        </div>
        <PlatformLink context={context} to="assignment" ids={row} className="csv" />
        <a class="csv" href={page}>
          {t('State and events')}
          <span class="visually-hidden"> {t('of {name}', { name })}</span>
        </a>
      </div>
      <Behind class="fold" open={isOpen} summary={t('What happened')} of={t('to {name}', { name })}>
        <TimelineList context={context} steps={steps} row={row} eventHref={(eventId) => `${page}#event-${eventId}`} />
      </Behind>
    </article>
  )
}
