import { at, delivery, event } from './hand.ts'
import { createScope, type Delivery } from '../scope.ts'

const handedIn = { status: 'needs_grading', isSubmitted: true, completionPercentage: 100 }
const completed = { ...handedIn, status: 'completed', isFullyGraded: true, isCompleted: true }

/**
 * A company small enough to count on one's fingers, looked at on Wednesday 18 March 2026 at noon; UTC, weeks, end of
 * day. `docs/golden-company.md` works out every number.
 *
 * |     | who  | about | created   | due            | then                                                           |
 * |-----|------|-------|-----------|----------------|----------------------------------------------------------------|
 * | a1  | ann  | c1    | 2 March   | 10             | handed in 6th, graded 90, passed and completed 8th             |
 * | a2  | ben  | c1    | 2 March   | 10             | handed in 12th, graded 40, not passed, completed 16th          |
 * | a3  | cem  | c1    | 2 March   | 10             | nothing; the platform goes on saying that it is not overdue    |
 * | a4  | ann  | c2    | 9 March   | 20             | begun on the 10th                                              |
 * | a5  | ben  | c2    | 9 March   | 12             | first heard of on the 14th: handed in and partly graded        |
 * | a6  | cem  | c2    | 9 March   | 12, then 25    | handed in 11th, graded 20 and failed 15th                      |
 * | a7  | dia  | c1    | 2 March   | 10             | nothing, and dia left on the 5th                               |
 * | a8  | -    | c3    | 16 March  | -              | nothing                                                        |
 * | a9  | ann  | c3    | 16 March  | 30             | deleted on the 17th                                            |
 * | a10 | eve  | c3    | not said  | 17             | first heard of on the 17th: completed, nobody says when        |
 * | a11 | cem  | c3    | 4 March   | 6, then 17     | looked at on the 8th, when the date was moved                  |
 */
export const smallCompany: Delivery[] = [
  ...about(
    'a1',
    'ann',
    'c1',
    { createdAt: at('2026-03-02T09:00Z'), dueDate: at('2026-03-10T17:00Z') },
    (a1) => [
      a1('Created', '2026-03-02T09:00Z'),
      a1('Progress', '2026-03-06T09:00Z', { ...handedIn, reviewersDueDate: at('2026-03-09T12:00Z') }),
      a1('Completed', '2026-03-08T09:00Z', {
        ...completed,
        passed: true,
        calculatedGrade: 90,
        completedAt: at('2026-03-08T09:00Z'),
        reviewersDueDate: at('2026-03-09T12:00Z'),
      }),
    ],
  ),
  ...about(
    'a2',
    'ben',
    'c1',
    { createdAt: at('2026-03-02T09:00Z'), dueDate: at('2026-03-10T17:00Z') },
    (a2) => [
      a2('Created', '2026-03-02T09:00Z'),
      a2('Progress', '2026-03-12T09:00Z', { ...handedIn, reviewersDueDate: at('2026-03-13T12:00Z') }),
      a2('Completed', '2026-03-16T09:00Z', {
        ...completed,
        calculatedGrade: 40,
        completedAt: at('2026-03-16T09:00Z'),
        reviewersDueDate: at('2026-03-13T12:00Z'),
      }),
    ],
  ),
  ...about(
    'a3',
    'cem',
    'c1',
    { createdAt: at('2026-03-02T09:00Z'), dueDate: at('2026-03-10T17:00Z') },
    (a3) => [a3('Created', '2026-03-02T09:00Z')],
  ),
  ...about(
    'a4',
    'ann',
    'c2',
    { createdAt: at('2026-03-09T09:00Z'), dueDate: at('2026-03-20T17:00Z') },
    (a4) => [
      a4('Created', '2026-03-09T09:00Z'),
      a4('Progress', '2026-03-10T09:00Z', {
        status: 'in_progress',
        completionPercentage: 20,
        firstViewedAt: at('2026-03-10T08:00Z'),
      }),
    ],
  ),
  ...about(
    'a5',
    'ben',
    'c2',
    { createdAt: at('2026-03-09T09:00Z'), dueDate: at('2026-03-12T17:00Z') },
    (a5) => [
      a5('Progress', '2026-03-14T09:00Z', {
        ...handedIn,
        isPartiallyGraded: true,
        reviewersDueDate: at('2026-03-16T12:00Z'),
      }),
    ],
  ),
  ...about(
    'a6',
    'cem',
    'c2',
    { createdAt: at('2026-03-09T09:00Z'), dueDate: at('2026-03-12T17:00Z') },
    (a6) => [
      a6('Created', '2026-03-09T09:00Z'),
      a6('Progress', '2026-03-11T09:00Z', handedIn),
      a6('Progress', '2026-03-15T09:00Z', {
        ...handedIn,
        status: 'failed',
        isFullyGraded: true,
        calculatedGrade: 20,
        dueDate: at('2026-03-25T17:00Z'),
      }),
    ],
  ),
  ...about(
    'a7',
    'dia',
    'c1',
    { createdAt: at('2026-03-02T09:00Z'), dueDate: at('2026-03-10T17:00Z') },
    (a7) => [a7('Created', '2026-03-02T09:00Z')],
  ),
  delivery({ eventType: 'userDeleted', timestamp: at('2026-03-05T09:00Z'), user: { id: 'dia' } }),
  ...about('a8', null, 'c3', { createdAt: at('2026-03-16T09:00Z') }, (a8) => [
    a8('Created', '2026-03-16T09:00Z'),
  ]),
  ...about(
    'a9',
    'ann',
    'c3',
    { createdAt: at('2026-03-16T09:00Z'), dueDate: at('2026-03-30T17:00Z') },
    (a9) => [a9('Created', '2026-03-16T09:00Z'), a9('Deleted', '2026-03-17T09:00Z')],
  ),
  ...about('a10', 'eve', 'c3', { dueDate: at('2026-03-17T17:00Z') }, (a10) => [
    a10('Completed', '2026-03-17T09:00Z', { ...completed, isFullyGraded: false }),
  ]),
  ...about(
    'a11',
    'cem',
    'c3',
    { createdAt: at('2026-03-04T09:00Z'), dueDate: at('2026-03-06T17:00Z') },
    (a11) => [
      a11('Created', '2026-03-04T09:00Z'),
      a11('Progress', '2026-03-08T10:00Z', {
        isOverdue: true,
        dueDate: at('2026-03-17T17:00Z'),
        firstViewedAt: at('2026-03-08T09:00Z'),
      }),
    ],
  ),
]

export const smallCompanyScope = createScope(at('2026-03-18T12:00Z'), { trendFrom: '2026-03-02' })

type Fields = { [field: string]: unknown }
type Word = Parameters<typeof event>[0]

function about(
  id: string,
  userId: string | null,
  challengeId: string,
  always: Fields,
  tell: (story: (word: Word, timestamp: string, fields?: Fields) => Delivery) => Delivery[],
): Delivery[] {
  const untouched = {
    id,
    challengeId,
    status: 'not_started',
    calculatedGrade: 0,
    isOverdue: false,
    ...always,
  }
  return tell((word, timestamp, fields = {}) =>
    event(word, timestamp, { ...untouched, ...fields }, { id: userId }),
  )
}
