/** The acts of the learner until the assignment is handed in. */
import { between, chance, exponential, integer, lognormal } from '../../random.ts'
import { dayMs, hourMs, minuteMs } from '../calendar.ts'
import type { Assignment } from '../record.ts'
import { laterAtWork, view, type Company } from './company.ts'
import { handIn } from './grading.ts'

export function planLearner(company: Company, assignment: Assignment, at: number): void {
  const { random, person, challenge, record } = assignment
  const { plan } = person.team
  if (chance(random, plan.neglect)) {
    if (chance(random, 0.4))
      laterAtWork(company, assignment, at + exponential(random, 5 * dayMs), (now) => view(company, assignment, now))
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
function step(company: Company, assignment: Assignment, number: number, steps: number, from: number, to: number): void {
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
    if (!chance(random, 0.02)) step(company, assignment, number + 1, steps, from, Math.max(to, now + 10 * minuteMs))
  })
}
