/** The five headline numbers, each with its base, its change and a link to its rows. */
import { type Change, Headline } from './headline.tsx'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { PageContext } from '../../page-context.ts'
import { targetWords, versusWords } from './comparisons.ts'
import type { Metrics, Rate } from '../../../schemas/metrics/answer.ts'
import { canOpen } from '../access.tsx'
import { Count, rowsOf } from '../count.tsx'
import { Definitions } from '../figure.tsx'
import { type Narrow, peopleHref } from '../../scope/page-url.ts'
import { t, rich } from '../../../language/translate.ts'
import { exclusionWords } from '../../scope/part-words.ts'

type HeadlinesProps = { context: PageContext; overview: Overview; rowParams: URLSearchParams }

export function Headlines({ context, overview, rowParams }: HeadlinesProps) {
  const { format } = context
  const { answer, previous } = overview
  const { metrics: now } = answer
  const before = previous?.metrics ?? null
  const words = versusWords(context.params.get('compare'))
  const rows = (count: number, narrow: Narrow) => {
    const link = count === 0 ? null : rowsOf(context, narrow)
    return link === null ? null : { href: link, count }
  }
  const n = (count: number, metric: keyof Metrics, part: string) => (
    <Count context={context} n={count} narrow={{ metric, part }} />
  )
  const people = (count: number, only: 'all' | 'complete') =>
    canOpen(context, '/learners') ? (
      <a class="count" href={peopleHref(rowParams, answer.as_of, only)} data-count={count}>
        {format.count(count)}
      </a>
    ) : (
      <>{format.count(count)}</>
    )
  const rate = (
    metric: 'completion_rate' | 'on_time_rate',
    of: '{numerator} of {denominator} assigned' | '{numerator} of {denominator} due',
  ) => {
    const { value, numerator, denominator } = now[metric]
    return {
      value: value === null ? null : format.percent(value, 1),
      of: t(of, { numerator: format.count(numerator), denominator: format.count(denominator) }),
      change: toChange(words, [value, before?.[metric].value], format.points, 'up'),
      target: targetWords(context, metric),
    }
  }
  const backlog = now.grading_backlog
  const turnaround = now.grading_turnaround
  const isTimed = turnaround.n + turnaround.censored > 0
  const overdueRate = now.overdue_rate
  return (
    <div class="headlines">
      <Headline
        {...rate('completion_rate', '{numerator} of {denominator} assigned')}
        id="completion"
        name={t('Completion')}
        notes={[
          now.people_fully_complete.value === null
            ? t('No one has an assignment here.')
            : rich(
                '{done} of {all} {n, plural, one {person} other {people}} ({share}) have completed everything.',
                {
                  done: people(now.people_fully_complete.numerator, 'complete'),
                  all: people(now.people_fully_complete.denominator, 'all'),
                  n: now.people_fully_complete.denominator,
                  share: format.percent(now.people_fully_complete.value),
                },
              ),
        ]}
        definitions={<Definitions of={['completion_rate', 'people_fully_complete']} />}
        pace={context.pace}
        rows={rows(now.completion_rate.numerator, { fact: 'completed' })}
      />
      <Headline
        {...rate('on_time_rate', '{numerator} of {denominator} due')}
        id="on-time"
        name={t('On time')}
        notes={[
          <Exclusions context={context} metric="on_time_rate" rate={now.on_time_rate} />,
          <HandedIn context={context} overview={overview} />,
        ]}
        definitions={<Definitions of={['on_time_rate', 'submitted_on_time_rate']} />}
        rows={rows(now.on_time_rate.numerator, { fact: 'completed_on_time' })}
      />
      <Headline
        id="overdue"
        name={t('Overdue')}
        value={format.count(now.overdue.value)}
        of={
          overdueRate.value === null
            ? t('nothing open has a due date')
            : t('{value} of {denominator} open', {
                value: format.percent(overdueRate.value),
                denominator: format.count(overdueRate.denominator),
              })
        }
        change={toChange(words, [now.overdue.value, before?.overdue.value], format.signed, 'down')}
        notes={[
          <Exclusions context={context} metric="overdue_rate" rate={overdueRate} />,
          now.reported_mismatch.value === 0
            ? t('The platform says the same of every assignment.')
            : rich('The platform says otherwise of {value}.', {
                value: n(now.reported_mismatch.value, 'reported_mismatch', 'value'),
              }),
        ]}
        definitions={<Definitions of={['overdue', 'overdue_rate', 'reported_mismatch']} />}
        rows={rows(now.overdue.value, { fact: 'overdue' })}
      />
      <Headline
        id="awaiting"
        name={t('Waiting for a grade')}
        value={format.count(backlog.value)}
        of={
          backlog.oldest_age_ms === null
            ? t('nothing waits')
            : t('oldest: {oldest}', { oldest: format.duration(backlog.oldest_age_ms) })
        }
        change={toChange(words, [backlog.value, before?.grading_backlog.value], format.signed, 'down')}
        notes={[
          rich('{untouched} untouched, {partiallyGraded} partially graded.', {
            untouched: n(backlog.untouched, 'grading_backlog', 'untouched'),
            partiallyGraded: n(backlog.partially_graded, 'grading_backlog', 'partially_graded'),
          }),
          backlog.p50_age_ms === null
            ? t('No ages: nothing waits.')
            : t('Half of them wait for {duration}.', { duration: format.durationOrMore(backlog.p50_age_ms) }),
          rich('{value} past the reviewers’ own due date.', {
            value: n(now.reviewer_overdue.value, 'reviewer_overdue', 'value'),
          }),
        ]}
        definitions={<Definitions of={['grading_backlog', 'reviewer_overdue']} />}
        rows={rows(backlog.value, { fact: 'awaiting_grading' })}
      />
      <Headline
        id="turnaround"
        name={t('Grading turnaround')}
        value={turnaround.p50_ms === null ? null : format.duration(turnaround.p50_ms)}
        of={
          turnaround.p50_ms === null
            ? isTimed
              ? t('fewer than half are graded')
              : t('no grade with a known time')
            : t('median of {n, plural, one {# grade} other {# grades}}', { n: turnaround.n })
        }
        change={toChange(
          words,
          [turnaround.p50_ms, before?.grading_turnaround.p50_ms],
          format.signedDuration,
          'down',
        )}
        target={targetWords(context, 'grading_turnaround')}
        notes={[
          turnaround.p90_ms === null
            ? !isTimed
              ? null
              : t('Fewer than nine in ten are graded, so no 90th percentile.')
            : t('Nine in ten are graded within {p90Ms}.', { p90Ms: format.durationAfter(turnaround.p90_ms) }),
          rich('{censored} still wait and count as far as they have waited; {unknown} left out as unknown.', {
            censored: n(turnaround.censored, 'grading_turnaround', 'censored'),
            unknown: n(turnaround.unknown, 'grading_turnaround', 'unknown'),
          }),
        ]}
        definitions={<Definitions of={['grading_turnaround']} />}
        rows={rows(turnaround.n, { metric: 'grading_turnaround', part: 'n' })}
      />
    </div>
  )
}

