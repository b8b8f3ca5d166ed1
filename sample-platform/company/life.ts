/**
 * The company's life in simulated time, as a queue of plans: waves of challenges, what managers assign in between, who joins,
 * leaves and moves, and the steps of every assignment. The same options give the same events, byte for byte.
 */
import { createQueue } from '../queue.ts'
import { between, chance, createRandom, exponential, integer, pick, type Random } from '../random.ts'
import {
  createAssignment,
  isOpen,
  startLife,
  toRecord,
  writeEvent,
  writeSpecifiedEvent,
} from './assignment.ts'
import type { Assignment, EventKind } from './assignment.ts'
import { atWork, dayMs, endOfDay, hourMs, minuteMs, toDay, toInstant, toWeekday } from './calendar.ts'
import { planLearning, type Step } from './learning.ts'
import { createPopulation, type Challenge, type Person, type PopulationOptions } from './population.ts'

export type LifeOptions = PopulationOptions & {
  /** `specification`: ids of people are strings, optional fields that are unset are null or absent. Default `live`. */
  eventForm?: 'live' | 'specification'
}

export type LifeEvent = {
  /** The event's own time, epoch ms. */
  at: number
  /** Assignment id: events of one key must stay in order. */
  key: string
  eventType: string
  body: string
}

/** `of`: the assignment that it changes, in its life of that number; such a plan is dropped when the assignment is deleted. */
type Plan = { run(at: number): void; of?: Assignment; life?: number }

const weekMs = 7 * dayMs

/** Steps further away than this are not hurried; a manager assigns something new instead. */
const hurryHorizonMs = 3 * dayMs

export class Life {
  readonly population: ReturnType<typeof createPopulation>
  readonly assignments = new Map<string, Assignment>()
  private readonly options: LifeOptions
  private readonly people: Person[]
  private readonly adHoc: Random
  private readonly queue = createQueue<Plan>()
  private outbox: LifeEvent[] = []
  private clock: number

  constructor(options: LifeOptions) {
    this.options = options
    this.clock = options.from
    this.population = createPopulation(options)
    this.people = this.population.people
    this.adHoc = createRandom(`${this.options.seed}/ad-hoc`)
    for (const challenge of this.population.challenges)
      this.planWave(
        challenge,
        challenge.firstWeek,
        createRandom(`${this.options.seed}/wave`, challenge.index),
      )
    this.recur('assigned', 2.6, (at) => this.assignAdHoc(at))
    this.recur('hired', 0.24, (at, random) => this.hire(at, random))
    this.recur('left', 0.17, (at, random) => this.leave(at, random))
    this.recur('moved', 0.08, (at, random) => this.move(at, random))
    this.planNight(toDay(options.from) + 1)
  }

  /** How far the simulation has come, epoch ms. */
  now(): number {
    return this.clock
  }

  /** Advances to an instant, inclusive, and yields the events in order of time. */
  *next(untilMs: number): Generator<LifeEvent, void, undefined> {
    for (const { item, at } of this.queue.take(untilMs)) {
      this.clock = Math.max(this.clock, at)
      this.perform(item, at)
      yield* this.outbox.splice(0)
    }
    this.clock = Math.max(this.clock, untilMs)
  }

  /**
   * Makes something happen at this instant (or the first later free millisecond) that people would have done later, or
   * that a manager thinks of now: for a lively platform in real time. What is planned until then comes first.
   */
  hurry(at: number): LifeEvent[] {
    const instant = Math.max(at, this.clock + 1)
    const due = [...this.next(instant)]
    if (due.length > 0) return due
    const isNear = ({ of }: Plan, plannedAt: number) =>
      of !== undefined && plannedAt <= instant + hurryHorizonMs
    while (this.outbox.length === 0) {
      const plan = this.queue.pull(isNear)
      if (plan === undefined) this.assignAdHoc(instant)
      else this.perform(plan, instant)
    }
    return this.outbox.splice(0)
  }

  /** The platform's own state now, for comparison with what receivers made of its events. */
  truth() {
    return {
      at: this.clock,
      people: this.people.map(({ id, isDeleted, isDepartureTold }) => ({ id, isDeleted, isDepartureTold })),
      assignments: Array.from(this.assignments.values(), (assignment) => ({
        record: toRecord(assignment, this.clock),
        userId: assignment.person.id,
        deleted: assignment.isDeleted,
        firstDueDate: assignment.firstDueDate,
      })),
    }
  }

  private plan(at: number, run: (at: number) => void): void {
    this.queue.add({ run }, Math.floor(at))
  }

