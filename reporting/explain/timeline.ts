/**
 * The story of one assignment from its events, in event order: lives, the content of each event, and regrades of the
 * current life.
 */
import type { Timeline, TimelineEvent } from '../../schemas/answers/timeline.ts'
import { eventNumbers, flagBits } from '../../schemas/webhook/event-bits.ts'
import type { AssignmentEvent } from '../queries/assignment-events.ts'

const created = eventNumbers['assignmentCreated.challenge']
const deleted = eventNumbers['assignmentDeleted.challenge']

/** A Created after a Deleted begins a new life; other events after a deletion belong to the old one. */
export function toTimeline(events: readonly AssignmentEvent[]): Timeline {
  const lives: AssignmentEvent[][] = []
  for (const event of events) {
    const current = lives.at(-1)
    const isNew =
      current === undefined ||
      (event.type_number === created && current.some(({ type_number }) => type_number === deleted))
    if (isNew) lives.push([event])
    else current.push(event)
  }
  return {
    lives: lives.map((events, index) => {
      const end = events.findLast(({ type_number }) => type_number === deleted)
      return { life: index + 1, began_at: events[0]!.at, ended_at: end?.at ?? null, events: events.length }
    }),
    events: lives.flatMap((events, index) => events.map((event) => toTimelineEvent(event, index + 1))),
    regrades: toRegrades(lives.at(-1) ?? []),
  }
}

export const eventsPerPage = 200

/** A page of a long story. `older`: the event before which the rest is. */
export type TimelinePage = Timeline & { older: string | null }

/** The last events before one, else of all, with the lives and regrades that they tell of. */
export function cutTimeline({ events, lives, regrades }: Timeline, before: string | null): TimelinePage {
  const at = events.findIndex((event) => event.event_id === before)
  const end = at === -1 ? events.length : at
  const shown = events.slice(Math.max(0, end - eventsPerPage), end)
  const ids = new Set(shown.map(({ event_id }) => event_id))
  const told = new Set(shown.map(({ life }) => life))
  return {
    lives: lives.filter(({ life }) => told.has(life)),
    events: shown,
    regrades: regrades.filter(({ event_id }) => ids.has(event_id)),
    older: end > eventsPerPage ? (shown[0]?.event_id ?? null) : null,
  }
}

/** A grade that is unknown on one side is not a change; an unknown pass flag means not passed. */
function toRegrades(life: readonly AssignmentEvent[]): Timeline['regrades'] {
  const graded = life.filter((event) => hasFlag(event, flagBits.isFullyGraded))
  return graded.slice(1).flatMap((event, index) => {
    const before = graded[index]
    if (before === undefined) return []
    const [from, to] = [hasFlag(before, flagBits.passed), hasFlag(event, flagBits.passed)]
    const [grade_from, grade_to] = [before.calculated_grade, event.calculated_grade]
    const isNewGrade = grade_from !== null && grade_to !== null && grade_from !== grade_to
    if (!isNewGrade && from === to) return []
    const { event_id, at } = event
    return { event_id, at, grade_from, grade_to, passed_from: from, passed_to: to }
  })
}

function toTimelineEvent(event: AssignmentEvent, life: number): TimelineEvent {
  const { akey: _, type_number: __, flags_known, flags_true, ...told } = event
  const isSet = (flag: number) => ((flags_known & flag) === 0 ? null : (flags_true & flag) !== 0)
  return {
    ...told,
    life,
    is_completed: isSet(flagBits.isCompleted),
    is_submitted: isSet(flagBits.isSubmitted),
    is_partially_graded: isSet(flagBits.isPartiallyGraded),
    is_fully_graded: isSet(flagBits.isFullyGraded),
    passed: isSet(flagBits.passed),
  }
}

function hasFlag(event: AssignmentEvent, flag: number): boolean {
  return (event.flags_true & flag) !== 0
}
