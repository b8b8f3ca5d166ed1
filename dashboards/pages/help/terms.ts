/** The words that pages use and no metric defines. */
import type { DueEnd } from '../../../schemas/metrics/answer.ts'
import { terms as names } from '../../../schemas/metrics/terms.ts'

export const terms: Record<'words' | 'trust', readonly { id: string; term: string; means: string }[]> = {
  words: [
    {
      id: 'word-assignment',
      term: 'Assignment',
      means: 'One challenge that one person was given. A person may get the same challenge more than once.',
    },
    { id: 'word-open', term: 'Open', means: 'The learner still has to act: neither submitted, completed nor failed.' },
    ...Object.entries(names).map(([key, { name, says }]) => ({ id: `word-${key}`, term: name, means: says })),
    {
      id: 'word-team',
      term: 'Team',
      means: 'A group of the platform. A person in two teams counts in both, so teams may add up to more than all.',
    },
    {
      id: 'word-manager',
      term: 'Manager',
      means: 'Who the platform says a person reports to, directly or through others.',
    },
    {
      id: 'word-left',
      term: 'People who left',
      means: 'People whom the platform has deactivated. Their assignments are left out, unless you ask for them.',
    },
    {
      id: 'word-n',
      term: 'n',
      means: 'How many a number is made of. Under 10 it is grey: one more or less would change it much.',
    },
    { id: 'word-points', term: 'Points', means: 'The difference of two percentages: from 70 % to 73 % is 3 points.' },
    {
      id: 'word-median',
      term: 'Half within, nine of ten within',
      means: 'The median and the 90th percentile: half of all took at most so long, nine of ten at most so long.',
    },
    {
      id: 'word-as-of',
      term: 'As of',
      means:
        'The moment that a page shows. At a past moment it shows what was true then, also if it was reported later.',
    },
  ],
  trust: [
    {
      id: 'trust-complete',
      term: 'Complete up to',
      means: 'Every delivery that was acknowledged before this moment is in the numbers.',
    },
    {
      id: 'trust-waits',
      term: 'Deliveries wait',
      means: 'They were acknowledged and are safe on a disk, but no number has them yet.',
    },
    {
      id: 'trust-quiet',
      term: 'Quiet',
      means:
        'Nothing came, and at this time of the week little or nothing usually comes. Everything that was received is counted.',
    },
    {
      id: 'trust-broken',
      term: 'No events since ..., usually ...',
      means:
        'Nothing came, although at this time of the week something always came in the weeks before. It takes three weeks of history to say so.',
    },
    {
      id: 'trust-refused',
      term: 'Refused, failed event',
      means:
        'A delivery that cannot be used. It is kept with its reason, and no number has it. Health lists all of them.',
    },
    {
      id: 'trust-repeated',
      term: 'Repeated',
      means: 'The same delivery, byte for byte, came again. It counts once.',
    },
    {
      id: 'trust-ledger',
      term: 'Ledger',
      means:
        'Where every delivery is: waiting, stored, repeated, failed or lost. The difference is 0, or the ledger does not add up.',
    },
    {
      id: 'trust-sample',
      term: 'Sample data',
      means: 'People and numbers that were made up, to try Rollcall out. Every page, export and print says so.',
    },
  ],
}

export const dueEndWords: Record<DueEnd, string> = {
  end_of_day: 'A due day ends at midnight.',
  instant: 'A due date is exact to the minute.',
}
