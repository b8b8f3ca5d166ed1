/** The five headline numbers, each with its base, its change and a link to its rows. */
import { Headline, type HeadlineProps } from '../../components/headline.tsx'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { PageContext } from '../../page-context.ts'
import { exclusionSentence } from '../../text/exclusions.ts'
import { fewestToRank } from '../../text/findings.ts'
import { type Format, counted } from '../../text/format.ts'
import { type Narrow, rowsHref } from '../../url/page-url.ts'

type Change = HeadlineProps['change']

export function Headlines({
  context,
  overview,
  rowParams,
}: {
  context: PageContext
  overview: Overview
  rowParams: URLSearchParams
}) {
  const { format } = context
  const { answer, previous } = overview
  const { metrics: now } = answer
  const before = previous?.metrics ?? null
  const since = previous === null ? '' : ` since ${format.instantDay(previous.as_of)}`
  const rows = (narrow: Narrow, name = 'Rows') => {
    const link = rowsHref(rowParams, answer.as_of, narrow)
    return link === null ? null : { href: link, name }
  }
  const points = (a: number | null, b: number | null | undefined) => change(a, b ?? null, format.points, 'up', since)
  const per = `per ${answer.period}, last ${now.trend.length}`
  const backlog = now.grading_backlog
  const turnaround = now.grading_turnaround
  const overdueRate = now.overdue_rate
  return (
    <div class="headlines">
      <Headline
        id="completion"
        name="Completion"
        value={share(now.completion_rate.value, format)}
        of={`${format.count(now.completion_rate.numerator)} of ${format.count(now.completion_rate.denominator)} assigned`}
        change={points(now.completion_rate.value, before?.completion_rate.value)}
        spark={{ values: now.trend.map((p) => p.completed), series: 'completed', caption: `Completed ${per}` }}
        notes={[
          now.people_fully_complete.value === null
            ? 'Nobody has an assignment in this scope.'
            : `${format.count(now.people_fully_complete.numerator)} of ${counted(format, now.people_fully_complete.denominator, 'person', 'people')} ` +
              `(${format.percent(now.people_fully_complete.value)}) have completed everything.`,
        ]}
        defines={['completion_rate', 'people_fully_complete']}
        rows={rows({ fact: 'completed' })}
      />
      <Headline
        id="on-time"
        name="On time"
        value={share(now.on_time_rate.value, format)}
        of={`${format.count(now.on_time_rate.numerator)} of ${format.count(now.on_time_rate.denominator)} decided`}
        change={points(now.on_time_rate.value, before?.on_time_rate.value)}
        spark={{
          values: overview.due_cohorts.map(({ on_time, late }) =>
            on_time + late < fewestToRank ? null : on_time / (on_time + late),
          ),
          series: 'completed',
          caption: 'On time by week due',
        }}
        notes={[exclusionSentence(now.on_time_rate, format), handedIn(overview, format)]}
        defines={['on_time_rate', 'submitted_on_time_rate']}
        rows={rows({ fact: 'completed_on_time' })}
      />
      <Headline
        id="overdue"
        name="Overdue"
        value={format.count(now.overdue.value)}
        of={
          overdueRate.value === null
            ? 'nothing open has a due date'
            : `${format.percent(overdueRate.value)} of ${format.count(overdueRate.denominator)} open`
        }
        change={change(now.overdue.value, before?.overdue.value ?? null, format.signed, 'down', since)}
        spark={{
          values: now.trend.map((p) => p.overdue_at_end),
          series: 'overdue',
          caption: `At the end of each ${answer.period}`,
        }}
        notes={[
          exclusionSentence(overdueRate, format),
          now.reported_mismatch.value === 0
            ? 'The platform says the same of every assignment.'
            : `The platform says otherwise of ${counted(format, now.reported_mismatch.value, 'assignment')}.`,
        ]}
        defines={['overdue', 'overdue_rate', 'reported_mismatch']}
        rows={rows({ fact: 'overdue' })}
      />
      <Headline
        id="awaiting"
        name="Awaiting grade"
        value={format.count(backlog.value)}
        of={backlog.oldest_age_ms === null ? 'nothing waits' : `oldest for ${format.duration(backlog.oldest_age_ms)}`}
        change={change(backlog.value, before?.grading_backlog.value ?? null, format.signed, 'down', since)}
        spark={{ values: now.trend.map((p) => p.graded), series: 'neutral', caption: `Graded ${per}` }}
        notes={[
          `${format.count(backlog.untouched)} untouched, ${format.count(backlog.partially_graded)} partially graded.`,
          backlog.p50_age_ms === null
            ? 'No ages: nothing waits.'
            : `Half of them wait for ${format.duration(backlog.p50_age_ms)} or longer.`,
          `${format.count(now.reviewer_overdue.value)} past the reviewers’ own due date.`,
        ]}
        defines={['grading_backlog', 'reviewer_overdue']}
        rows={rows({ fact: 'awaiting_grading' })}
      />
      <Headline
        id="turnaround"
        name="Grading turnaround"
        value={turnaround.p50_ms === null ? null : format.duration(turnaround.p50_ms)}
        of={turnaround.p50_ms === null ? 'fewer than half are graded' : `median, n = ${format.count(turnaround.n)}`}
        change={change(
          turnaround.p50_ms,
          before?.grading_turnaround.p50_ms ?? null,
          format.signedDuration,
          'down',
          since,
        )}
        notes={[
          turnaround.p90_ms === null
            ? 'Fewer than nine in ten are graded, so no 90th percentile.'
            : `Nine in ten are graded within ${format.duration(turnaround.p90_ms)}.`,
          `${format.count(turnaround.censored)} still wait and count as far as they have waited; ${format.count(turnaround.unknown)} left out as unknown.`,
        ]}
        aside={turnaround.p90_ms === null ? undefined : `9 in 10 within ${format.duration(turnaround.p90_ms)}`}
        defines={['grading_turnaround']}
        rows={rows({ fact: 'graded' })}
      />
    </div>
  )
}

function share(value: number | null, format: Format): string | null {
  return value === null ? null : format.percent(value, 1)
}

/** A change is stated where both ends are known; the metric decides whether it is good. */
function change(
  now: number | null,
  before: number | null,
  say: (difference: number) => string,
  better: 'up' | 'down',
  since: string,
): Change {
  if (now === null || before === null || since === '') return null
  const difference = now - before
  // A change that would show as +0 is no change: the smallest step is a tenth of a point, one assignment, or a minute.
  if (/^[+−]?0\b(?!\.)/.test(say(difference)) || difference === 0)
    return { text: `no change${since}`, direction: 'same', good: null }
  const direction = difference > 0 ? 'up' : 'down'
  return { text: `${say(difference)}${since}`, direction, good: direction === better }
}

function handedIn({ answer: { metrics } }: Overview, format: Format): string {
  const { value, numerator, denominator } = metrics.submitted_on_time_rate
  if (value === null) return 'Nothing was due yet.'
  return `Handed in on time, the learner’s own part: ${format.percent(value)}, ${format.count(numerator)} of ${format.count(denominator)}.`
}
