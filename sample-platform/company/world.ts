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

/** A priority queue of actions: earliest first; at one instant, in order of insertion. */
export type Happening = { at: number; order: number; run: (at: number) => void }

export function createQueue() {
  const heap: Happening[] = []

  function push(happening: Happening): void {
    let index = heap.length
    while (index > 0) {
      const up = (index - 1) >> 1
      const parent = heap[up] as Happening
      if (!isBefore(happening, parent)) break
      heap[index] = parent
      index = up
    }
    heap[index] = happening
  }

  function pop(): Happening | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let index = 0
    for (;;) {
      let down = 2 * index + 1
      if (down >= heap.length) break
      if (down + 1 < heap.length && isBefore(heap[down + 1] as Happening, heap[down] as Happening)) down++
      const child = heap[down] as Happening
      if (!isBefore(child, last)) break
      heap[index] = child
      index = down
    }
    heap[index] = last
    return first
  }

  return { push, pop, peek: () => heap[0] }
}

export function isBefore(a: Happening, b: Happening): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}
