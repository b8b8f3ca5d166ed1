/** Handing in, and the work of the reviewer. */
import { between, chance, exponential, lognormal, normal } from '../../random.ts'
import { dayMs, hourMs } from '../calendar.ts'
import type { Assignment } from '../record.ts'
import { laterAtWork, view, watchDeadline, type Company } from './company.ts'

export function handIn(company: Company, assignment: Assignment, at: number): void {
  const { record, challenge, random } = assignment
  const { grading } = challenge
  record.completionPercentage = 100
  record.isSubmitted = true
  record.lastViewedAt = at
  assignment.firstSubmittedAt ??= at
  assignment.attempts++
  if (grading.by === 'auto') {
    grade(company, assignment, at)
    return
  }
  record.reviewersDueDate = company.world.calendar.endOfDay(at, grading.dueDays)
  company.world.emit('assignmentProgress.challenge', assignment, at)
  // A few are forgotten for good.
  if (chance(random, 0.012)) return
  const queue = (company.waiting.get(challenge) ?? 0) + 1
  company.waiting.set(challenge, queue)
  const wait =
    lognormal(random, grading.medianHours, 0.55) *
    hourMs *
    Math.min(2.5, 1 + queue / company.comfortableQueue)
  if (grading.parts > 1 && chance(random, 0.6)) {
    laterAtWork(company, assignment, at + wait * between(random, 0.3, 0.8), (now) =>
      gradePart(company, assignment, now),
    )
  }
  laterAtWork(company, assignment, at + wait, (now) => {
    company.waiting.set(challenge, (company.waiting.get(challenge) ?? 1) - 1)
    grade(company, assignment, now)
  })
}

function gradePart(company: Company, assignment: Assignment, at: number): void {
  const { record, random } = assignment
  if (record.isFullyGraded) return
  record.isPartiallyGraded = true
  record.calculatedGrade = toGrade(between(random, 0.3, 0.7) * assignment.challenge.meanGrade)
  company.world.emit('assignmentProgress.challenge', assignment, at)
}

function grade(company: Company, assignment: Assignment, at: number): void {
  const { random, challenge, person, attempts } = assignment
  const mean = challenge.meanGrade + person.skill + 6 * (attempts - 1)
  setGrade(company, assignment, at, toGrade(normal(random, mean, challenge.gradeSpread)))
  if (assignment.failed) {
    if (attempts < 3 && chance(random, 0.6)) {
      laterAtWork(company, assignment, at + between(random, 1, 6) * dayMs, (now) =>
        reopen(company, assignment, now),
      )
    }
    return
  }
  if (chance(random, 0.07)) {
    laterAtWork(company, assignment, at + exponential(random, 9) * dayMs, (now) =>
      view(company, assignment, now),
    )
  }
  if (chance(random, challenge.grading.by === 'auto' ? 0.004 : 0.03)) {
    laterAtWork(company, assignment, at + between(random, 1, 10) * dayMs, (now) => {
      const change = chance(random, 0.6) ? between(random, 2, 9) : -between(random, 2, 14)
      setGrade(company, assignment, now, toGrade(assignment.record.calculatedGrade + change))
    })
  }
}

function setGrade(company: Company, assignment: Assignment, at: number, calculatedGrade: number): void {
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
  company.world.emit(
    record.isCompleted ? 'assignmentCompleted.challenge' : 'assignmentProgress.challenge',
    assignment,
    at,
  )
}

/** Another try: nothing of the first hand-in counts any longer, and most get a week more. */
function reopen(company: Company, assignment: Assignment, at: number): void {
  const { record, random, challenge } = assignment
  assignment.failed = false
  assignment.generation++
  record.isSubmitted = false
  record.isFullyGraded = false
  record.calculatedGrade = 0
  record.completionPercentage = 50
  record.reviewersDueDate = null
  const extended = record.dueDate !== null && record.dueDate < at + 5 * dayMs && chance(random, 0.75)
  if (extended) record.dueDate = company.world.calendar.endOfDay(at, 7)
  company.world.emit('assignmentProgress.challenge', assignment, at)
  watchDeadline(company, assignment)
  const needed = lognormal(random, challenge.usualDays * 0.4 * assignment.person.pace, 0.5) * dayMs
  laterAtWork(company, assignment, at + needed, (now) => handIn(company, assignment, now))
}

function toGrade(value: number): number {
  return Math.max(0, Math.min(100, Math.round(value)))
}
