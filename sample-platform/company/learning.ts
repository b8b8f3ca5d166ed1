/**
 * How an assignment goes: what the learner, the reviewer and the manager do with it, and which event each of these
 * sends. The specification does not say what triggers which event; the reading here:
 * - Created: assigned, or assigned again after a deletion under the same id (every value is then as of a new one).
 * - Completed: graded and passed; and a changed grade of a completed one that leaves it completed.
 * - Deleted: taken away; the record is the last one.
 * - Progress: everything else - viewed, percentage, handed in, partially graded, failed, re-opened, a due date moved,
 *   a grade changed so that it is no longer passed, and the nightly job that finds it overdue.
 * The platform calls completed what is graded and passed; `completedAt` is then the moment of the grade.
 */
import { dayMs, hourMs, minuteMs } from './calendar.ts'
import type { Challenge, Person } from './population.ts'
import { between, chance, createRandom, exponential, integer, lognormal, normal } from '../random.ts'
import { createRecord, isOpen, toAssignmentId, type Assignment } from './record.ts'
import type { World } from './world.ts'

export type Learning = {
  assign(person: Person, challenge: Challenge, at: number, dueDate: number | null): Assignment
  /** A new due date for one that is still open; else nothing happens. */
  moveDueDate(assignment: Assignment, at: number, dueDate: number | null): void
  remove(assignment: Assignment, at: number): void
}

