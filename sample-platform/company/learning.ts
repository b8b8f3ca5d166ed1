/**
 * What happens to an assignment, as scripts. The specification does not say what triggers which event; the reading here:
 * - Created: assigned, or assigned again after a deletion under the same id (every value is then as of a new one).
 * - Completed: graded and passed; and a changed grade of a completed one that leaves it completed.
 * - Deleted: taken away; the record is the last one.
 * - Progress: everything else: viewed, percentage, submitted, partially graded, failed, re-opened, a due date moved,
 *   a grade changed so that it is no longer passed, and the nightly job that finds it overdue.
 * The platform calls completed what is graded and passed; `completedAt` is then the moment of the grade.
 */
import { between, chance, exponential, integer, lognormal, normal } from '../random.ts'
import type { Random } from '../random.ts'
import { dayMs, hourMs, minuteMs, type Calendar } from './calendar.ts'
import type { Challenge, Person, Population } from './population.ts'
import { createLifeOfRecord, isOpen, type Assignment, type EventType } from './record.ts'

/** Yields the instant at which it goes on, and is told the one at which it does. */
export type Act = Generator<number, void, number>

export type Stage = {
  seed: string
  calendar: Calendar
  population: Population
  assign(person: Person, challenge: Challenge, at: number, dueDate: number | null): Assignment
  assignmentsOf(person: Person): Assignment[]
  tell(assignment: Assignment, eventType: EventType, at: number): void
  start(act: Act, of: Assignment | null, at: number, isDeed?: boolean): void
  stop(assignment: Assignment): void
}

export class Learning {
  /** Submitted work that waits for a grade. So many double the time to a grade; at most it is two and a half times the usual. */
  private waiting = new Map<Challenge, number>()
  private comfortableQueue: number
  protected stage: Stage
  protected calendar: Calendar

  constructor(stage: Stage) {
    this.stage = stage
    this.calendar = stage.calendar
    this.comfortableQueue = Math.max(4, stage.population.people.length / 20)
  }

  give(person: Person, challenge: Challenge, at: number, dueDate: number | null) {
    const assignment = this.stage.assign(person, challenge, at, dueDate)
    this.begin(assignment, at)
    return assignment
  }

  begin(a: Assignment, at: number): void {
    this.stage.tell(a, 'assignmentCreated.challenge', at)
    this.stage.start(this.learn(a, at), a, at, true)
    this.stage.start(this.correct(a, at), a, at, true)
    this.stage.start(this.watch(a), a, at)
  }

  /** The person, to the submission. Some never begin, some hurry before the due date, a few give up on the way. */
  *learn(a: Assignment, at: number): Act {
    const { random, person, challenge, record } = a
    const { pace, neglect } = person.team.plan
    const { dueDate } = record
    let [begins, ends] = [0, 0]
    if (chance(random, neglect)) {
      if (chance(random, 0.4)) this.view(a, yield this.atWork(at + exponential(random, 5 * dayMs), random))
      // Some hurry once they are reminded that it is overdue.
      if (dueDate === null || !chance(random, 0.4)) return
      begins = dueDate + between(random, 1, 16) * dayMs
      ends = begins + lognormal(random, 2, 0.6) * dayMs
    } else {
      let needed = lognormal(random, challenge.usualDays * person.pace * pace, 0.5) * dayMs
      if (dueDate !== null && at + needed > dueDate && chance(random, 0.5))
        needed = Math.max(hourMs, dueDate - at - exponential(random, 1.3) * dayMs)
      begins = at + needed * between(random, 0.05, 0.7)
      ends = at + needed
    }
    const steps = integer(random, 1, 4)
    let now = yield this.atWork(begins, random)
    this.view(a, now)
    ends = Math.max(ends, now + 20 * minuteMs)
    const seen = now
    const stepMs = (ends - seen) / (steps + 1)
    for (let step = 1; step <= steps; step++) {
      now = yield this.atWork(seen + step * stepMs, random)
      const reached = Math.round((95 * step) / (steps + 1) + between(random, -6, 6))
      record.completionPercentage = Math.min(95, Math.max(record.completionPercentage + 1, reached, 1))
      record.lastViewedAt = now
      this.progress(a, now)
      if (chance(random, 0.02)) return
    }
    yield* this.submit(a, yield this.atWork(Math.max(ends, now + 10 * minuteMs), random))
  }

  /** Submission and grade; who fails may try again, twice. */
  *submit(a: Assignment, at: number): Act {
    const { random, challenge, record, person } = a
    let now = at
    for (;;) {
      record.completionPercentage = 100
      record.isSubmitted = true
      record.lastViewedAt = now
      a.firstSubmittedAt ??= now
      a.attempts++
      if (challenge.grading.by === 'reviewers') now = yield* this.waitForGrade(a, now, challenge.grading)
      const mean = challenge.meanGrade + person.skill + 6 * (a.attempts - 1)
      this.grade(a, now, normal(random, mean, challenge.gradeSpread))
      if (record.passed) break
      if (a.attempts === 3 || !chance(random, 0.6)) return
      now = yield this.atWork(now + between(random, 1, 6) * dayMs, random)
      this.reopen(a, now)
      const needed = lognormal(random, challenge.usualDays * 0.4 * person.pace, 0.5) * dayMs
      now = yield this.atWork(now + needed, random)
    }
    if (chance(random, 0.07))
      this.view(a, (now = yield this.atWork(now + exponential(random, 9) * dayMs, random)))
    if (!chance(random, challenge.grading.by === 'auto' ? 0.004 : 0.03)) return
    now = yield this.atWork(now + between(random, 1, 10) * dayMs, random)
    const change = chance(random, 0.6) ? between(random, 2, 9) : -between(random, 2, 14)
    this.grade(a, now, record.calculatedGrade + change)
  }

