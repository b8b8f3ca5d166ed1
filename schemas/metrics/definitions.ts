/** Title and definition of every metric, in the words of METRICS.md. Pages and the API description show them. */
import type { Metrics } from './answer.ts'

export type MetricKind = 'count' | 'rate' | 'duration' | 'list' | 'object'

export type MetricDefinition = { title: string; kind: MetricKind; definition: string }

export const metricDefinitions: Record<keyof Metrics, MetricDefinition> = {
  assigned: { title: 'Assigned', kind: 'count', definition: 'Assignments in scope.' },
  completion_rate: { title: 'Completion rate', kind: 'rate', definition: 'Completed / assigned.' },
  people_fully_complete: {
    title: 'People with everything complete',
    kind: 'rate',
    definition: 'People whose every assignment in scope is completed / people with at least one in scope.',
  },
  on_time_rate: {
    title: 'Completed on time',
    kind: 'rate',
    definition:
      'Completed on time / all in scope, but left out: no due date; completed, but nobody knows when; failed; awaiting grading; ' +
      'not due yet (not completed, not late).',
  },
  submitted_on_time_rate: {
    title: 'Handed in on time',
    kind: 'rate',
    definition:
      'The learner’s own part: submitted, and first seen submitted before it was late / all in scope, but left out: no due date; ' +
      'failed; not due yet (not submitted, not late); unknown (the first event we have was already submitted, and neither it ' +
      'nor the completion time shows that it was in time).',
  },
  overdue: {
    title: 'Overdue',
    kind: 'count',
    definition: 'The learner still has to act, the due date is known, and it has passed.',
  },
  overdue_rate: {
    title: 'Overdue rate',
    kind: 'rate',
    definition: 'Overdue / open ones (the learner still has to act), but left out: no due date.',
  },
  aging: {
    title: 'Days overdue',
    kind: 'list',
    definition:
      'Overdue ones by calendar days in the due zone from the due day to today. The buckets add up to overdue.',
  },
  due_soon: {
    title: 'Due soon',
    kind: 'count',
    definition: 'Open, not overdue, and the due day is today or one of the next days (7 unless asked otherwise).',
  },
  statuses: {
    title: 'Status',
    kind: 'list',
    definition:
      'Completed, failed, awaiting grading, overdue, in progress (viewed), not started: the first that holds. They add up to assigned.',
  },
  pass_rate: {
    title: 'Pass rate',
    kind: 'rate',
    definition: 'Graded and passed / graded. Left out: awaiting grading.',
  },
  grade: {
    title: 'Grades',
    kind: 'object',
    definition:
      'Calculated grade, as sent, of graded ones where it is known. Median of an even number = mean of the middle two; ten bins, ' +
      'values outside 0-100 in the end bins.',
  },
  grading_backlog: {
    title: 'Awaiting grading',
    kind: 'object',
    definition:
      'Submitted, and not graded, completed or failed. Untouched or partially graded as the platform says now; age = since first ' +
      'seen submitted, as the plain median and the oldest.',
  },
  reviewer_overdue: {
    title: 'Grading overdue',
    kind: 'count',
    definition: 'Awaiting grading, and the reviewers’ due date is known and has passed.',
  },
  reviewer_on_time: {
    title: 'Graded on time',
    kind: 'rate',
    definition:
      'Graded, and first seen graded before it was late by the reviewers’ due date / graded or awaiting ones, but left out: no ' +
      'reviewers’ due date; unknown (the first event we have was already graded); not due yet (awaiting, not late).',
  },
  grading_turnaround: {
    title: 'Grading turnaround',
    kind: 'duration',
    definition:
      'From first seen submitted to first seen graded, of graded or awaiting ones, by Kaplan-Meier: those still awaiting count as ' +
      'far as they have waited. Left out as unknown: the first event we have was already submitted, or both were first seen in one event.',
  },
  time_to_complete: {
    title: 'Time to complete',
    kind: 'duration',
    definition:
      'From assignment to completion, by Kaplan-Meier: all others, failed ones too, count as far as they have come. Left out as ' +
      'unknown: no completion time or no creation time was sent.',
  },
  funnel: {
    title: 'Funnel',
    kind: 'list',
    definition:
      'Assigned, viewed, started (percentage above 0 or in progress), submitted, graded, passed; each implies the ones before.',
  },
  cohorts: {
    title: 'Cohorts',
    kind: 'list',
    definition: 'Assignments by the period in which they were created, and how many of those are completed.',
  },
  trend: {
    title: 'Trend',
    kind: 'list',
    definition:
      'Of the assignments in scope, per period: assigned by creation, completed by completion time, graded by first seen graded, ' +
      'how often one became overdue, and how many were overdue at the period’s end.',
  },
  deadline_moves: {
    title: 'Deadlines moved',
    kind: 'object',
    definition:
      'Assignments whose due date differs from the first known one (removed = differs), and completed on time over just these, by ' +
      'the first and by the current due date.',
  },
  reported_mismatch: {
    title: 'Overdue differs from the platform',
    kind: 'count',
    definition: 'The platform says whether it is overdue, and by our definition it is otherwise.',
  },
}
