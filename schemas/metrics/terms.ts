/**
 * One thing, one name: what pages, mails, files, the descriptions of the API and the help call things. German is in `language/de.json`.
 * `never`: what else people call it; `test/language/terms.test.ts` finds it in texts.
 */
type Term = { readonly name: string; readonly says: string; readonly never: readonly string[] }

export const terms = {
  learner: {
    name: 'Person',
    says: 'The person who has the assignment.',
    never: ['trainee', 'student', 'participant'],
  },
  completed: {
    name: 'Completed',
    says: 'The platform reports that nothing is left to do: submitted and, if it is graded, passed.',
    never: ['finish', 'finishes', 'finished', 'finishing'],
  },
  due_date: {
    name: 'Due date',
    says: 'The last day to submit a challenge on time. Reviewers may have a different due date for grading.',
    never: ['deadline', 'deadlines', 'another due date', 'reviewers’ date', 'reviewers’ dates'],
  },
  overdue: {
    name: 'Overdue',
    says: 'Open after the end of the due day. Assignments without a due date are never overdue.',
    never: ['newly late', 'became late', 'past due', 'fell overdue'],
  },
  submitted: {
    name: 'Submitted',
    says: 'The person has done their part. It may still wait for a grade.',
    never: ['handed in', 'hand in', 'turned in'],
  },
  awaiting_grading: {
    name: 'Waiting for a grade',
    says: 'Submitted, and not graded, completed or failed.',
    never: ['awaiting', 'awaiting grade', 'awaiting grading', 'backlog', 'queue'],
  },
  graded: {
    name: 'Graded',
    says: 'A reviewer has given a grade, passed or not.',
    never: ['scored', 'assessed'],
  },
  failed: {
    name: 'Failed',
    says: 'Graded and not passed. Failed assignments are neither open nor overdue.',
    never: ['flunked', 'rejected by the reviewer'],
  },
  scope: {
    name: 'In scope',
    says: 'Everything that the filters of a page select, among the people you can see.',
    never: ['everything in scope'],
  },
} as const satisfies Record<string, Term>
