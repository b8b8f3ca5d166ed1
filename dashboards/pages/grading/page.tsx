import { t } from '../../../language/translate.ts'
import type { GradingTable } from './tables.ts'
import type { Grading, QueuePage } from '../../../reporting/queries/grading.ts'
import type { MetricsAnswer, Period } from '../../../schemas/metrics/answer.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { present } from '../../../services/runtime/control/command.ts'
import { allFilters } from '../../scope/follow.ts'
import { explainHref, Figure, type OwnDefinition } from '../../components/figure.tsx'
import { rowsOf } from '../../components/count.tsx'
import { ScopePage } from '../../components/scope-page.tsx'
import { ShareTable } from '../../components/bar.tsx'
import type { PageContext } from '../../page-context.ts'
import { counted } from '../../../language/format.ts'
import { ageFinding, ageWords, challengesFinding, queueFinding, reviewFinding, reviewWords } from './words.ts'
import { gradingHref, toListKeys, type GradingList } from './links.ts'
import type { OwnFilter } from '../../scope/filter-words.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { GradeFigure, periodName, type DrawnChart } from '../../components/figures/figures.tsx'
import { ChallengeTable, QueueTable } from './lists.tsx'
import { BacklogFigure, TurnaroundFigure } from './time-figures.tsx'

export type GradingPageProps = {
  context: PageContext
  grading: Grading
  answer: MetricsAnswer
  queue: QueuePage
  list: GradingList
  dueSoonDays: number
  charts: { turnaround: DrawnChart; backlog: DrawnChart; grades: DrawnChart }
  notices: string[]
}

const mostChallenges = 5
const mostChallengesAtAll = 500

const ownDefinitions: readonly OwnDefinition[] = [
  { title: 'Waiting', definition: 'The time from first seen handed in to the moment.' },
  { title: 'Who grades', definition: 'The platform does not say who is to grade an assignment, so nobody is named.' },
]
const reviewDefinition: OwnDefinition = {
  title: 'Reviewers’ due date',
  definition:
    'Overdue by the same rule as for learners, with the due date of the reviewers. Soon: its day is at most so many days after the day of the moment.',
}

export function GradingPage(props: GradingPageProps) {
  const { context, grading, answer, list, dueSoonDays, charts, notices } = props
  const { format, params } = context
  const { metrics, period } = answer
  const asOf = grading.answer.as_of
  const pinned = withChange(params, { as_of: asOf, compare: null })
  const file = (name: GradingTable) => href(`/grading/${name}.csv`, pinned)
  // The list as it is shown, whole.
  const queueFile = href('/grading/queue.csv', pinned, toListKeys(list))
  const time = { context, grading, metrics, period }
  return (
    <ScopePage
      context={context}
      title={t('Grading')}
      question={t('What waits for a grade, and for how long?')}
      frame={grading}
      exports={[
        {
          name: t('{assignments} waiting', { assignments: counted(format, grading.waiting, 'assignment') }),
          href: href('/grading/queue.csv', pinned),
        },
        { name: t('Challenges'), href: file('by-challenge') },
        { name: t('Turnaround'), href: file('turnaround') },
        { name: t('Waiting over time'), href: file('backlog') },
        { name: t('Ages'), href: file('waiting') },
        { name: t('Reviewers’ due dates'), href: file('reviews') },
      ]}
      notices={notices}
    >
      <p class="lead">{queueFinding(metrics, format)}</p>
      <div class="pair">
        <Figure
          id="waiting"
          title={t('How long has it waited?')}
          finding={ageFinding(grading, format)}
          defines={['grading_backlog']}
          also={ownDefinitions}
          csv={file('waiting')}
        >
          <ShareTable
            head={t('Waiting§age')}
            whole={grading.waiting}
            wholeName={t('Share')}
            format={format}
            rows={grading.by_age.map(({ age, count }, index) => ({
              name: t(ageWords[age]),
              count,
              series: `age-${index}`,
              rows: `${gradingHref(context, asOf, { age })}#queue`,
            }))}
          />
        </Figure>
        <Figure
          id="reviews"
          title={t('Are reviewers’ due dates kept?')}
          finding={reviewFinding(grading, metrics, format)}
          defines={['reviewer_overdue', 'reviewer_on_time']}
          also={[reviewDefinition]}
          csv={file('reviews')}
        >
          <ShareTable
            head={t('Reviewers’ due date')}
            whole={grading.waiting}
            wholeName={t('Share')}
            format={format}
            rows={grading.by_review.map(({ state, count }) => ({
              name: reviewWords(state, dueSoonDays),
              count,
              series: state === 'overdue' ? 'age-4' : 'neutral',
              rows:
                (state === 'overdue' ? rowsOf(context, { fact: 'reviewer_overdue' }) : null) ??
                `${gradingHref(context, asOf, { review: state })}#queue`,
            }))}
          />
        </Figure>
      </div>
      <QueueFigure {...props} csv={queueFile} />
      <div class="pair">
        <TurnaroundFigure {...time} drawn={charts.turnaround} csv={file('turnaround')} />
        <BacklogFigure {...time} drawn={charts.backlog} csv={file('backlog')} />
      </div>
      <Figure
        id="by-challenge"
        className="wide"
        title={t('Which challenges have a backlog?')}
        finding={challengesFinding(grading.by_challenge, grading.waiting, format)}
        defines={['grading_backlog', 'grading_turnaround', 'grade']}
        csv={file('by-challenge')}
        empty={grading.by_challenge.length === 0 ? t('Nothing has been handed in in this scope.') : null}
      >
        <Challenges {...props} shown={list.allChallenges ? mostChallengesAtAll : mostChallenges} />
      </Figure>
      <GradeFigure
        context={context}
        overview={{ answer }}
        drawn={charts.grades}
        block={(name) => href(`/overview/${name}.csv`, pinned)}
      />
    </ScopePage>
  )
}

