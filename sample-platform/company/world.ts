/** The parts that the simulation shares: the queue of actions, randomness, and sending an event. */
import type { Calendar } from './calendar.ts'
import type { Person, Population } from './population.ts'
import type { Assignment, EventType } from './record.ts'

/**
 * `deed`: a person's action, which could happen earlier. `clockwork`: an action of the calendar - a deadline that passes,
 * the next wave.
 */
export type HappeningKind = 'deed' | 'clockwork'

export type World = {
  seed: string
  calendar: Calendar
  population: Population
  assignments: Map<string, Assignment>
  /** A person's assignments that can still change. */
  unsettledOf: Map<Person, Set<Assignment>>
  /** Plans an action in an assignment's life. It runs after the assignment's last change, at least 1 ms later. */
  plan(kind: HappeningKind, assignment: Assignment, at: number, run: (at: number) => void): void
  /** Plans an action that belongs to no assignment. */
  planAt(at: number, run: (at: number) => void): void
  /** Changes the record and sends the event. */
  emit(eventType: EventType, assignment: Assignment, at: number): void
}
