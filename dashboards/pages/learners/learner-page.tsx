import { toSteps } from '../../../reporting/explain/steps.ts'
import type { Timeline } from '../../../reporting/explain/timeline.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import { effectiveStatuses } from '../../../schemas/metrics/answer.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import type { OnePerson } from '../../../reporting/statements/learners.ts'
import type { RowPage } from '../../../reporting/statements/rows.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { allFilters } from '../../scope/follow.ts'
import { Chips } from '../../components/filter-bar.tsx'
import { Icon } from '../../components/icon.tsx'
import { Count } from '../../components/count.tsx'
import { Layout } from '../../components/layout.tsx'
import { ObjectLinks } from '../../components/people.tsx'
import { mayRemind, RemindedNote, remindHref, type Reminded } from '../../components/remind.tsx'
import { PlatformLink } from '../../components/platform-link.tsx'
import { Stamp } from '../../components/stamp.tsx'
import { TimelineList } from '../../components/timeline.tsx'
import type { PageContext } from '../../page-context.ts'
import { counted } from '../../../language/format.ts'
import { assignmentHref, objectPageHref } from '../../components/learner-url.ts'
import { CohortFigure, type DrawnChart } from '../../components/figures/figures.tsx'
import { isAddress } from '../../../services/config/values/address.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { statusName, statusWords } from '../assignments/columns.tsx'
import { t, rich } from '../../../language/translate.ts'
import { Notices } from '../../components/messages.tsx'

type LearnerPageProps = {
  context: PageContext
  scope: Scope
  userId: string
  person: OnePerson | null
  page: RowPage
  assignments: { row: AssignmentRow; timeline: Timeline }[]
  overview: Overview
  cohorts: DrawnChart
  /** Whether guides can be given here. */
  canAssign: boolean
  reminded: Reminded | undefined
  notices: string[]
}

/** Assignments whose story is told without a click. */
const mostOpen = 3