  private planStep(of: Assignment, { at, change, kind = 'Progress' }: Step): void {
    const run = (now: number) => {
      const changed = change(now)
      if (changed === undefined) return
      Object.assign(of, changed)
      if (of.isDeleted) of.lives++
      this.tell(of, kind, now)
    }
    this.queue.add({ run, of, life: of.lives }, Math.floor(at))
  }

  private perform(plan: Plan, at: number): void {
    const { of } = plan
    if (of !== undefined && of.lives !== plan.life) return
    // Two changes of one assignment never share a millisecond, so their order is clear.
    if (of !== undefined && at <= of.updatedAt) this.queue.add(plan, of.updatedAt + 1)
    else plan.run(at)
  }

  private tell(assignment: Assignment, kind: EventKind, at: number): void {
    const { id, person } = assignment
    assignment.updatedAt = at
    assignment.eventsSent++
    assignment.isOverdueTold = toRecord(assignment, at).isOverdue
    person.isDepartureTold = person.isDeleted
    const write = this.options.eventForm === 'specification' ? writeSpecifiedEvent : writeEvent
    const body = write(kind, at, assignment)
    this.outbox.push({ at, key: id, eventType: `assignment${kind}.challenge`, body })
  }

  /** Again and again in working hours, so often for each person and year. */
  private recur(name: string, perYear: number, run: (at: number, random: Random) => void): void {
    const random = createRandom(`${this.options.seed}/${name}`)
    const meanGapMs = (365 * dayMs) / (this.people.length * perYear)
    const planNext = (before: number) =>
      this.plan(atWork(before + exponential(random, meanGapMs), random), (at) => {
        run(at, random)
        planNext(at)
      })
    planNext(this.options.from)
  }

  /** Quarterly waves of a challenge. Sometimes the deadline was too early, and everyone gets a week more. */
  private planWave(challenge: Challenge, week: number, random: Random): void {
    const firstMonday = toDay(this.options.from) + ((7 - toWeekday(toDay(this.options.from))) % 7)
    const day = firstMonday + 7 * week + integer(random, 0, 2)
    this.plan(Math.max(this.options.from, toInstant(day, between(random, 9, 11.5) * hourMs)), (begun) => {
      const dueDate = toDueDate(begun, challenge)
      const extendedAt = chance(random, 0.13)
        ? atWork(dueDate - between(random, 1, 6) * dayMs, random)
        : undefined
      let now = begun
      for (const person of this.people) {
        // New people have the onboarding assignments to do.
        if (!isFor(challenge, person) || begun - person.createdAt < 3 * weekMs) continue
        if (!chance(random, 0.93)) continue
        this.plan((now += between(random, 40, 400)), (at) => {
          const assignment = this.give(person, challenge, at, dueDate)
          if (extendedAt !== undefined) this.planDueDate(assignment, extendedAt, endOfDay(dueDate, 7))
        })
      }
      this.planWave(challenge, week + challenge.everyWeeks, random)
    })
  }

  /** The platform's nightly job reports once every assignment that has become overdue. */
  private planNight(day: number): void {
    this.plan(toInstant(day, 4 * minuteMs), (at) => {
      for (const assignment of this.assignments.values()) {
        const isReported = assignment.isOverdueTold || assignment.person.isDeleted
        if (isReported || !isOpen(assignment) || !toRecord(assignment, at).isOverdue) continue
        this.planStep(assignment, {
          at: at + between(assignment.random, 0, 20) * minuteMs,
          change: (now) => (toRecord(assignment, now).isOverdue ? {} : undefined),
        })
      }
      this.planNight(day + 1)
    })
  }

  private give(person: Person, challenge: Challenge, at: number, dueDate: number | null): Assignment {
    const assignment = createAssignment(this.options.seed, this.assignments.size, person, challenge)
    this.assignments.set(assignment.id, assignment)
    this.begin(assignment, at, dueDate)
    return assignment
  }

  private begin(assignment: Assignment, at: number, dueDate: number | null): void {
    Object.assign(assignment, startLife(at, dueDate))
    this.tell(assignment, 'Created', at)
    for (const step of planLearning(assignment)) this.planStep(assignment, step)
    this.planCorrection(assignment)
  }

