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
import { createRandom, toUuid } from '../../random.ts'
import type { Challenge, Person } from '../population.ts'
import { createLifeOfRecord, type Assignment } from '../record.ts'
import type { World } from '../world.ts'
import { watchDeadline, type Company } from './company.ts'
import { planLearner } from './learner.ts'
import { moveDueDate, planOffice, remove } from './office.ts'

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
  planOffice(company, assignment, at, (again, now) => recreate(company, again, now))
}

function recreate(company: Company, assignment: Assignment, at: number): void {
  const { record, challenge } = assignment
  const dueDate = record.dueDate === null ? null : company.world.calendar.endOfDay(at, challenge.dueDays)
  Object.assign(assignment, createLifeOfRecord(record.id, record.challengeId, at, dueDate))
  assignment.life++
  begin(company, assignment, at)
}