/** One person: what is overdue, and the story of each assignment. */
export function LearnerPage(props: LearnerPageProps) {
  const { context, scope, userId, person, page, assignments, overview, cohorts, canAssign, reminded, notices } = props
  const { format } = context
  const asOf = new Date(scope.asOf).toISOString()
  const overdue = assignments.filter(({ row }) => row.overdue)
  const [finished = [], current = []] = [true, false].map((isFinished) =>
    assignments.filter(({ row }) => (row.completed || row.failed) === isFinished),
  )
  const name = person?.user_name || assignments[0]?.row.user_name || userId
  const isCut = (page.total ?? 0) > assignments.length
  return (
    <Layout context={context} title={name} sample={overview.freshness.sample}>
      <div class="page-head">
        <div>
          <p class="quiet">
            <a href={href('/learners', allFilters(context))}>{t('Learners')}</a>
          </p>
          <h1 class="name">{name}</h1>
          <Stamp
            context={context}
            overview={{
              answer: { as_of: asOf, time_zone: scope.timeZone, due_zone: scope.dueZone },
              freshness: overview.freshness,
            }}
          />
        </div>
        {canAssign && person?.is_active === true ? (
          <a class="button" href={href('/assign', new URLSearchParams({ user: userId }))}>
            {t('Assign a guide')}
          </a>
        ) : null}
      </div>
      <Chips context={context} options={overview.options} />
      <Notices notices={notices} />
      <PersonFacts context={context} person={person} userId={userId} />
      <StatusCounts context={context} assignments={assignments} isCut={isCut} total={page.total ?? 0} />
      {overdue.length === 0 ? null : (
        <section class="attention" aria-labelledby="overdue-title">
          <h2 id="overdue-title">
            {t('{n, plural, one {# assignment} other {# assignments}} overdue', { n: overdue.length })}
          </h2>
          <ul>
            {overdue.map(({ row }) => (
              <li>
                <p>
                  {rich('{challenge}, due {day}, {n, plural, one {# day} other {# days}} late.', {
                    challenge: <strong>{row.challenge ?? row.challenge_id ?? t('Unknown challenge')}</strong>,
                    day: row.due_day === null ? t('at an unknown time') : format.dayYear(row.due_day),
                    n: row.days_overdue ?? 0,
                  })}
                </p>
              </li>
            ))}
          </ul>
          <p>
            {mayRemind(context) ? (
              <a class="button no-print" href={remindHref(new URLSearchParams({ user: userId }))}>
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
          links={{
            block: (name) =>
              href(`/overview/${name}.csv`, withChange(context.rows?.params ?? context.params, { as_of: asOf })),
            explain: () => undefined,
          }}
        />
      )}
      <h2>{t('Assignments')}</h2>
      {assignments.length === 0 ? <p class="empty">{t('Nothing is assigned at this moment.')}</p> : null}
      {current.slice(0, mostOpen).map(({ row, timeline }) => (
        <AssignmentCard context={context} row={row} timeline={timeline} isOpen />
      ))}
      <FoldedCards context={context} assignments={current.slice(mostOpen)} says="{n} more, not completed" />
      <FoldedCards
        context={context}
        assignments={finished}
        says="{n} completed or failed"
        isOpen={current.length === 0}
      />
      {isCut ? (
        <p class="more">
          {t('The newest {n} are shown.', { n: format.count(assignments.length) })}{' '}
          <Count context={context} n={page.total ?? 0} narrow={{}}>
            {t('All {total}', { total: format.count(page.total ?? 0) })}
          </Count>
        </p>
      ) : null}
    </Layout>
  )
}

type PersonFactsProps = { context: PageContext; person: OnePerson | null; userId: string }

function PersonFacts({ context, person, userId }: PersonFactsProps) {
  const none = <span class="quiet">{t('none known')}</span>
  const { managers = [], teams = [], reports = 0, email = '' } = person ?? {}
  const own = objectPageHref('/managers', userId, allFilters(context))
  return (
    <dl class="facts">
      <div>
        <dt>{t('Manager')}</dt>
        <dd>{managers.length === 0 ? none : <ObjectLinks context={context} path="/managers" of={managers} />}</dd>
      </div>
      <div>
        <dt>{t('Team')}</dt>
        <dd>{teams.length === 0 ? none : <ObjectLinks context={context} path="/teams" of={teams} />}</dd>
      </div>
      {reports === 0 || own === null ? null : (
        <div>
          <dt>{t('Leads')}</dt>
          <dd>
            <a href={own}>{counted(context.format, reports, 'direct report')}</a>
          </dd>
        </div>
      )}
      {isAddress(email) ? (
        <div>
          <dt>{t('E-mail')}</dt>
          <dd>
            <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>{email}</a>
          </dd>
        </div>
      ) : null}
      <div>
        <dt>{t('Id')}</dt>
        <dd>{userId}</dd>
      </div>
      {context.settings.platformLinks?.learner === undefined ? null : (
        <div>
          <dt>{t('At the platform')}</dt>
          <dd>
            <PlatformLink context={context} to="learner" ids={{ user_id: userId }} />
          </dd>
        </div>
      )}
      {person?.is_active === false ? (
        <div>
          <dt>{t('Active')}</dt>
          <dd>{t('Has left: not in the numbers unless people who have left are included.')}</dd>
        </div>
      ) : null}
    </dl>
  )
}

type StatusCountsProps = { context: PageContext; assignments: { row: AssignmentRow }[]; isCut: boolean; total: number }

/** Counts by status; of a person with more assignments than the page has only the total is known here. */
function StatusCounts({ context, assignments, isCut, total }: StatusCountsProps) {
  const { format } = context
  return (
    <ul class="chips" aria-label={t('Assignments by status')}>
      <li>
        <span class="chip">{rich('{n} assigned', { n: <Count context={context} n={total} narrow={{}} /> })}</span>
      </li>
      {isCut
        ? null
        : effectiveStatuses.map((status) => {
            const n = assignments.filter(({ row }) => row.effective_status === status).length
            return n === 0 ? null : (
              <li>
                <span class="chip">
                  <Count context={context} n={n} narrow={{ status }}>
                    {format.count(n)}
                  </Count>{' '}
                  {statusWords(status)}
                </span>
              </li>
            )
          })}
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
    <details class="fold" open={isOpen}>
      <summary>
        <Icon name="chevron" />
        {t(says, { n: context.format.count(assignments.length) })}
      </summary>
      {assignments.map(({ row, timeline }) => (
        <AssignmentCard context={context} row={row} timeline={timeline} isOpen={false} />
      ))}
    </details>
  )
}

type AssignmentCardProps = { context: PageContext; row: AssignmentRow; timeline: Timeline; isOpen: boolean }

function AssignmentCard({ context, row, timeline, isOpen }: AssignmentCardProps) {
  const { format } = context
  const name = row.challenge ?? row.challenge_id ?? t('Unknown challenge')
  const own = assignmentHref(row.assignment_id, allFilters(context))
  const challenge = objectPageHref('/challenges', row.challenge_id ?? '', allFilters(context))
  return (
    <article class="figure assignment-card">
      <div class="figure-head">
        <div>
          <h3>{challenge === null ? name : <a href={challenge}>{name}</a>}</h3>
          <p class="finding">
            {statusName(row.effective_status)}
            {row.due_day === null ? t(', no due date') : t(', due {dueDay}', { dueDay: format.dayYear(row.due_day) })}
            {row.days_overdue === null
              ? ''
              : t(', {n, plural, one {# day} other {# days}} late', { n: row.days_overdue })}
            {row.calculated_grade === null
              ? ''
              : t(', grade {calculatedGrade}', { calculatedGrade: format.decimal(row.calculated_grade) })}
          </p>
        </div>
        <PlatformLink context={context} to="assignment" ids={row} className="csv" />
        <a class="csv" href={own}>
          {t('State and events')}
          <span class="visually-hidden"> {t('of {name}', { name })}</span>
        </a>
      </div>
      <details class="fold" open={isOpen}>
        <summary>
          <Icon name="chevron" />
          {t('What happened')}
          <span class="visually-hidden"> {t('to {name}', { name })}</span>
        </summary>
        <TimelineList
          context={context}
          steps={toSteps(timeline)}
          row={row}
          eventHref={(eventId) => `${own}#event-${eventId}`}
        />
      </details>
    </article>
  )
}
