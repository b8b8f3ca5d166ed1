/**
 * The company's life in simulated time: a queue of actions and the events that the platform sends. The same options give
 * the same events, byte for byte, in any division of the time.
 */
import { createAssigning } from './assigning.ts'
import { createCalendar, type Calendar } from './calendar.ts'
import { createLearning } from './learning/learning.ts'
import { createPopulation, type Person, type Population, type PopulationOptions } from './population.ts'
import {
  isOpen,
  toRecordAt,
  writeEvent,
  writeSpecifiedEvent,
  type Assignment,
  type EventType,
} from './record.ts'
import { startStaffChanges } from './staff.ts'
import { toTruth, type Truth } from './truth.ts'
import { createQueue, type Happening, type HappeningKind, isBefore, type World } from './world.ts'

export type LifeOptions = PopulationOptions & {
  /** The company's zone: working hours, ends of days. Default Europe/Berlin. */
  timeZone?: string
  /** `specification`: ids of people are strings, optional fields that are unset are null or absent. Default `live`. */
  eventForm?: 'live' | 'specification'
}

export type LifeEvent = {
  /** The event's own time, epoch ms. */
  at: number
  /** Assignment id: events of one key must stay in order. */
  key: string
  eventType: EventType
  body: string
}

export type Life = {
  /** Advances to an instant, inclusive, and yields the events in order of time. */
  next(untilMs: number): Generator<LifeEvent, void, undefined>
  /**
   * Makes something happen at this instant (or the first later free millisecond) that people would have done later, or
   * that a manager thinks of now: for a lively platform in real time. Planned actions up to then come first.
   */
  hurry(at: number): LifeEvent[]
  /** The platform's own state at an instant not after `now()`. An earlier state is found by simulating again. */
  truthAt(at: number): Truth
  /** How far the simulation has come, epoch ms. */
  now(): number
  population: Population
  calendar: Calendar
  assignments: ReadonlyMap<string, Assignment>
}

export function createLife(options: LifeOptions): Life {
  return live(options, true)
}

function live(options: LifeOptions, writes: boolean): Life & { pullForward(at: number): LifeEvent[] } {
  const { seed, from } = options
  const write = options.eventForm === 'specification' ? writeSpecifiedEvent : writeEvent
  const calendar = createCalendar(options.timeZone ?? 'Europe/Berlin')
  const population = createPopulation(options)
  const queues = { deed: createQueue(), clockwork: createQueue() }
  const assignments = new Map<string, Assignment>()
  const unsettledOf = new Map<Person, Set<Assignment>>()
  const hurried: number[] = []
  let outbox: LifeEvent[] = []
  let clock = from
  let order = 0

  const world: World = { seed, calendar, population, assignments, unsettledOf, plan, planAt, emit }
  const learning = createLearning(world)
  const assigning = createAssigning(world, learning)
  assigning.start(from)
  startStaffChanges(world, learning, assigning, from)

  function plan(kind: HappeningKind, assignment: Assignment, at: number, run: (at: number) => void): void {
    assignment.pending++
    const happening: Happening = {
      at: Math.max(at, assignment.record.updatedAt + 1),
      order: order++,
      run(now) {
        const { updatedAt } = assignment.record
        // Two changes of one assignment never share a millisecond, so their order is clear.
        if (now <= updatedAt) {
          queues[kind].push({ ...happening, at: updatedAt + 1, order: order++ })
          return
        }
        assignment.pending--
        run(now)
        if (assignment.pending === 0) settle(assignment)
      },
    }
    queues[kind].push(happening)
  }

  function planAt(at: number, run: (at: number) => void): void {
    queues.clockwork.push({ at: Math.max(at, clock), order: order++, run })
  }

  function settle(assignment: Assignment): void {
    if (isOpen(assignment)) return
    const { record, person } = assignment
    if (!record.isFullyGraded && assignment.deletedAt === undefined) return
    const unsettled = unsettledOf.get(person)
    unsettled?.delete(assignment)
    if (unsettled?.size === 0) unsettledOf.delete(person)
  }

  function emit(eventType: EventType, assignment: Assignment, at: number): void {
    const { person } = assignment
    if (assignment.eventsSent++ === 0) {
      const unsettled = unsettledOf.get(person)
      if (unsettled === undefined) unsettledOf.set(person, new Set([assignment]))
      else unsettled.add(assignment)
    }
    Object.assign(assignment.record, toRecordAt(assignment, at, calendar), { updatedAt: at })
    person.lastEvent = { isDeleted: person.isDeleted, groups: person.groups, managers: person.managers }
    const body = writes ? write(eventType, at, assignment) : ''
    outbox.push({ at, key: assignment.record.id, eventType, body })
  }

  function takeNext(untilMs: number): Happening | undefined {
    const deed = queues.deed.peek()
    const clockwork = queues.clockwork.peek()
    const isDeed = deed !== undefined && (clockwork === undefined || isBefore(deed, clockwork))
    const first = isDeed ? deed : clockwork
    if (first === undefined || first.at > untilMs) return undefined
    return isDeed ? queues.deed.pop() : queues.clockwork.pop()
  }

  function* next(untilMs: number): Generator<LifeEvent, void, undefined> {
    for (let happening = takeNext(untilMs); happening !== undefined; happening = takeNext(untilMs)) {
      clock = Math.max(clock, happening.at)
      happening.run(happening.at)
      if (outbox.length === 0) continue
      const events = outbox
      outbox = []
      yield* events
    }
    clock = Math.max(clock, untilMs)
  }

  function hurry(at: number): LifeEvent[] {
    // A free millisecond: nothing has changed in it yet, so a hurried action can happen.
    const instant = Math.max(at, clock + 1)
    const due = [...next(instant)]
    if (due.length > 0) return due
    hurried.push(instant)
    return pullForward(instant)
  }

  function pullForward(at: number): LifeEvent[] {
    const horizon = at + hurryHorizonMs
    for (let deed = queues.deed.peek(); deed !== undefined && deed.at <= horizon; deed = queues.deed.peek()) {
      queues.deed.pop()
      deed.run(at)
      if (outbox.length > 0) break
    }
    if (outbox.length === 0) assigning.assignAdHoc(at)
    const events = outbox
    outbox = []
    return events
  }

  function truthAt(at: number): Truth {
    if (at > clock) throw new RangeError(`the platform has lived until ${clock} only, not until ${at}`)
    if (at === clock) return toTruth({ at, calendar, population, assignments })
    const again = live(options, false)
    for (const instant of hurried) {
      if (instant > at) break
      for (const event of again.next(instant)) void event
      again.pullForward(instant)
    }
    for (const event of again.next(at)) void event
    return again.truthAt(at)
  }

  return { next, hurry, pullForward, truthAt, now: () => clock, population, calendar, assignments }
}

/** Actions further away than this are not hurried; a manager assigns something new instead. */
const hurryHorizonMs = 3 * 24 * 60 * 60_000
