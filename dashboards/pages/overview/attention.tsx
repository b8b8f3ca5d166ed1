/** "Needs attention": the first questions of a training manager, in sentences, the most severe first. */
import type { Overview } from '../../../reporting/metrics/overview.ts'
import { href, withChange, type Narrow } from '../../scope/page-url.ts'
import { countAging, rank, rowName, waitingWords } from '../../components/figures/findings.ts'
import { missedTargets } from '../../components/figures/comparisons.ts'
import type { Format } from '../../../language/format.ts'
import { mayRemind, remindHref } from '../../components/remind.tsx'
import type { PageContext } from '../../page-context.ts'
import type { HomeView } from './view.ts'
import { t } from '../../../language/translate.ts'

export type AttentionItem = {
  key: string
  /** The fact in a few words, with the number. */
  lead: string
  /** Why it matters, or where: continues the lead, with punctuation. */
  detail: string
  /** The page to act on, narrowed to the subject of this item. `null`: there is none. */
  page: { path: '/overdue' | '/grading'; narrow: Narrow; at: string } | null
}

const overduePeople = (narrow: Narrow): AttentionItem['page'] => ({ path: '/overdue', narrow, at: 'people' })

const dayMs = 86_400_000

/** Grades that take longer than this get a sentence. */
const longWaitMs = 7 * dayMs
/** How far below the whole a group must be to be named, as a share. */
const notablyLower = 0.1

const mostItems = 5

