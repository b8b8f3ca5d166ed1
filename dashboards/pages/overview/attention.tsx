/** "Needs attention": the first questions of a training manager, in sentences, the most severe first. */
import type { Format } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { AgingBucket, Metrics } from '../../../schemas/metrics/answer.ts'
import { missedTargets } from '../../components/figures/comparisons.ts'
import { countAging, waitingWords } from '../../components/figures/findings.ts'
import { mayRemind, remindHref } from '../../components/remind.tsx'
import type { PageContext } from '../../page-context.ts'
import { href, withChange } from '../../scope/page-url.ts'
import type { HomeView } from './view.ts'

export type AttentionItem = {
  key: string
  /** The fact in a few words, with the number. */
  lead: string
  /** Why it matters, or where: continues the lead, with punctuation. */
  detail: string
  /** The block to act on, and the ages of the people to remind. Undefined: there is none. */
  to?: { path: '/overdue' | '/grading'; at: string; aging?: readonly AgingBucket[] }
}

/** Grades that take longer than this get a sentence. */
const longWaitMs = 7 * 86_400_000

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
        {items.map(({ lead, detail, to }) => (
          <li>
            <p>
              <strong>{lead}</strong>
              {detail}
            </p>
            {to === undefined ? null : <Act {...to} context={context} lead={lead} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

type ActProps = NonNullable<AttentionItem['to']> & { context: PageContext; lead: string }

function Act({ context, path, at, aging, lead }: ActProps) {
  const reminds = aging !== undefined && mayRemind(context)
  const narrow = aging === undefined ? {} : { aging }
  const open = `${href(path, withChange(context.params, { ...narrow, compare: null }))}#${at}`
  return (
    <a href={reminds ? remindHref(context, narrow) : open} class="pill no-print">
      {reminds ? t('Remind') : t('Open§do')}
      <span class="visually-hidden">: {lead}</span>
    </a>
  )
}

export function attention(
  { answer: { metrics } }: Overview,
  context: Pick<PageContext, 'format' | 'targets'>,
  days: number,
): AttentionItem[] {
  const { format } = context
  const { grading_backlog: waiting, reviewer_overdue: late, due_soon: soon } = metrics
  const missed = missedTargets(context, metrics).join(', ')
  const queue = { path: '/grading', at: 'queue' } as const
  const items: (AttentionItem | false)[] = [
    missed !== '' && { key: 'below-target', lead: t('Targets missed'), detail: `: ${missed}.` },
    ofAge(metrics, format, ['31-60', '61-90', '91+'], {
      key: 'long-overdue',
      words: '{n, plural, one {# assignment} other {# assignments}} more than 30 days overdue',
    }),
    (waiting.oldest_age_ms ?? 0) >= longWaitMs && {
      key: 'waiting-grades',
      ...waitingWords(waiting, format),
      to: queue,
    },
    late.value > 0 && {
      key: 'reviewers-late',
      lead: t('{n, plural, one {# grade is} other {# grades are}} overdue', { n: late.value }),
      detail: t(' (past the review date).'),
      to: queue,
    },
    ofAge(metrics, format, ['1-7'], {
      key: 'recently-overdue',
      words: '{n, plural, one {# assignment is} other {# assignments are}} 1 to 7 days overdue',
    }),
    soon.value > 0 && {
      key: 'due-soon',
      lead: t(
        '{n, plural, one {# assignment is} other {# assignments are}} due {days, plural, =0 {today} one {within # day} other {within # days}}',
        { n: soon.value, days },
      ),
      detail: '.',
      to: { path: '/overdue', at: 'due-days' },
    },
    ofAge(metrics, format, ['8-14', '15-30'], {
      key: 'overdue-for-weeks',
      words: '{n, plural, one {# assignment is} other {# assignments are}} 8 to 30 days overdue',
    }),
  ]
  return items.filter((item) => item !== false)
}

/** Overdue work of some ages, and its part of all that is overdue. */
function ofAge(
  { aging, overdue: { value } }: Metrics,
  format: Format,
  buckets: readonly AgingBucket[],
  { key, words }: { key: string; words: Message },
): AttentionItem | false {
  const n = countAging(aging, ...buckets)
  const detail = n === value ? '.' : t(', of {value} overdue in all.', { value: format.count(value) })
  return (
    n > 0 && { key, lead: t(words, { n }), detail, to: { path: '/overdue', at: 'people', aging: buckets } }
  )
}
