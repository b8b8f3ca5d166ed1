import type { Format } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { Duration } from '../../../schemas/metrics/answer.ts'
import type { ObjectKind } from '../../components/group-url.ts'
import type { Standing } from './tables.tsx'

export const objectWords: Record<ObjectKind, Record<'noun' | 'all' | 'question' | 'title', Message>> = {
  challenge: {
    noun: 'Challenge',
    all: 'Challenges',
    question: 'Which challenge is the problem?',
    title: '{name}, challenge',
  },
  team: {
    noun: 'Team',
    all: 'Teams',
    question: 'Which team needs help?',
    title: '{name}, team',
  },
  manager: {
    noun: 'Manager',
    all: 'Managers',
    question: 'Which managers have overdue people?',
    title: '{name}, manager',
  },
}

export function daysFinding({ p50_ms, p90_ms, n, censored, unknown }: Duration, format: Format): string {
  const open =
    unknown === 0 ? '' : ` ${t('{n} not counted: start or end unknown.', { n: format.count(unknown) })}`
  const words = { n: format.count(n), open: format.count(censored) }
  if (n === 0) return `${t('Nothing completed yet.')}${open}`
  if (p50_ms === null)
    return `${t('Fewer than half are completed ({n} completed, {open} open).', words)}${open}`
  const median = format.duration(p50_ms)
  if (p90_ms === null)
    return `${t('Median {median} ({n} completed, {open} open).', { ...words, median })}${open}`
  const most = format.durationAfter(p90_ms)
  return `${t('Median {median}, 90% within {most} ({n} completed, {open} open).', { ...words, median, most })}${open}`
}

/** `standings`: the newest first. */
export function pastFinding([now, before]: readonly Standing[], format: Format): string {
  if (now === undefined || before === undefined || before.metrics.assigned.value === 0)
    return t('No data that far back.')
  const [a, b] = [now.metrics.on_time_rate.value, before.metrics.on_time_rate.value]
  const change = now.metrics.overdue.value - before.metrics.overdue.value
  const words = {
    since: format.instantDay(before.as_of),
    overdue: change === 0 ? t('as many overdue') : t('{change} overdue', { change: format.signed(change) }),
  }
  if (a === null || b === null) return t('Since {since}: {overdue}.', words)
  return t('Since {since}: {overdue}, on time {points}.', { ...words, points: format.points(a - b) })
}