/** The first questions of a training manager, each with one way to act. */
export function Attention({ context, data, scope: { dueSoonDays: days } }: HomeView) {
  const items = attention(data, context, days).slice(0, mostItems)
  return (
    <section class="attention" aria-labelledby="attention-title">
      <h2 id="attention-title">{t('Needs attention')}</h2>
      {items.length === 0 ? (
        <p class="quiet">{t('Nothing is overdue, due soon or waiting for long.')}</p>
      ) : null}
      <ul>
        {items.map(({ lead, detail, page }) => (
          <li>
            <p>
              <strong>{lead}</strong>
              {detail}
            </p>
            {page === null ? null : <Act context={context} page={page} lead={lead} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

type ActProps = { context: PageContext; page: NonNullable<AttentionItem['page']>; lead: string }

function Act({ context, page: { path, narrow, at }, lead }: ActProps) {
  const reminds = at === 'people' && mayRemind(context)
  const open = `${href(path, withChange(context.params, { ...narrow, compare: null }))}#${at}`
  return (
    <a href={reminds ? remindHref(context, narrow) : open} class="pill no-print">
      {reminds ? t('Remind') : t('Open§do')}
      <span class="visually-hidden">: {lead}</span>
    </a>
  )
}

/** `isNarrowed`: the reader sees the numbers of some people only. `dueSoonDays`: as the page was asked. */
type About = { isNarrowed: boolean; dueSoonDays: number }
type Rule = (overview: Overview, format: Format, about: About) => AttentionItem | null

const rules: Rule[] = [
  longOverdue,
  lateGroup('team'),
  waitingGrades,
  reviewersLate,
  recentlyOverdue,
  lateGroup('challenge'),
  dueSoon,
  overdueForWeeks,
  fallingOnTime,
]

export function attention(
  overview: Overview,
  context: Pick<PageContext, 'format' | 'sees' | 'targets'>,
  dueSoonDays: number,
): AttentionItem[] {
  const { format, sees } = context
  const about = { isNarrowed: sees !== undefined, dueSoonDays }
  return [belowTarget(overview, context), ...rules.map((rule) => rule(overview, format, about))].filter(
    (item) => item !== null,
  )
}

/** Where these are not all that is overdue. */
function ofAllOverdue({ answer }: Overview, n: number, format: Format): string {
  const { value } = answer.metrics.overdue
  return n === value ? '.' : t(', of {value} overdue in all.', { value: format.count(value) })
}

function belowTarget(
  { answer }: Overview,
  context: Pick<PageContext, 'format' | 'targets'>,
): AttentionItem | null {
  const missed = missedTargets(context, answer.metrics)
  if (missed.length === 0) return null
  return { key: 'below-target', lead: t('Targets missed'), detail: `: ${missed.join(', ')}.`, page: null }
}

function longOverdue(overview: Overview, format: Format): AttentionItem | null {
  const buckets = ['31-60', '61-90', '91+']
  const overMonth = countAging(overview.answer.metrics.aging, ...buckets)
  if (overMonth === 0) return null
  const oldest = countAging(overview.answer.metrics.aging, '91+')
  return {
    key: 'long-overdue',
    lead: t('{n, plural, one {# assignment} other {# assignments}} more than 30 days overdue', {
      n: overMonth,
    }),
    detail:
      oldest === 0
        ? ofAllOverdue(overview, overMonth, format)
        : t(', {oldest} of them for more than 90 days.', { oldest: format.count(oldest) }),
    page: overduePeople({ aging: buckets }),
  }
}

function recentlyOverdue(overview: Overview): AttentionItem | null {
  const fresh = countAging(overview.answer.metrics.aging, '1-7')
  if (fresh === 0) return null
  return {
    key: 'recently-overdue',
    lead: t('{n, plural, one {# assignment is} other {# assignments are}} 1 to 7 days overdue', { n: fresh }),
    detail: t('. A reminder helps most in the first days.'),
    page: overduePeople({ aging: '1-7' }),
  }
}

function overdueForWeeks(overview: Overview, format: Format): AttentionItem | null {
  const buckets = ['8-14', '15-30']
  const n = countAging(overview.answer.metrics.aging, ...buckets)
  if (n === 0) return null
  return {
    key: 'overdue-for-weeks',
    lead: t('{n, plural, one {# assignment is} other {# assignments are}} 8 to 30 days overdue', { n }),
    detail: ofAllOverdue(overview, n, format),
    page: overduePeople({ aging: buckets }),
  }
}

/** The group furthest below the whole, if the difference is clear and the group large enough. */
function lateGroup(noun: 'team' | 'challenge'): Rule {
  return (overview, format, { isNarrowed }) => {
    const whole = overview.answer.metrics.on_time_rate.value
    const rows = noun === 'team' ? overview.by_team : overview.by_challenge
    const worst = rank(rows).ranked[0]
    const value = worst?.on_time_rate.value ?? null
    if (worst === undefined || whole === null || value === null || whole - value < notablyLower) return null
    // "No team" as a subject would say the opposite.
    const isNoTeam = noun === 'team' && worst.id === ''
    const late = { overdue: format.count(worst.overdue) }
    const has = isNoTeam ? t(' and have {overdue} overdue', late) : t(' and has {overdue} overdue', late)
    const shares = { value: format.percent(value), overdue: worst.overdue === 0 ? '' : has }
    const narrow: Narrow = isNoTeam ? { without: 'team' } : { [noun]: worst.id }
    return {
      key: `late-${noun}`,
      lead: isNoTeam
        ? t('People without a team complete {value} on time{overdue}', shares)
        : t('{worst} completes {value} on time{overdue}', { worst: rowName(worst, noun), ...shares }),
      detail: t(
        isNarrowed
          ? ' (all people here: {whole}).'
          : noun === 'team'
            ? ' (all teams: {whole}).'
            : ' (all challenges: {whole}).',
        { whole: format.percent(whole) },
      ),
      page: worst.overdue === 0 || (worst.id === '' && !isNoTeam) ? null : overduePeople(narrow),
    }
  }
}

function waitingGrades({ answer: { metrics } }: Overview, format: Format): AttentionItem | null {
  const { value, oldest_age_ms: oldest } = metrics.grading_backlog
  if (value === 0 || oldest === null || oldest < longWaitMs) return null
  return {
    key: 'waiting-grades',
    ...waitingWords(metrics.grading_backlog, format),
    page: { path: '/grading', narrow: {}, at: 'queue' },
  }
}

function reviewersLate({ answer: { metrics } }: Overview): AttentionItem | null {
  const late = metrics.reviewer_overdue.value
  if (late === 0) return null
  return {
    key: 'reviewers-late',
    lead: t('{n, plural, one {# grade is} other {# grades are}} overdue', { n: late }),
    detail: t(' (past the review date).'),
    page: { path: '/grading', narrow: {}, at: 'reviews' },
  }
}

function dueSoon(
  { answer: { metrics } }: Overview,
  _: Format,
  { dueSoonDays: days }: About,
): AttentionItem | null {
  const soon = metrics.due_soon.value
  if (soon === 0) return null
  return {
    key: 'due-soon',
    lead: t(
      '{n, plural, one {# assignment is} other {# assignments are}} due {days, plural, =0 {today} one {within # day} other {within # days}}',
      { n: soon, days },
    ),
    detail: '.',
    page: { path: '/overdue', narrow: {}, at: 'due-days' },
  }
}

function fallingOnTime({ answer, previous }: Overview, format: Format): AttentionItem | null {
  const [now, before] = [answer.metrics.on_time_rate, previous?.metrics.on_time_rate]
  if (
    previous === null ||
    now.value === null ||
    !before ||
    before.value === null ||
    before.value - now.value < 0.03
  )
    return null
  return {
    key: 'falling-on-time',
    lead: t('On time fell by {points}', { points: format.points(before.value - now.value).replace('+', '') }),
    detail: t(' since {asOf}, from {value} to {value2} (n = {denominator}).', {
      asOf: format.instantDay(previous.as_of),
      value: format.percent(before.value),
      value2: format.percent(now.value),
      denominator: format.count(now.denominator),
    }),
    page: null,
  }
}