/** A change is stated where both ends are known. */
function toChange(
  since: string,
  [now, before]: [now: number | null, before: number | null | undefined],
  say: (difference: number) => string,
  better: 'up' | 'down',
): Change | null {
  if (now === null || before === null || before === undefined) return null
  const difference = now - before
  // A change that would show as +0 is not a change: the smallest step is a tenth of a point, one assignment, or a minute.
  if (/^[+−]?0\b(?![.,]\d)/.test(say(difference)) || difference === 0)
    return { text: `${t('no change')} ${since}`, direction: 'same', good: null }
  const direction = difference > 0 ? 'up' : 'down'
  return { text: `${say(difference)} ${since}`, direction, good: direction === better }
}

function HandedIn({ context, overview }: { context: PageContext; overview: Overview }) {
  const { value, numerator, denominator } = overview.answer.metrics.submitted_on_time_rate
  if (value === null) return <>{t('Nothing was due yet.')}</>
  const n = (count: number, part: string) => (
    <Count context={context} n={count} narrow={{ metric: 'submitted_on_time_rate', part }} />
  )
  return rich('Submitted on time: {value}, {numerator} of {denominator}.', {
    value: context.format.percent(value),
    numerator: n(numerator, 'numerator'),
    denominator: n(denominator, 'denominator'),
  })
}

type ExclusionsProps = { context: PageContext; metric: keyof Metrics; rate: Rate<string> }

/** "Left out: 210 have no due date, 41 are not due yet.", each number with its rows. Reasons with a count of 0 are omitted. */
function Exclusions({ context, metric, rate }: ExclusionsProps) {
  const counts = Object.entries(rate.excluded).filter(([, count]) => count > 0)
  if (counts.length === 0) return <>{t('Nothing is left out.')}</>
  const reasons = counts.map(([reason, count], index) => (
    <>
      {index === 0 ? '' : ', '}
      <Count context={context} n={count} narrow={{ metric, part: `excluded.${reason}` }} />{' '}
      {exclusionWords(reason, count)}
    </>
  ))
  return <>{rich('Left out: {reasons}.', { reasons: <>{reasons}</> })}</>
}
