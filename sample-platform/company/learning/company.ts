/** The base of all acts on an assignment: each at its time, and told by the platform. */
import { between } from '../../random.ts'
import { minuteMs } from '../calendar.ts'
import type { Challenge } from '../population.ts'
import { isOpen, type Assignment } from '../record.ts'
import type { World } from '../world.ts'

export type Company = {
  world: World
  /** Hand-ins that wait for a grade. */
  waiting: Map<Challenge, number>
  /** So many waiting hand-ins double the time to a grade; at most it is two and a half times the usual. */
  comfortableQueue: number
}

/** In working time. Runs only if nothing has overtaken the plan, and the person still works there. */
export function laterAtWork(
  company: Company,
  assignment: Assignment,
  at: number,
  run: (at: number) => void,
): void {
  const { generation, random } = assignment
  const { calendar, plan } = company.world
  plan('deed', assignment, calendar.toWorkingInstant(Math.floor(at), random), (now) => {
    if (assignment.generation === generation && !assignment.person.isDeleted) run(now)
  })
}

export function view(company: Company, assignment: Assignment, at: number): void {
  const { record } = assignment
  record.firstViewedAt ??= at
  record.lastViewedAt = at
  company.world.emit('assignmentProgress.challenge', assignment, at)
}

/** The platform's nightly job tells once of every assignment that has become overdue. */
export function watchDeadline(company: Company, assignment: Assignment): void {
  const { dueDate } = assignment.record
  if (dueDate === null) return
  const at = Math.floor(dueDate + between(assignment.random, 4, 26) * minuteMs)
  const { generation } = assignment
  company.world.plan('clockwork', assignment, at, (now) => {
    const { record } = assignment
    const stale = assignment.generation !== generation || assignment.person.isDeleted
    if (stale || record.isOverdue || record.dueDate !== dueDate || now <= dueDate || !isOpen(assignment))
      return
    company.world.emit('assignmentProgress.challenge', assignment, now)
  })
}
