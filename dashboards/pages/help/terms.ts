/** The words that pages use and no metric defines. */
import { terms as names } from '../../../schemas/metrics/terms.ts'

export type Term = { id: string; term: string; means: string }

const toTerms = (
  prefix: string,
  terms: Record<string, readonly [term: string, means: string]>,
): readonly Term[] =>
  Object.entries(terms).map(([id, [term, means]]) => ({ id: `${prefix}-${id}`, term, means }))

export const terms: Record<'words' | 'trust', readonly Term[]> = {
  words: toTerms('word', {
    assignment: [
      'Assignment',
      'One challenge given to one person. A person can get the same challenge more than once.',
    ],
    open: ['Open', 'Not submitted, completed or failed yet: the person still has to act.'],
    ...Object.fromEntries(Object.entries(names).map(([key, { name, says }]) => [key, [name, says]] as const)),
    team: [
      'Team',
      'A group on the platform. A person in two teams counts in both, so teams can add up to more than the total.',
    ],
    manager: [
      'Manager',
      'A person to whom others report, directly or through others, according to the platform.',
    ],
    left: [
      'People who left',
      'People deactivated on the platform. Their assignments are not counted unless you include them.',
    ],
    n: ['n', 'The number of assignments behind a figure. Grey below 10: one more would change it a lot.'],
    points: ['Points', 'The difference between two percentages: from 70 % to 73 % is 3 points.'],
    median: [
      'Median, 90% within',
      'Half took at most as long as the median. Nine of ten took at most as long as the second number.',
    ],
    'as-of': [
      'As of',
      'The moment that a page shows. For a past moment it shows what was true then, even if it was reported afterwards.',
    ],
  }),
  trust: toTerms('trust', {
    complete: ['Complete up to', 'Every webhook acknowledged before this moment is counted.'],
    waits: ['Webhooks wait', 'They are acknowledged and safe on disk, but not counted yet.'],
    quiet: [
      'Quiet',
      'Nothing arrived, and little or nothing usually arrives at this time of the week. Everything received is counted.',
    ],
    broken: [
      'No events since ..., usually ...',
      'Nothing arrived, although something always arrived at this time of the week before. This needs three weeks of history.',
    ],
    refused: [
      'Refused, failed event',
      'A webhook that cannot be read. It is kept with its reason and not counted. Health lists all.',
    ],
    repeated: ['Repeated', 'The same webhook, byte for byte, arrived again. It counts once.'],
    ledger: [
      'Ledger',
      'Where every webhook is: waiting, stored, repeated, failed or lost. If the difference is not 0, the ledger does not add up.',
    ],
    sample: [
      'Sample data',
      'Made-up people and numbers to try out Rollcall. Every page with numbers, file and print says so.',
    ],
  }),
}