export function createLearning(world: World): Learning {
  const { calendar } = world
  const waiting = new Map<Challenge, number>()
  /** So many waiting hand-ins double the time to a grade; at most it is two and a half times the usual. */
  const comfortableQueue = Math.max(4, world.population.people.length / 20)
  let nextIndex = 0

  function assign(person: Person, challenge: Challenge, at: number, dueDate: number | null): Assignment {
    const index = nextIndex++
    const id = toAssignmentId(world.seed, index)
    const assignment: Assignment = {
      index,
      person,
      challenge,
      record: createRecord(id, challenge.id, at, dueDate),
      random: createRandom(`${world.seed}/assignment`, index),
      failed: false,
      deletedAt: undefined,
      life: 1,
      generation: 1,
      attempts: 0,
      firstDueDate: dueDate,
      firstSubmittedAt: undefined,
      firstGradedAt: undefined,
      pending: 0,
      eventsSent: 0,
    }
    world.assignments.set(id, assignment)
    begin(assignment, at)
    return assignment
  }

  function begin(assignment: Assignment, at: number): void {
    world.emit('assignmentCreated.challenge', assignment, at)
    watchDeadline(assignment)
    planLearner(assignment, at)
    planOffice(assignment, at)
  }

  /** Runs only if nothing has overtaken the plan, and the person still works there. */
  function later(assignment: Assignment, at: number, run: (at: number) => void): void {
    const { generation } = assignment
    world.plan('deed', assignment, Math.floor(at), (now) => {
      if (assignment.generation === generation && !assignment.person.isDeleted) run(now)
    })
  }

  function laterAtWork(assignment: Assignment, at: number, run: (at: number) => void): void {
    later(assignment, calendar.toWorkingInstant(Math.floor(at), assignment.random), run)
  }

  function planLearner(assignment: Assignment, at: number): void {
    const { random, person, challenge, record } = assignment
    const { plan } = person.team
    if (chance(random, plan.neglect)) {
      if (chance(random, 0.4))
        laterAtWork(assignment, at + exponential(random, 5 * dayMs), (now) => view(assignment, now))
      // Some hurry once they are reminded that it is late.
      if (record.dueDate !== null && chance(random, 0.4)) {
        const start = record.dueDate + between(random, 1, 16) * dayMs
        planSteps(assignment, start, start + lognormal(random, 2, 0.6) * dayMs)
      }
      return
    }
    let needed = lognormal(random, challenge.usualDays * person.pace * plan.pace, 0.5) * dayMs
    if (record.dueDate !== null && at + needed > record.dueDate && chance(random, 0.5)) {
      needed = Math.max(hourMs, record.dueDate - at - exponential(random, 1.3) * dayMs)
    }
    planSteps(assignment, at + needed * between(random, 0.05, 0.7), at + needed)
  }

  function planSteps(assignment: Assignment, from: number, to: number): void {
    const steps = integer(assignment.random, 1, 4)
    laterAtWork(assignment, from, (now) => {
      view(assignment, now)
      step(assignment, 1, steps, now, Math.max(to, now + 20 * minuteMs))
    })
  }

  function view(assignment: Assignment, at: number): void {
    const { record } = assignment
    record.firstViewedAt ??= at
    record.lastViewedAt = at
    world.emit('assignmentProgress.challenge', assignment, at)
  }

  /** Step by step towards handing in; now and then someone gives up on the way. */
  function step(assignment: Assignment, number: number, steps: number, from: number, to: number): void {
    const { random, record } = assignment
    laterAtWork(assignment, from + ((to - from) * number) / (steps + 1), (now) => {
      if (number > steps) {
        handIn(assignment, now)
        return
      }
      const reached = Math.round((95 * number) / (steps + 1) + between(random, -6, 6))
      record.completionPercentage = Math.min(95, Math.max(record.completionPercentage + 1, reached, 1))
      record.lastViewedAt = now
      world.emit('assignmentProgress.challenge', assignment, now)
      if (!chance(random, 0.02)) step(assignment, number + 1, steps, from, Math.max(to, now + 10 * minuteMs))
    })
  }

  function handIn(assignment: Assignment, at: number): void {
    const { record, challenge, random } = assignment
    const { grading } = challenge
    record.completionPercentage = 100
    record.isSubmitted = true
    record.lastViewedAt = at
    assignment.firstSubmittedAt ??= at
    assignment.attempts++
    if (grading.by === 'auto') {
      grade(assignment, at)
      return
    }
    record.reviewersDueDate = calendar.endOfDay(at, grading.dueDays)
    world.emit('assignmentProgress.challenge', assignment, at)
    // A few are forgotten for good.
    if (chance(random, 0.012)) return
    const queue = (waiting.get(challenge) ?? 0) + 1
    waiting.set(challenge, queue)
    const wait = lognormal(random, grading.medianHours, 0.55) * hourMs * Math.min(2.5, 1 + queue / comfortableQueue)
    if (grading.parts > 1 && chance(random, 0.6)) {
      laterAtWork(assignment, at + wait * between(random, 0.3, 0.8), (now) => gradePart(assignment, now))
    }
    laterAtWork(assignment, at + wait, (now) => {
      waiting.set(challenge, (waiting.get(challenge) ?? 1) - 1)
      grade(assignment, now)
    })
  }

  function gradePart(assignment: Assignment, at: number): void {
    const { record, random } = assignment
    if (record.isFullyGraded) return
    record.isPartiallyGraded = true
    record.calculatedGrade = toGrade(between(random, 0.3, 0.7) * assignment.challenge.meanGrade)
    world.emit('assignmentProgress.challenge', assignment, at)
  }

  function grade(assignment: Assignment, at: number): void {
    const { random, challenge, person, attempts } = assignment
    const mean = challenge.meanGrade + person.skill + 6 * (attempts - 1)
    setGrade(assignment, at, toGrade(normal(random, mean, challenge.gradeSpread)))
    if (assignment.failed) {
      if (attempts < 3 && chance(random, 0.6)) {
        laterAtWork(assignment, at + between(random, 1, 6) * dayMs, (now) => reopen(assignment, now))
      }
      return
    }
    if (chance(random, 0.07)) {
      laterAtWork(assignment, at + exponential(random, 9) * dayMs, (now) => view(assignment, now))
    }
    if (chance(random, challenge.grading.by === 'auto' ? 0.004 : 0.03)) {
      laterAtWork(assignment, at + between(random, 1, 10) * dayMs, (now) => {
        const change = chance(random, 0.6) ? between(random, 2, 9) : -between(random, 2, 14)
        setGrade(assignment, now, toGrade(assignment.record.calculatedGrade + change))
      })
    }
  }

  function setGrade(assignment: Assignment, at: number, calculatedGrade: number): void {
    const { record, challenge } = assignment
    record.calculatedGrade = calculatedGrade
    record.isPartiallyGraded = false
    record.isFullyGraded = true
    record.passed = calculatedGrade >= challenge.passMark
    record.isCompleted = record.passed
    record.completedAt = record.passed ? (record.completedAt ?? at) : null
    record.isCompletedOnTime =
      record.completedAt !== null && (record.dueDate === null || record.completedAt <= record.dueDate)
    assignment.failed = !record.passed
    assignment.firstGradedAt ??= at
    world.emit(record.isCompleted ? 'assignmentCompleted.challenge' : 'assignmentProgress.challenge', assignment, at)
  }

  /** Another try: nothing of the first hand-in counts any longer, and most get a week more. */
  function reopen(assignment: Assignment, at: number): void {
    const { record, random, challenge } = assignment
    assignment.failed = false
    assignment.generation++
    record.isSubmitted = false
    record.isFullyGraded = false
    record.calculatedGrade = 0
    record.completionPercentage = 50
    record.reviewersDueDate = null
    const extended = record.dueDate !== null && record.dueDate < at + 5 * dayMs && chance(random, 0.75)
    if (extended) record.dueDate = calendar.endOfDay(at, 7)
    world.emit('assignmentProgress.challenge', assignment, at)
    watchDeadline(assignment)
    const needed = lognormal(random, challenge.usualDays * 0.4 * assignment.person.pace, 0.5) * dayMs
    laterAtWork(assignment, at + needed, (now) => handIn(assignment, now))
  }

  /** The platform's nightly job tells once of every assignment that has become overdue. */
  function watchDeadline(assignment: Assignment): void {
    const { dueDate } = assignment.record
    if (dueDate === null) return
    const at = Math.floor(dueDate + between(assignment.random, 4, 26) * minuteMs)
    const { generation } = assignment
    world.plan('clockwork', assignment, at, (now) => {
      const { record } = assignment
      const stale = assignment.generation !== generation || assignment.person.isDeleted
      if (stale || record.isOverdue || record.dueDate !== dueDate || now <= dueDate || !isOpen(assignment)) return
      world.emit('assignmentProgress.challenge', assignment, now)
    })
  }

  /** What is done to the assignment, not in it: a week more for one person, a due date dropped, given by mistake. */
  function planOffice(assignment: Assignment, at: number): void {
    const { random, record } = assignment
    const { dueDate } = record
    if (dueDate !== null && chance(random, 0.035)) {
      const more = chance(random, 0.88) ? calendar.endOfDay(dueDate, chance(random, 0.6) ? 7 : 14) : null
      laterAtWork(assignment, Math.max(at, dueDate - between(random, 1, 5) * dayMs), (now) =>
        moveDueDate(assignment, now, more),
      )
    }
    if (chance(random, 0.02)) {
      laterAtWork(assignment, at + exponential(random, 4) * dayMs, (now) => {
        if (!isOpen(assignment)) return
        remove(assignment, now)
        if (!chance(random, 0.35)) return
        laterAtWork(assignment, now + between(random, 1, 6) * dayMs, (again) => recreate(assignment, again))
      })
    }
  }

  function moveDueDate(assignment: Assignment, at: number, dueDate: number | null): void {
    if (!isOpen(assignment) || assignment.record.dueDate === dueDate) return
    assignment.record.dueDate = dueDate
    assignment.firstDueDate ??= dueDate
    world.emit('assignmentProgress.challenge', assignment, at)
    watchDeadline(assignment)
  }

  function remove(assignment: Assignment, at: number): void {
    if (assignment.record.isSubmitted && !assignment.record.isFullyGraded) {
      waiting.set(assignment.challenge, Math.max(0, (waiting.get(assignment.challenge) ?? 1) - 1))
    }
    assignment.generation++
    assignment.deletedAt = at
    world.emit('assignmentDeleted.challenge', assignment, at)
  }

  function recreate(assignment: Assignment, at: number): void {
    const { record, challenge } = assignment
    const dueDate = record.dueDate === null ? null : calendar.endOfDay(at, challenge.dueDays)
    assignment.record = createRecord(record.id, record.challengeId, at, dueDate)
    assignment.failed = false
    assignment.deletedAt = undefined
    assignment.life++
    assignment.attempts = 0
    assignment.firstDueDate = dueDate
    assignment.firstSubmittedAt = undefined
    assignment.firstGradedAt = undefined
    begin(assignment, at)
  }

  return { assign, moveDueDate, remove }
}

function toGrade(value: number): number {
  return Math.max(0, Math.min(100, Math.round(value)))
}
