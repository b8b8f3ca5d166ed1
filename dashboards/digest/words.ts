/** Every word of digests and alerts, by language. To add a language, add its words here. */
import type { ChangeKind } from '../../reporting/queries/changes.ts'
import type { AlertName } from '../../services/digest/digest-store.ts'

const plural = (n: number, one: string, many = `${one}s`) => (n === 1 ? one : many)

const en = {
  locale: 'en-GB',
  title: 'Your people',
  titleOfAll: 'Everybody',
  /** Without a name: subjects show on locked screens. */
  subject: (title: string, late: number, waiting: number): string => {
    const parts = [
      ...(late > 0 ? [`${late} newly late`] : []),
      ...(waiting > 0 ? [`${waiting} ${plural(waiting, 'waits', 'wait')} for a grade`] : []),
    ]
    return parts.length === 0 ? `${title}: what changed` : `${title}: ${parts.join(', ')}`
  },
  period: (from: string, to: string, zone: string) => `${from} to ${to}, ${zone}`,
  sample: 'Sample data. These people and numbers are made up.',
  completion: 'Completion',
  onTime: 'On time',
  of: (part: string, all: string, what: 'assigned' | 'decided') => `${part} of ${all} ${what}`,
  noData: 'No data',
  newlyLate: (n: string) => `Newly late: ${n}`,
  nobodyLate: 'Nobody became late.',
  waiting: (n: string) => `Waiting for a grade: ${n}`,
  oldest: (age: string) => `The oldest was handed in ${age} ago.`,
  changed: 'What changed',
  nothingChanged: 'Nothing changed.',
  overdue: (n: string) => `${n} overdue in all`,
  due: (day: string) => `due ${day}`,
  handedIn: (age: string) => `handed in ${age} ago`,
  more: (n: string) => `${n} more`,
  nobodyKnown: 'Somebody whom nobody knows',
  noChallenge: 'Unknown challenge',
  person: (id: string) => `Person ${id}`,
  open: 'Open Rollcall',
  why: (site: string) => `You get this because you are a manager, or asked for it, at ${site}.`,
  settings: 'Change how often it comes',
  unsubscribe: 'Unsubscribe',
  kinds: {
    assigned: 'newly assigned',
    became_overdue: 'became overdue',
    no_longer_overdue: 'no longer overdue',
    handed_in: 'handed in',
    graded: 'graded',
    completed: 'completed',
    failed: 'failed',
    regraded: 'regraded',
    reopened: 'no longer completed',
    deadline_moved: 'deadline moved',
    removed: 'removed',
    came_into_scope: 'joined your people',
    left_scope: 'left your people',
    other: 'otherwise changed',
  } satisfies Record<ChangeKind, string>,
  alertStarted: (what: string) => `Look: ${what}`,
  alertEnded: (what: string) => `Over: ${what}`,
  alerts: {
    stall: 'deliveries are not being stored',
    silence: 'no deliveries arrive',
    ledger: 'deliveries are not accounted for',
    failed_events: 'deliveries failed',
  } satisfies Record<AlertName, string>,
  alertAt: (when: string, zone: string) => `Noticed ${when}, ${zone}.`,
  alertOpen: 'Open Health',
  whyAlert: (site: string) => `You get this because you are an owner of ${site}.`,
  unsubscribed: 'You are unsubscribed',
}

export type DigestWords = typeof en

const languages: Readonly<Record<string, DigestWords>> = { en }

export function wordsOf(language: string): DigestWords {
  return languages[language] ?? en
}
