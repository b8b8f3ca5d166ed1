import type { AlertName } from '../digest-store.ts'
import { isLanguage, reading, readingOf } from '../../language/language.ts'
import { t, type Message, type Values } from '../../language/translate.ts'
import { kindWords } from '../../reporting/words/change-words.ts'
import type { ChangeKind } from '../../reporting/metrics/changes.ts'

/** Where a mail says it otherwise than a page does. */
const ownKinds: Partial<Record<ChangeKind, Message>> = {
  deadline_moved: '{n, plural, one {due date moved} other {due dates moved}}',
  came_into_scope: 'joined your people',
  left_scope: 'left your people',
  other: 'otherwise changed',
}

const alertNames: Record<AlertName, Message> = {
  stall: 'deliveries are not being stored',
  silence: 'no deliveries arrive',
  ledger: 'deliveries are not accounted for',
  failed_events: 'deliveries failed',
}

export type DigestWords = ReturnType<typeof wordsOf>

/** A language that we do not have is English. */
export function wordsOf(language: string) {
  const as = readingOf(isLanguage(language) ? language : 'en')
  const say = (message: Message, values?: Values) =>
    reading(as, () => (t as (message: Message, values?: Values) => string)(message, values))
  return {
    as,
    title: say('Your people'),
    titleOfAll: say('Everybody'),
    /** Without a name: subjects show on locked screens. */
    subject: (title: string, late: number, waiting: number): string => {
      const parts = [
        ...(late > 0 ? [say('{late} became overdue', { late: String(late) })] : []),
        ...(waiting > 0
          ? [
              say('{waiting} {n, plural, one {waits} other {wait}} for a grade', {
                waiting: String(waiting),
                n: waiting,
              }),
            ]
          : []),
      ]
      return parts.length === 0 ? say('{title}: what changed', { title }) : `${title}: ${parts.join(', ')}`
    },
    period: (from: string, to: string, zone: string) => say('{from} to {to}, {zone}', { from, to, zone }),
    sample: say('Sample data. These people and numbers are made up.'),
    completion: say('Completion'),
    onTime: say('On time'),
    of: (part: string, all: string, what: 'assigned' | 'decided') =>
      what === 'assigned'
        ? say('{part} of {all} assigned', { part, all })
        : say('{part} of {all} due or done', { part, all }),
    noData: say('No data'),
    newlyLate: (n: string) => say('Became overdue: {n}', { n }),
    nobodyLate: say('Nobody became overdue.'),
    waiting: (n: string) => say('Waiting for a grade: {n}', { n }),
    changed: say('What changed'),
    notes: say('Notes'),
    nothingChanged: say('Nothing changed.'),
    overdue: (n: string) => say('{n} overdue in all', { n }),
    noChange: say('no change'),
    /** `change`: with its sign, or `noChange`. */
    since: (change: string, since: string) => say('{change} since {since}', { change, since }),
    dueSoon: (n: string) => say('{n} due in the next 7 days', { n }),
    due: (day: string) => say('due {day}', { day }),
    handedIn: (age: string) => say('handed in {age} ago', { age }),
    more: (all: string) => say('Show all {all}', { all }),
    nobodyKnown: say('Somebody whom nobody knows'),
    noChallenge: say('Unknown challenge'),
    person: (id: string) => say('Person {id}', { id }),
    open: say('Open Rollcall'),
    // An address is known wherever mail is sent, but not in every preview.
    why: (site: string) =>
      site === ''
        ? say('You receive this digest because you are a manager in Rollcall or turned it on.')
        : say('You receive this digest because you are a manager in Rollcall or turned it on ({site}).', { site }),
    settings: say('Change how often it comes'),
    unsubscribe: say('Unsubscribe'),
    /** `n`: how many, said before it. */
    kind(kind: ChangeKind, n: number): string {
      const message = ownKinds[kind]
      return message === undefined ? reading(as, () => kindWords(kind)) : say(message, { n })
    },
    alertStarted: (what: string) => say('Look: {what}', { what }),
    alertEnded: (what: string) => say('Over: {what}', { what }),
    alert: (name: AlertName) => say(alertNames[name]),
    alertAt: (when: string, zone: string) => say('Noticed {when}, {zone}.', { when, zone }),
    alertOpen: say('Open Health'),
    whyAlert: (site: string) => say('You get this because you are an owner of {site}.', { site }),
  }
}
