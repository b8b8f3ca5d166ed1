/** The list of contradictions, stated once more: from the JSON that was sent, and by the words of METRICS.md only. */
import { readInstant } from './instants.ts'
import { assignmentEventTypes, readId, readObject, wireStatuses, type JsonObject } from './reading.ts'

const unset = ['completedAt', 'firstViewedAt', 'lastViewedAt', 'reviewersDueDate'] as const
const flags = [
  'isCompleted',
  'isCompletedOnTime',
  'isFullyGraded',
  'isOverdue',
  'isPartiallyGraded',
  'isSubmitted',
  'passed',
] as const

/** The contradictions of a usable event; none of an event of another kind. */
export function findContradictions(event: JsonObject): string[] {
  const type = event['eventType']
  const sent = readObject(event['challengeAssignment'])
  if (sent === undefined || !assignmentEventTypes.some((known) => known === type)) return []
  const time = (name: string) => readInstant(sent[name])
  const number = (name: string) => (Number.isFinite(sent[name]) ? (sent[name] as number) : undefined)
  const status = wireStatuses.find((known) => known === sent['status'])
  const isCompleted = sent['isCompleted']
  const completedOn = toDate(time('completedAt'))
  const dueOn = toDate(time('dueDate'))
  const challenge = readId(readObject(event['challenge'])?.['id'])
  const own = readId(sent['challengeId'])
  const isNew =
    (status === undefined || status === 'not_started') &&
    [undefined, 0].includes(number('calculatedGrade')) &&
    [undefined, 0].includes(number('completionPercentage')) &&
    flags.every((flag) => sent[flag] !== true) &&
    unset.every((name) => time(name) === undefined) &&
    number('numDaysOverdue') === undefined
  const list: Record<string, boolean> = {
    created_not_new: type === 'assignmentCreated.challenge' && !isNew,
    completed_event_without_completion: type === 'assignmentCompleted.challenge' && isCompleted === false,
    status_completed_without_completion: status === 'completed' && isCompleted === false,
    status_failed_with_completion: status === 'failed' && isCompleted === true,
    on_time_without_completion: sent['isCompletedOnTime'] === true && isCompleted !== true,
    on_time_after_due_date:
      sent['isCompletedOnTime'] === true && completedOn !== undefined && dueOn !== undefined && completedOn > dueOn,
    fully_and_partially_graded: sent['isFullyGraded'] === true && sent['isPartiallyGraded'] === true,
    completed_at_without_completion: completedOn !== undefined && isCompleted !== true,
    days_overdue_without_overdue: sent['isOverdue'] === false && (number('numDaysOverdue') ?? 0) > 0,
    two_challenges: challenge !== undefined && own !== undefined && challenge !== own,
  }
  return Object.keys(list).filter((name) => list[name])
}

/** A date as text; these sort like the days. */
function toDate(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : new Date(instant).toISOString().slice(0, 10)
}