function QueueFigure(props: GradingPageProps & { csv: string }) {
  const { context, grading, answer, queue, list, dueSoonDays, csv } = props
  const asOf = grading.answer.as_of
  const only = onlyWords(list, answer.period, dueSoonDays, context)
  return (
    <Figure
      id="queue"
      className="wide"
      title={list.graded === undefined ? t('What should be graded first?') : t('What was graded then?')}
      finding={`${only ?? t('Oldest first.')} ${t('The platform does not say who is to grade an assignment, so nobody is named.')}`}
      defines={['grading_backlog']}
      also={ownDefinitions}
      csv={csv}
      sql={explainHref(context, 'grading_backlog')}
    >
      {only === null ? null : (
        <p class="more">
          <a href={`${gradingHref(context, asOf, {})}#queue`}>{t('Everything that waits')}</a>
        </p>
      )}
      {queue.rows.length === 0 ? (
        <p class="empty">{t('Nothing in this list.')}</p>
      ) : (
        <QueueTable {...props} asOf={asOf} graded={list.graded !== undefined} />
      )}
      {queue.next === null ? null : (
        <p class="more">
          <a rel="next" href={`${gradingHref(context, asOf, { ...list, after: queue.next })}#queue`}>
            {t('Next {n}', { n: queue.rows.length })}
          </a>
        </p>
      )}
    </Figure>
  )
}

/** Which rows of the queue these are; `null`: all. */
function onlyWords(
  { graded, age, review }: GradingList,
  period: Period,
  dueSoonDays: number,
  context: PageContext,
): string | null {
  if (graded !== undefined)
    return t('Only what was first graded in {when}, oldest first.', { when: whenWords(graded, period, context) })
  if (age === undefined && review === undefined) return null
  const waiting = age === undefined ? '' : t(ageWords[age])
  const reviewed = review === undefined ? '' : reviewWords(review, dueSoonDays)
  if (age === undefined) return t('Only what has its review {reviewed}, oldest first.', { reviewed })
  return review === undefined
    ? t('Only what is waiting {waiting}, oldest first.', { waiting })
    : t('Only what is waiting {waiting}, review {reviewed}, oldest first.', { waiting, reviewed })
}

function whenWords(graded: string, period: Period, context: PageContext): string {
  const start = periodName(graded, period, context)
  if (period === 'day') return start
  return period === 'week' ? t('the week of {start}', { start }) : t('the month of {start}', { start })
}

/** The same for a file of these rows. */
export function ownFilters(
  { graded, age, review }: GradingList,
  { period, dueSoonDays }: Pick<Scope, 'period' | 'dueSoonDays'>,
  context: PageContext,
): OwnFilter[] {
  return present([
    graded !== undefined && {
      key: 'graded',
      id: graded,
      label: t('Graded'),
      value: whenWords(graded, period, context),
    },
    age !== undefined && { key: 'waiting', id: age, label: t('Waiting'), value: t(ageWords[age]) },
    review !== undefined && {
      key: 'review',
      id: review,
      label: t('Reviewers’ due date'),
      value: reviewWords(review, dueSoonDays),
    },
  ])
}

function Challenges({ context, grading, list, shown }: GradingPageProps & { shown: number }) {
  const { format } = context
  const asOf = grading.answer.as_of
  const hidden = grading.by_challenge.length - shown
  return (
    <>
      <ChallengeTable context={context} challenges={grading.by_challenge.slice(0, shown)} />
      {hidden <= 0 ? null : (
        <p class="more">
          {list.allChallenges ? (
            <a href={href('/challenges', allFilters(context), { sort: '-awaiting' })}>
              {t('Show all {n} challenges', { n: grading.by_challenge.length })}
            </a>
          ) : (
            <a href={`${gradingHref(context, asOf, { allChallenges: true })}#by-challenge`}>
              {t('Show all {things}', { things: counted(format, grading.by_challenge.length, 'challenge') })}
            </a>
          )}
        </p>
      )}
    </>
  )
}
