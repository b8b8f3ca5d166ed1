/** What the parts of the simulated company share: the clock's queue, the chance, and the way an event gets out. */
import type { Calendar } from './calendar.ts'
import type { Person, Population } from './population.ts'
import type { Assignment, EventType } from './record.ts'

/**
 * `deed`: what a person does, and could as well do earlier. `clockwork`: what only the calendar brings - a deadline that
 * passes, the next wave, a day in the life of the personnel office.
 */
export type HappeningKind = 'deed' | 'clockwork'

export type World = {
  seed: string
  calendar: Calendar
  population: Population
  assignments: Map<string, Assignment>
  /** Those of a person that may still be acted upon. */
  unsettledOf: Map<Person, Set<Assignment>>
  /** Plans something in an assignment's life. It runs after the assignment's last change, at the earliest 1 ms later. */
  plan(kind: HappeningKind, assignment: Assignment, at: number, run: (at: number) => void): void
  /** Plans something that belongs to no assignment. */
  planAt(at: number, run: (at: number) => void): void
  /** Changes what the platform tells: brings the record up to date and sends the event. */
  emit(eventType: EventType, assignment: Assignment, at: number): void
  emitUser(eventType: 'userCreated' | 'userDeleted', person: Person, at: number): void
}
