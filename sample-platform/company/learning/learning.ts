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
import { between, chance, createRandom, exponential, integer, lognormal, toUuid } from '../../random.ts'
import { dayMs, hourMs, minuteMs } from '../calendar.ts'
import type { Challenge, Person } from '../population.ts'
import { type Assignment, createLifeOfRecord, isOpen } from '../record.ts'
import type { World } from '../world.ts'
import { type Company, laterAtWork, view, watchDeadline } from './company.ts'
import { handIn } from './grading.ts'

export type Learning = ReturnType<typeof createLearning>

export function createLearning(world: World) {
  const company: Company = {
    world,
    waiting: new Map(),
    comfortableQueue: Math.max(4, world.population.people.length / 20),
  }
  let count = 0
  return {
    assign(person: Person, challenge: Challenge, at: number, dueDate: number | null): Assignment {
      const index = count++
      const id = toUuid(`${world.seed}/assignment`, index)
      const assignment: Assignment = {
        index,
        person,
        challenge,
        random: createRandom(`${world.seed}/assignment`, index),
        life: 1,
        generation: 1,
        pending: 0,
        eventsSent: 0,
        ...createLifeOfRecord(id, challenge.id, at, dueDate),
      }
      world.assignments.set(id, assignment)
      begin(company, assignment, at)
      return assignment
    },
    moveDueDate: (assignment: Assignment, at: number, dueDate: number | null) =>
      moveDueDate(company, assignment, at, dueDate),
    remove: (assignment: Assignment, at: number) => remove(company, assignment, at),
  }
}

function begin(company: Company, assignment: Assignment, at: number): void {
  company.world.emit('assignmentCreated.challenge', assignment, at)
  watchDeadline(company, assignment)
  planLearner(company, assignment, at)
  planOffice(company, assignment, at)
}

function recreate(company: Company, assignment: Assignment, at: number): void {
  const { record, challenge } = assignment
  const dueDate = record.dueDate === null ? null : company.world.calendar.endOfDay(at, challenge.dueDays)
  Object.assign(assignment, createLifeOfRecord(record.id, record.challengeId, at, dueDate))
  assignment.life++
  begin(company, assignment, at)
}

/** The acts of the learner until the assignment is handed in. */
function planLearner(company: Company, assignment: Assignment, at: number): void {
  const { random, person, challenge, record } = assignment
  const { plan } = person.team
  if (chance(random, plan.neglect)) {
    if (chance(random, 0.4))
      laterAtWork(company, assignment, at + exponential(random, 5 * dayMs), (now) =>
        view(company, assignment, now),
      )
    // Some hurry once they are reminded that it is late.
    if (record.dueDate !== null && chance(random, 0.4)) {
      const start = record.dueDate + between(random, 1, 16) * dayMs
      planSteps(company, assignment, start, start + lognormal(random, 2, 0.6) * dayMs)
    }
    return
  }
  let needed = lognormal(random, challenge.usualDays * person.pace * plan.pace, 0.5) * dayMs
  if (record.dueDate !== null && at + needed > record.dueDate && chance(random, 0.5)) {
    needed = Math.max(hourMs, record.dueDate - at - exponential(random, 1.3) * dayMs)
  }
  planSteps(company, assignment, at + needed * between(random, 0.05, 0.7), at + needed)
}

function planSteps(company: Company, assignment: Assignment, from: number, to: number): void {
  const steps = integer(assignment.random, 1, 4)
  laterAtWork(company, assignment, from, (now) => {
    view(company, assignment, now)
    step(company, assignment, 1, steps, now, Math.max(to, now + 20 * minuteMs))
  })
}

/** Step by step towards handing in; now and then someone gives up on the way. */
function step(
  company: Company,
  assignment: Assignment,
  number: number,
  steps: number,
  from: number,
  to: number,
): void {
  const { random, record } = assignment
  laterAtWork(company, assignment, from + ((to - from) * number) / (steps + 1), (now) => {
    if (number > steps) {
      handIn(company, assignment, now)
      return
    }
    const reached = Math.round((95 * number) / (steps + 1) + between(random, -6, 6))
    record.completionPercentage = Math.min(95, Math.max(record.completionPercentage + 1, reached, 1))
    record.lastViewedAt = now
    company.world.emit('assignmentProgress.challenge', assignment, now)
    if (!chance(random, 0.02))
      step(company, assignment, number + 1, steps, from, Math.max(to, now + 10 * minuteMs))
  })
}

// Changes to the assignment from outside: due dates are moved, assignments taken away and given again.

/** A week more for one person, a due date dropped, an assignment given by mistake. */
function planOffice(company: Company, assignment: Assignment, at: number): void {
  const { random, record } = assignment
  const { dueDate } = record
  if (dueDate !== null && chance(random, 0.035)) {
    const more = chance(random, 0.88)
      ? company.world.calendar.endOfDay(dueDate, chance(random, 0.6) ? 7 : 14)
      : null
    laterAtWork(company, assignment, Math.max(at, dueDate - between(random, 1, 5) * dayMs), (now) =>
      moveDueDate(company, assignment, now, more),
    )
  }
  if (chance(random, 0.02)) {
    laterAtWork(company, assignment, at + exponential(random, 4) * dayMs, (now) => {
      if (!isOpen(assignment)) return
      remove(company, assignment, now)
      if (!chance(random, 0.35)) return
      laterAtWork(company, assignment, now + between(random, 1, 6) * dayMs, (again) =>
        recreate(company, assignment, again),
      )
    })
  }
}

function moveDueDate(company: Company, assignment: Assignment, at: number, dueDate: number | null): void {
  if (!isOpen(assignment) || assignment.record.dueDate === dueDate) return
  assignment.record.dueDate = dueDate
  assignment.firstDueDate ??= dueDate
  company.world.emit('assignmentProgress.challenge', assignment, at)
  watchDeadline(company, assignment)
}

function remove(company: Company, assignment: Assignment, at: number): void {
  if (assignment.record.isSubmitted && !assignment.record.isFullyGraded) {
    company.waiting.set(
      assignment.challenge,
      Math.max(0, (company.waiting.get(assignment.challenge) ?? 1) - 1),
    )
  }
  assignment.generation++
  assignment.deletedAt = at
  company.world.emit('assignmentDeleted.challenge', assignment, at)
}