  /** The longer the queue, the longer it takes; a few are forgotten for good. */
  *waitForGrade(
    a: Assignment,
    at: number,
    { dueDays, medianHours, parts }: Extract<Challenge['grading'], { by: 'reviewers' }>,
  ): Generator<number, number, number> {
    const { random, record, challenge } = a
    record.reviewersDueDate = this.calendar.endOfDay(at, dueDays)
    this.progress(a, at)
    if (chance(random, 0.012)) yield Infinity
    this.count(a, 1)
    try {
      const stretch = Math.min(2.5, 1 + (this.waiting.get(challenge) ?? 0) / this.comfortableQueue)
      const wait = lognormal(random, medianHours, 0.55) * hourMs * stretch
      if (parts > 1 && chance(random, 0.6)) {
        const now = yield this.atWork(at + wait * between(random, 0.3, 0.8), random)
        record.isPartiallyGraded = true
        record.calculatedGrade = toGrade(between(random, 0.3, 0.7) * challenge.meanGrade)
        this.progress(a, now)
      }
      return yield this.atWork(at + wait, random)
    } finally {
      this.count(a, -1)
    }
  }

  grade(a: Assignment, at: number, value: number): void {
    const { record, challenge } = a
    record.calculatedGrade = toGrade(value)
    record.isPartiallyGraded = false
    record.isFullyGraded = true
    record.passed = record.calculatedGrade >= challenge.passMark
    record.isCompleted = record.passed
    record.completedAt = record.passed ? (record.completedAt ?? at) : null
    record.isCompletedOnTime =
      record.completedAt !== null && (record.dueDate === null || record.completedAt <= record.dueDate)
    a.failed = !record.passed
    a.firstGradedAt ??= at
    if (record.isCompleted) this.stage.tell(a, 'assignmentCompleted.challenge', at)
    else this.progress(a, at)
  }

  /** Another try: nothing of the submission before counts any longer, and most get a week more. */
  reopen(a: Assignment, at: number): void {
    const { record, random } = a
    a.failed = false
    record.isSubmitted = false
    record.isFullyGraded = false
    record.calculatedGrade = 0
    record.completionPercentage = 50
    record.reviewersDueDate = null
    if (record.dueDate !== null && record.dueDate < at + 5 * dayMs && chance(random, 0.75))
      record.dueDate = this.calendar.endOfDay(at, 7)
    this.progress(a, at)
    this.stage.start(this.watch(a), a, at)
  }

  view(a: Assignment, at: number): void {
    a.record.firstViewedAt ??= at
    a.record.lastViewedAt = at
    this.progress(a, at)
  }

  /** The platform's nightly job tells once of every assignment that has become overdue. */
  *watch(a: Assignment): Act {
    const { record, random } = a
    for (let { dueDate } = record; dueDate !== null; dueDate = record.dueDate) {
      const now = yield dueDate + between(random, 4, 26) * minuteMs
      if (record.dueDate !== dueDate) continue
      if (isOpen(a) && !record.isOverdue && now > dueDate && !a.person.isDeleted) this.progress(a, now)
      return
    }
  }

  /** A week more for one person, a due date dropped, an assignment given by mistake and perhaps given again. */
  *correct(a: Assignment, at: number): Act {
    const { random, record, challenge } = a
    const { dueDate } = record
    if (dueDate !== null && chance(random, 0.035)) {
      const more = chance(random, 0.88) ? this.calendar.endOfDay(dueDate, chance(random, 0.6) ? 7 : 14) : null
      this.moveDueDate(
        a,
        yield this.atWork(Math.max(at, dueDate - between(random, 1, 5) * dayMs), random),
        more,
      )
    } else if (chance(random, 0.02)) {
      const now = yield this.atWork(at + exponential(random, 4) * dayMs, random)
      if (!isOpen(a)) return
      this.remove(a, now)
      if (chance(random, 0.35)) this.stage.start(this.recreate(a, now, challenge), a, now, true)
    }
  }

  *recreate(a: Assignment, at: number, challenge: Challenge): Act {
    const now = yield this.atWork(at + between(a.random, 1, 6) * dayMs, a.random)
    const { id, challengeId, dueDate } = a.record
    const due = dueDate === null ? null : this.calendar.endOfDay(now, challenge.dueDays)
    Object.assign(a, createLifeOfRecord(id, challengeId, now, due))
    this.begin(a, now)
  }

  moveDueDate(a: Assignment, at: number, dueDate: number | null): void {
    if (!isOpen(a) || a.record.dueDate === dueDate || a.person.isDeleted) return
    a.record.dueDate = dueDate
    a.firstDueDate ??= dueDate
    this.progress(a, at)
  }

  remove(a: Assignment, at: number): void {
    this.stage.stop(a)
    a.deletedAt = at
    this.stage.tell(a, 'assignmentDeleted.challenge', at)
  }

  private progress(a: Assignment, at: number): void {
    this.stage.tell(a, 'assignmentProgress.challenge', at)
  }

  private count({ challenge }: Assignment, by: 1 | -1): void {
    this.waiting.set(challenge, (this.waiting.get(challenge) ?? 0) + by)
  }

  atWork(at: number, random: Random): number {
    return this.calendar.toWorkingInstant(Math.floor(at), random)
  }
}

function toGrade(value: number): number {
  return Math.max(0, Math.min(100, Math.round(value)))
}
