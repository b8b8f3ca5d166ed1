/** "Needs attention": what a training manager wants to know first, in sentences, the most severe first. */
import type { Overview } from '../../reporting/metrics/overview.ts'
import type { Narrow } from '../url/page-url.ts'
import { rank, rowName } from './findings.ts'
import { type Format, counted } from './format.ts'

export type AttentionItem = {
  key: string
  /** The fact in a few words, with the number. */
  lead: string
  /** Why it matters, or where: continues the lead, with punctuation. */
  detail: string
  /** The assignments it concerns; `null` where no filter selects them. */
  rows: Narrow | null
  /** The page to act from, narrowed to what this is about; `null` where none is about it. */
  page: { path: '/overdue' | '/grading'; narrow: Narrow; at: string; name: string } | null
  /** How many rows those are. */
  count: number
}

const whosePeople = (narrow: Narrow): AttentionItem['page'] => ({
  path: '/overdue',
  narrow,
  at: 'by-manager',
  name: 'Whose people',
})

const dayMs = 86_400_000

/** Grades that take longer than this get a sentence. */
const longWaitMs = 7 * dayMs
/** How far below the whole a group must be to be named, as a share. */
const notablyLower = 0.1

const rules: ((overview: Overview, format: Format) => AttentionItem | null)[] = [
  longOverdue,
  lateGroup('team'),
  waitingGrades,
  reviewersLate,
  recentlyOverdue,
  lateGroup('challenge'),
  dueSoon,
  fallingOnTime,
]

export function attention(overview: Overview, format: Format, most = 5): AttentionItem[] {
  return rules
    .map((rule) => rule(overview, format))
    .filter((item) => item !== null)
    .slice(0, most)
}

function longOverdue({ answer: { metrics } }: Overview, format: Format): AttentionItem | null {
  const count = (bucket: string) => metrics.aging.find((a) => a.bucket === bucket)?.count ?? 0
  const overMonth = count('31-60') + count('61-90') + count('91+')
  if (overMonth === 0) return null
  const oldest = count('91+')
  return {
    key: 'long-overdue',
    lead: `${counted(format, overMonth, 'assignment')} more than 30 days overdue`,
    detail:
      oldest === 0
        ? `, of ${format.count(metrics.overdue.value)} overdue in all.`
        : `, ${format.count(oldest)} of them for more than 90 days.`,
    rows: { aging: ['31-60', '61-90', '91+'] },
    page: whosePeople({ aging: ['31-60', '61-90', '91+'] }),
    count: overMonth,
  }
}

function recentlyOverdue({ answer: { metrics } }: Overview, format: Format): AttentionItem | null {
  const fresh = metrics.aging.find((a) => a.bucket === '1-7')?.count ?? 0
  if (fresh === 0) return null
  return {
    key: 'recently-overdue',
    lead: `${counted(format, fresh, 'assignment')} ${fresh === 1 ? 'is' : 'are'} 1 to 7 days overdue`,
    detail: '. A reminder helps most in the first days.',
    rows: { aging: '1-7' },
    page: whosePeople({ aging: '1-7' }),
    count: fresh,
  }
}

/** The group furthest below the whole, if the difference is clear and the group large enough. */
function lateGroup(noun: 'team' | 'challenge') {
  return (overview: Overview, format: Format): AttentionItem | null => {
    const whole = overview.answer.metrics.on_time_rate.value
    const rows = noun === 'team' ? overview.by_team : overview.by_challenge
    const worst = rank(rows).ranked[0]
    const value = worst?.on_time_rate.value ?? null
    if (worst === undefined || whole === null || value === null || whole - value < notablyLower) return null
    const overdue = worst.overdue === 0 ? '' : ` and has ${format.count(worst.overdue)} overdue`
    return {
      key: `late-${noun}`,
      lead: `${rowName(worst, noun)} finishes ${format.percent(value)} on time${overdue}`,
      detail: `, against ${format.percent(whole)} overall (n = ${format.count(worst.on_time_rate.denominator)}).`,
      rows: worst.overdue === 0 || worst.id === '' ? null : { fact: 'overdue', [noun]: worst.id },
      page: worst.overdue === 0 || worst.id === '' ? null : whosePeople({ [noun]: worst.id }),
      count: worst.overdue,
    }
  }
}

function waitingGrades({ answer: { metrics } }: Overview, format: Format): AttentionItem | null {
  const { value, oldest_age_ms: oldest, p50_age_ms: median } = metrics.grading_backlog
  if (value === 0 || oldest === null || oldest < longWaitMs) return null
  return {
    key: 'waiting-grades',
    lead: `${counted(format, value, 'assignment')} ${value === 1 ? 'waits' : 'wait'} for a grade`,
    detail: `, the oldest for ${format.duration(oldest)}${median === null ? '' : `, half of them for more than ${format.duration(median)}`}.`,
    rows: { fact: 'awaiting_grading' },
    page: { path: '/grading', narrow: {}, at: 'queue', name: 'What to grade first' },
    count: value,
  }
}

function reviewersLate({ answer: { metrics } }: Overview, format: Format): AttentionItem | null {
  const late = metrics.reviewer_overdue.value
  if (late === 0) return null
  return {
    key: 'reviewers-late',
    lead: `${counted(format, late, 'grade')} overdue from reviewers`,
    detail: ': the reviewers’ own due date has passed.',
    rows: { fact: 'reviewer_overdue' },
    page: { path: '/grading', narrow: {}, at: 'reviews', name: 'Reviewers’ dates' },
    count: late,
  }
}

function dueSoon({ answer: { metrics } }: Overview, format: Format): AttentionItem | null {
  const soon = metrics.due_soon.value
  if (soon === 0) return null
  return {
    key: 'due-soon',
    lead: `${counted(format, soon, 'assignment')} ${soon === 1 ? 'falls' : 'fall'} due within 7 days`,
    detail: ', and the learner still has to act.',
    rows: { fact: 'due_soon' },
    page: { path: '/overdue', narrow: {}, at: 'due-days', name: 'Day by day' },
    count: soon,
  }
}

function fallingOnTime({ answer, previous }: Overview, format: Format): AttentionItem | null {
  const [now, before] = [answer.metrics.on_time_rate, previous?.metrics.on_time_rate]
  // Another group of assignments did not fall: it was another one.
  if (previous === null || previous.cohort !== null) return null
  if (now.value === null || !before || before.value === null || before.value - now.value < 0.03) return null
  return {
    key: 'falling-on-time',
    lead: `On time fell by ${format.points(before.value - now.value).replace('+', '')}`,
    detail: ` since ${format.instantDay(previous.as_of)}, from ${format.percent(before.value)} to ${format.percent(now.value)} (n = ${format.count(now.denominator)}).`,
    rows: null,
    page: null,
    count: 0,
  }
}