  /** A week more for one person, a due date dropped, an assignment given by mistake and perhaps given again. */
  private planCorrection(assignment: Assignment): void {
    const { random, challenge, createdAt, dueDate } = assignment
    if (dueDate !== null && chance(random, 0.035)) {
      const at = atWork(Math.max(createdAt, dueDate - between(random, 1, 5) * dayMs), random)
      const later = endOfDay(dueDate, chance(random, 0.6) ? 7 : 14)
      this.planDueDate(assignment, at, chance(random, 0.88) ? later : null)
    } else if (chance(random, 0.02)) {
      const at = atWork(createdAt + exponential(random, 4) * dayMs, random)
      this.planStep(assignment, {
        at,
        change: () => (isOpen(assignment) ? removed : undefined),
        kind: 'Deleted',
      })
      const again = atWork(at + between(random, 1, 6) * dayMs, random)
      if (chance(random, 0.35))
        this.plan(again, (now) => {
          if (assignment.isDeleted && !assignment.person.isDeleted)
            this.begin(assignment, now, dueDate && toDueDate(now, challenge))
        })
    }
  }

  private planDueDate(assignment: Assignment, at: number, dueDate: number | null): void {
    const changed = () => ({ dueDate, firstDueDate: assignment.firstDueDate ?? dueDate })
    const isMoved = () => isOpen(assignment) && assignment.dueDate !== dueDate
    this.planStep(assignment, { at, change: () => (isMoved() ? changed() : undefined) })
  }

  /** A manager assigns something to one person. */
  private assignAdHoc(at: number): void {
    const random = this.adHoc
    const person = this.pickPresent(random)
    const challenge = pick(
      random,
      this.population.challenges.filter((one) => isFor(one, person)),
    )
    this.give(person, challenge, at, chance(random, 0.2) ? null : toDueDate(at, challenge))
  }

  /** A new person, with what everyone gets in the first days. */
  private hire(at: number, random: Random): void {
    const person = this.population.hire(at, random)
    let now = at
    for (const challenge of this.population.challenges)
      if (challenge.onboarding && isFor(challenge, person))
        this.plan((now += 3 * minuteMs), (at) => this.give(person, challenge, at, toDueDate(at, challenge)))
  }

  /** Most of the open assignments of a leaver are removed; some platforms forget a few. */
  private leave(at: number, random: Random): void {
    const leaver = this.pickPresent(random)
    // The head of the company stays: nobody could take over.
    if (leaver === this.people[0]) return
    Object.assign(leaver, { isDeleted: true, leftAt: at, updatedAt: at })
    this.succeed(leaver, at)
    for (const assignment of this.assignments.values()) {
      if (assignment.person !== leaver || assignment.isDeleted) continue
      // What the person had planned does not happen.
      assignment.lives++
      if (!toRecord(assignment, at).isCompleted && chance(random, 0.85))
        this.planStep(assignment, { at, change: () => removed, kind: 'Deleted' })
    }
  }

  /** A team member becomes the lead, or the leaver's manager takes over the reports. */
  private succeed(leaver: Person, at: number): void {
    const reports = this.people.filter(({ managers }) => managers.includes(leaver))
    const [manager] = leaver.managers
    const successor = reports.find(({ isDeleted, team }) => !isDeleted && team === leaver.team) ?? manager
    for (const team of this.population.teams) if (team.lead === leaver) team.lead = successor
    for (const report of reports) {
      const next = report === successor ? manager : successor
      const others = report.managers.filter((other) => other !== leaver && other !== next && other !== report)
      Object.assign(report, { managers: next ? [next, ...others] : others, updatedAt: at })
    }
  }

  /** To another team. The platform reports it only inside the next event about the person. */
  private move(at: number, random: Random): void {
    const person = this.pickPresent(random)
    const team = pick(random, this.population.teams)
    if (person.team === team || this.population.teams.some(({ lead }) => lead === person)) return
    const circles = person.groups.filter(({ id }) => id !== person.team.id)
    const managers = team.lead === undefined ? [] : [team.lead]
    Object.assign(person, { team, groups: [team, ...circles], managers, updatedAt: at })
  }

  private pickPresent(random: Random): Person {
    return pick(
      random,
      this.people.filter(({ isDeleted }) => !isDeleted),
    )
  }
}

const removed = { isDeleted: true }

/** The end of a working day. */
function toDueDate(at: number, { dueDays }: Challenge): number {
  const weekday = toWeekday(toDay(at) + dueDays)
  return endOfDay(at, dueDays - Math.max(0, weekday - 4))
}

function isFor({ audience }: Challenge, person: Person): boolean {
  if (person.isDeleted) return false
  if (audience === 'everyone') return true
  if (audience === 'managers') return person.team.lead === person
  return audience.includes(person.team.department)
}
