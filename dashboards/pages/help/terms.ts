/** The words that pages use and no metric defines. */
import type { DueEnd } from '../../../schemas/metrics/answer.ts'
import { terms as names } from '../../../schemas/metrics/terms.ts'

export const terms: Record<'words' | 'trust', readonly { id: string; term: string; means: string }[]> = {
  words: [
    {
      id: 'word-assignment',
      term: 'Assignment',
      means: 'One challenge given to one person. A person can get the same challenge more than once.',
    },
    {
      id: 'word-open',
      term: 'Open',
      means: 'Not submitted, completed or failed yet: the person still has to act.',
    },
    ...Object.entries(names).map(([key, { name, says }]) => ({ id: `word-${key}`, term: name, means: says })),
    {
      id: 'word-team',
      term: 'Team',
      means:
        'A group on the platform. A person in two teams counts in both, so teams can add up to more ' +
        'than the total.',
    },
    {
      id: 'word-manager',
      term: 'Manager',
      means: 'A person to whom others report, directly or through others, according to the platform.',
    },
    {
      id: 'word-left',
      term: 'People who left',
      means: 'People deactivated on the platform. Their assignments are not counted unless you include them.',
    },
    {
      id: 'word-n',
      term: 'n',
      means: 'The number of assignments behind a figure. Grey below 10: one more would change it a lot.',
    },
    {
      id: 'word-points',
      term: 'Points',
      means: 'The difference between two percentages: from 70 % to 73 % is 3 points.',
    },
    {
      id: 'word-median',
      term: 'Median, 90% within',
      means:
        'Half took at most as long as the median. Nine of ten took at most as long as the second number.',
    },
    {
      id: 'word-as-of',
      term: 'As of',
      means:
        'The moment that a page shows. For a past moment it shows what was true then, even if it was ' +
        'reported afterwards.',
    },
  ],
  trust: [
    {
      id: 'trust-complete',
      term: 'Complete up to',
      means: 'Every webhook acknowledged before this moment is counted.',
    },
    {
      id: 'trust-waits',
      term: 'Webhooks wait',
      means: 'They are acknowledged and safe on disk, but not counted yet.',
    },
    {
      id: 'trust-quiet',
      term: 'Quiet',
      means:
        'Nothing arrived, and little or nothing usually arrives at this time of the week. Everything ' +
        'received is counted.',
    },
    {
      id: 'trust-broken',
      term: 'No events since ..., usually ...',
      means:
        'Nothing arrived, although something always arrived at this time of the week before. This needs ' +
        'three weeks of history.',
    },
    {
      id: 'trust-refused',
      term: 'Refused, failed event',
      means: 'A webhook that cannot be read. It is kept with its reason and not counted. Health lists all.',
    },
    {
      id: 'trust-repeated',
      term: 'Repeated',
      means: 'The same webhook, byte for byte, arrived again. It counts once.',
    },
    {
      id: 'trust-ledger',
      term: 'Ledger',
      means:
        'Where every webhook is: waiting, stored, repeated, failed or lost. If the difference is not 0, ' +
        'the ledger does not add up.',
    },
    {
      id: 'trust-sample',
      term: 'Sample data',
      means:
        'Made-up people and numbers to try out Rollcall. Every page with numbers, file and print says so.',
    },
  ],
}

export const dueEndWords: Record<DueEnd, string> = {
  end_of_day: 'A due day ends at midnight.',
  instant: 'A due date is exact to the minute.',
}
