/** The five headline numbers, each with its base, its change and a link to its rows. */
import { type Change, Headline } from './headline.tsx'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { PageContext } from '../../page-context.ts'
import { targetWords, versusWords } from './comparisons.ts'
import type { Metrics, Rate } from '../../../schemas/metrics/answer.ts'
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
  const before = previous?.metrics
  const since = versusWords(context.params.get('compare'))
  const rows = (count: number, narrow: Narrow) => {
    const link = count === 0 ? null : rowsOf(context, narrow)
    return link === null ? null : { href: link, count }
  }
  const n = (count: number, metric: keyof Metrics, part: string) => (
    <Count context={context} n={count} narrow={{ metric, part }} />
  )
  const people = (count: number, only: 'all' | 'complete') => (
    <a class="count" href={peopleHref(rowParams, answer.as_of, only)} data-count={count}>
      {format.count(count)}
    </a>
  )
  const share = (
    metric: 'completion_rate' | 'on_time_rate',
    of: '{numerator} of {denominator} assigned' | '{numerator} of {denominator} due',
  ) => {
    const { value, numerator, denominator } = now[metric]
    return {
      value: value === null ? null : format.percent(value, 1),
      of: t(of, { numerator: format.count(numerator), denominator: format.count(denominator) }),
      change: toChange(since, [value, before?.[metric].value], format.points, 'up'),
      target: targetWords(context, metric),
    }
  }
  const { people_fully_complete: complete, overdue_rate: overdueRate, grading_backlog: backlog } = now
  const { p50_ms: median, p90_ms: most, n: graded, censored, unknown } = now.grading_turnaround
  return (
    <div class="headlines">
      <Headline
        {...share('completion_rate', '{numerator} of {denominator} assigned')}
        id="completion"
        name={t('Completion')}
        notes={[
          complete.value === null
            ? t('No one has an assignment here.')
            : rich(
                '{done} of {all} {n, plural, one {person} other {people}} ({share}) have completed everything.',
                {
                  done: people(complete.numerator, 'complete'),
                  all: people(complete.denominator, 'all'),
                  n: complete.denominator,
                  share: format.percent(complete.value),
                },
              ),
        ]}
        definitions={<Definitions of={['completion_rate', 'people_fully_complete']} />}
        pace={context.pace}
        rows={rows(now.completion_rate.numerator, { fact: 'completed' })}
      />
      <Headline
        {...share('on_time_rate', '{numerator} of {denominator} due')}
        id="on-time"
        name={t('On time')}
        notes={[
          <Exclusions context={context} metric="on_time_rate" rate={now.on_time_rate} />,
          <HandedIn context={context} rate={now.submitted_on_time_rate} />,
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
        change={toChange(since, [now.overdue.value, before?.overdue.value], format.signed, 'down')}
        notes={[
          <Exclusions context={context} metric="overdue_rate" rate={overdueRate} />,
          now.reported_mismatch.value === 0
            ? null
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
        change={toChange(since, [backlog.value, before?.grading_backlog.value], format.signed, 'down')}
        notes={[
          rich('{untouched} untouched, {partiallyGraded} partially graded.', {
            untouched: n(backlog.untouched, 'grading_backlog', 'untouched'),
            partiallyGraded: n(backlog.partially_graded, 'grading_backlog', 'partially_graded'),
          }),
          backlog.p50_age_ms === null
            ? null
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
        value={median === null ? null : format.duration(median)}
        of={
          median !== null
            ? t('median of {n, plural, one {# grade} other {# grades}}', { n: graded })
            : graded + censored > 0
              ? t('fewer than half are graded')
              : t('no grade with a known time')
        }
        change={toChange(since, [median, before?.grading_turnaround.p50_ms], format.signedDuration, 'down')}
        target={targetWords(context, 'grading_turnaround')}
        notes={[
          most === null
            ? null
            : t('Nine in ten are graded within {p90Ms}.', { p90Ms: format.durationAfter(most) }),
          rich('{censored} still wait and count as far as they have waited; {unknown} left out as unknown.', {
            censored: n(censored, 'grading_turnaround', 'censored'),
            unknown: n(unknown, 'grading_turnaround', 'unknown'),
          }),
        ]}
        definitions={<Definitions of={['grading_turnaround']} />}
        rows={rows(graded, { metric: 'grading_turnaround', part: 'n' })}
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

type HandedInProps = { context: PageContext; rate: Metrics['submitted_on_time_rate'] }

function HandedIn({ context, rate: { value, numerator, denominator } }: HandedInProps) {
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
