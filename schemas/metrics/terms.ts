/**
 * One thing, one name: what pages, mails, files, the descriptions of the API and the help call things. German is in `language/de.json`.
 * `never`: what else people call it; `test/language/terms.test.ts` finds it in texts.
 */
type Term = { readonly name: string; readonly says: string; readonly never: readonly string[] }

export const terms = {
  learner: {
    name: 'Learner',
    says: 'The person to whom something is assigned.',
    never: ['trainee', 'student', 'participant'],
  },
  completed: {
    name: 'Completed',
    says: 'The platform says that nothing is left to do: submitted and, where it is graded, passed.',
    never: ['finish', 'finishes', 'finished', 'finishing'],
  },
  due_date: {
    name: 'Due date',
    says: 'The last day on which a challenge can be submitted without being late. A reviewer may have another one for grading.',
    never: ['deadline', 'deadlines', 'another due date', 'reviewers’ date', 'reviewers’ dates'],
  },
  overdue: {
    name: 'Overdue',
    says: 'Late, and the learner still has to act. Late: after the end of the due day. What has no due date is never late.',
    never: ['newly late', 'became late', 'past due', 'fell overdue'],
  },
  submitted: {
    name: 'Submitted',
    says: 'The learner has done their part, and a reviewer may have to grade it.',
    never: ['handed in', 'hand in', 'turned in'],
  },
  awaiting_grading: {
    name: 'Waiting for a grade',
    says: 'Submitted, and not graded, completed or failed.',
    never: ['awaiting', 'awaiting grade', 'awaiting grading', 'backlog', 'queue'],
  },
  graded: {
    name: 'Graded',
    says: 'A reviewer has given a grade, whether passed or not.',
    never: ['scored', 'assessed'],
  },
  failed: {
    name: 'Failed',
    says: 'Graded and not passed. Failed ones are neither open nor overdue.',
    never: ['flunked', 'rejected by the reviewer'],
  },
  scope: {
    name: 'In scope',
    says: 'Everything that the filters of a page select, among the people whom you see.',
    never: ['everything in scope'],
  },
} as const satisfies Record<string, Term>
