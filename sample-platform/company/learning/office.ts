/** Changes to the assignment from outside: due dates are moved, assignments taken away and given again. */
import { between, chance, exponential } from '../../random.ts'
import { dayMs } from '../calendar.ts'
import { isOpen, type Assignment } from '../record.ts'
import { laterAtWork, watchDeadline, type Company } from './company.ts'

/** A week more for one person, a due date dropped, an assignment given by mistake. */
export function planOffice(
  company: Company,
  assignment: Assignment,
  at: number,
  beginAgain: (assignment: Assignment, at: number) => void,
): void {
  const { random, record } = assignment
  const { dueDate } = record
  if (dueDate !== null && chance(random, 0.035)) {
    const more = chance(random, 0.88) ? company.world.calendar.endOfDay(dueDate, chance(random, 0.6) ? 7 : 14) : null
    laterAtWork(company, assignment, Math.max(at, dueDate - between(random, 1, 5) * dayMs), (now) =>
      moveDueDate(company, assignment, now, more),
    )
  }
  if (chance(random, 0.02)) {
    laterAtWork(company, assignment, at + exponential(random, 4) * dayMs, (now) => {
      if (!isOpen(assignment)) return
      remove(company, assignment, now)
      if (!chance(random, 0.35)) return
      laterAtWork(company, assignment, now + between(random, 1, 6) * dayMs, (again) => beginAgain(assignment, again))
    })
  }
}

export function moveDueDate(company: Company, assignment: Assignment, at: number, dueDate: number | null): void {
  if (!isOpen(assignment) || assignment.record.dueDate === dueDate) return
  assignment.record.dueDate = dueDate
  assignment.firstDueDate ??= dueDate
  company.world.emit('assignmentProgress.challenge', assignment, at)
  watchDeadline(company, assignment)
}

export function remove(company: Company, assignment: Assignment, at: number): void {
  if (assignment.record.isSubmitted && !assignment.record.isFullyGraded) {
    company.waiting.set(assignment.challenge, Math.max(0, (company.waiting.get(assignment.challenge) ?? 1) - 1))
  }
  assignment.generation++
  assignment.deletedAt = at
  company.world.emit('assignmentDeleted.challenge', assignment, at)
}
