/**
 * The company's life in simulated time. Everything that happens is an act: a script that changes records, sends events
 * and yields the instant at which it goes on. The same options give the same events, byte for byte.
 */
import { createQueue } from '../queue.ts'
import { createRandom, toUuid } from '../random.ts'
import { Company } from './company.ts'
import { createCalendar, dayMs } from './calendar.ts'
import type { Act } from './learning.ts'
import { createPopulation, type Person, type PopulationOptions } from './population.ts'
import {
  toRecordAt,
  writeEvent,
  writeSpecifiedEvent,
  type Assignment,
  type EventType,
  createLifeOfRecord,
} from './record.ts'
import { toTruth, type Truth } from './truth.ts'

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

export type Life = ReturnType<typeof createLife>

/** `of`: the assignment that it changes; it ends when that is deleted or begins again. `isDeed`: somebody could do it earlier. */
type Planned = { act: Act; of: Assignment | null; isDeed: boolean }

/** Deeds further away than this are not hurried; a manager assigns something new instead. */
const hurryHorizonMs = 3 * dayMs

export function createLife(options: LifeOptions) {
  const { seed, from } = options
  const write = options.eventForm === 'specification' ? writeSpecifiedEvent : writeEvent
  const calendar = createCalendar(options.timeZone ?? 'Europe/Berlin')
  const population = createPopulation(options)
  const assignments = new Map<string, Assignment>()
  const queue = createQueue<Planned>()
  let outbox: LifeEvent[] = []
  let clock = from

  const assignmentsOf = (person: Person) => [...assignments.values()].filter((one) => one.person === person)
  const company = new Company({ seed, calendar, population, assign, assignmentsOf, tell, start, stop })
  company.start(from)

  function start(act: Act, of: Assignment | null, at: number, isDeed = false): void {
    goOn({ act, of, isDeed }, at)
  }

  /** Ends what is planned for an assignment: it is deleted, or begins again. */
  function stop(assignment: Assignment): void {
    for (;;) {
      const planned = queue.pull(({ of }) => of === assignment)
      if (planned === undefined) return
      planned.act.return()
    }
  }

  function goOn(planned: Planned, at: number): void {
    const { value, done } = planned.act.next(at)
    if (done !== true) queue.add(planned, Math.max(Math.floor(value), at))
  }

  function perform(planned: Planned, at: number): void {
    const { of } = planned
    // Two changes of one assignment never share a millisecond, so their order is clear.
    if (of !== null && at <= of.record.updatedAt) queue.add(planned, of.record.updatedAt + 1)
    else if (of?.person.isDeleted === true && planned.isDeed) planned.act.return()
    else goOn(planned, at)
  }

  function assign(person: Person, challenge: Assignment['challenge'], at: number, dueDate: number | null) {
    const index = assignments.size
    const id = toUuid(`${seed}/assignment`, index)
    const assignment: Assignment = {
      person,
      challenge,
      random: createRandom(`${seed}/assignment`, index),
      eventsSent: 0,
      ...createLifeOfRecord(id, challenge.id, at, dueDate),
    }
    assignments.set(id, assignment)
    return assignment
  }

  /** Brings the record to an instant and sends the event. */
  function tell(assignment: Assignment, eventType: EventType, at: number): void {
    const { person } = assignment
    assignment.eventsSent++
    Object.assign(assignment.record, toRecordAt(assignment, at, calendar), { updatedAt: at })
    person.lastEvent = { isDeleted: person.isDeleted, groups: person.groups, managers: person.managers }
    outbox.push({ at, key: assignment.record.id, eventType, body: write(eventType, at, assignment) })
  }

  function takeOutbox(): LifeEvent[] {
    const events = outbox
    outbox = []
    return events
  }

  /** Advances to an instant, inclusive, and yields the events in order of time. */
  function* next(untilMs: number): Generator<LifeEvent, void, undefined> {
    for (const { item, at } of queue.take(untilMs)) {
      clock = Math.max(clock, at)
      perform(item, at)
      yield* takeOutbox()
    }
    clock = Math.max(clock, untilMs)
  }

  return {
    next,
    /**
     * Makes something happen at this instant (or the first later free millisecond) that people would have done later, or
     * that a manager thinks of now: for a lively platform in real time. Planned acts up to then come first.
     */
    hurry(at: number): LifeEvent[] {
      const instant = Math.max(at, clock + 1)
      const due = [...next(instant)]
      if (due.length > 0) return due
      for (;;) {
        const planned = queue.pull(({ isDeed }, plannedAt) => isDeed && plannedAt <= instant + hurryHorizonMs)
        if (planned === undefined) break
        perform(planned, instant)
        if (outbox.length > 0) return takeOutbox()
      }
      company.assignAdHoc(instant)
      return takeOutbox()
    },
    /** The platform's own state now. */
    truth: (): Truth => toTruth({ at: clock, calendar, population, assignments }),
    /** How far the simulation has come, epoch ms. */
    now: () => clock,
    population,
    calendar,
    assignments: assignments as ReadonlyMap<string, Assignment>,
  }
}
