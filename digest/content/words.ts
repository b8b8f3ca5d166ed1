import type { AlertName } from '../digest-store.ts'
import { isLanguage, readingOf, type Reading } from '../../language/language.ts'
import { t, type Message } from '../../language/translate.ts'
import { kindWords } from '../../reporting/words/change-words.ts'
import type { ChangeKind } from '../../reporting/metrics/changes.ts'

/** How a mail to somebody is read. A language that we do not have is English. */
export function readingIn(language: string): Reading {
  return readingOf(isLanguage(language) ? language : 'en')
}

/** Where a mail says it otherwise than a page does. */
const ownKinds: Partial<Record<ChangeKind, Message>> = {
  deadline_moved: '{n, plural, one {due date moved} other {due dates moved}}',
  came_into_scope: 'joined your people',
  left_scope: 'left your people',
  other: 'otherwise changed',
}

/** `n`: how many, said before it. */
export function changeWords(kind: ChangeKind, n: number): string {
  const message = ownKinds[kind]
  return message === undefined ? kindWords(kind) : t(message, { n })
}

export const alertWords: Record<AlertName, Message> = {
  stall: 'deliveries are not being stored',
  silence: 'no deliveries arrive',
  ledger: 'deliveries are not accounted for',
  failed_events: 'deliveries failed',
}
