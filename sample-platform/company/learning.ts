/**
 * What people do about an assignment, planned when it is created. The specification does not say what triggers which event;
 * the reading here:
 * - Created: assigned, or assigned again after a deletion under the same id (every value is then as of a new one).
 * - Completed: graded and passed; and a changed grade of a completed one that leaves it completed.
 * - Deleted: taken away; the record is the last one.
 * - Progress: everything else: viewed, percentage, submitted, partially graded, failed, re-opened, a due date moved,
 *   a grade changed so that it is no longer passed, and the nightly job that finds it overdue.
 * The platform calls completed what is graded and passed; `completedAt` is then the moment of the grade.
 */
import { between, chance, exponential, integer, lognormal, normal } from '../random.ts'
import type { Assignment, EventKind } from './assignment.ts'
import { atWork, dayMs, endOfDay, hourMs, minuteMs } from './calendar.ts'

/** `act` changes the assignment and returns the event that reports it; `undefined`: nothing happened. */
export type Step = { at: number; act(at: number): EventKind | undefined }

/** In order. Some never begin, some hurry before the due date, a few give up on the way. */
export function* planLearning(a: Assignment): Generator<Step, void, undefined> {
  const { random, person, challenge, dueDate, createdAt } = a
  const { pace, neglect } = person.team
  let [begins, ends] = [0, 0]
  if (chance(random, neglect)) {
    if (chance(random, 0.4)) yield view(a, createdAt + exponential(random, 5 * dayMs))
    // Some hurry once they are reminded that it is overdue.
    if (dueDate === null || !chance(random, 0.4)) return
    begins = dueDate + between(random, 1, 16) * dayMs
    ends = begins + lognormal(random, 2, 0.6) * dayMs
  } else {
    let needed = lognormal(random, challenge.usualDays * person.pace * pace, 0.5) * dayMs
    if (dueDate !== null && createdAt + needed > dueDate && chance(random, 0.5))
      needed = Math.max(hourMs, dueDate - createdAt - exponential(random, 1.3) * dayMs)
    begins = createdAt + needed * between(random, 0.05, 0.7)
    ends = createdAt + needed
  }
  const first = view(a, begins)
  yield first
  const sittings = integer(random, 1, 4)
  let now = first.at
  ends = Math.max(ends, now + 20 * minuteMs)
  for (let left = sittings; left > 0; left--) {
    now = atWork(now + (ends - now) / (left + 1), random)
    const reached = Math.round((95 * (sittings - left + 1)) / (sittings + 1) + between(random, -6, 6))
    yield view(a, now, reached)
    if (chance(random, 0.02)) return
  }
  yield* planGrades(a, atWork(Math.max(ends, now + 10 * minuteMs), random))
}

/** Looks at it, and gets as far as this percentage. */
function view(a: Assignment, at: number, reached = 0): Step {
  return {
    at: atWork(at, a.random),
    act(now) {
      a.firstViewedAt ??= now
      a.lastViewedAt = now
      a.percentage = Math.max(a.percentage, Math.min(95, reached))
      return 'Progress'
    },
  }
}

/** Submission and grade; whoever fails may try again, twice. */
function* planGrades(a: Assignment, submittedAt: number): Generator<Step, void, undefined> {
  const { random, challenge, person } = a
  let now = submittedAt
  let grade = 0
  for (let attempt = 1; ; attempt++) {
    grade = toGrade(
      normal(random, challenge.meanGrade + person.skill + 6 * (attempt - 1), challenge.gradeSpread),
    )
    if (challenge.gradingHours > 0) {
      yield submit(a, now)
      // A few are forgotten for good.
      if (chance(random, 0.012)) return
      const wait = lognormal(random, 1.4 * challenge.gradingHours, 0.7) * hourMs
      const gradedAt = now + wait
      if (chance(random, 0.6)) {
        now = atWork(now + wait * between(random, 0.2, 0.7), random)
        yield gradePartly(a, now, toGrade(grade * 0.6))
      }
      now = atWork(Math.max(now, gradedAt), random)
    }
    yield gradeFully(a, now, grade)
    if (grade >= challenge.passMark) break
    if (attempt === 3 || !chance(random, 0.6)) return
    now = atWork(now + between(random, 1, 6) * dayMs, random)
    yield reopen(a, now, chance(random, 0.75))
    now = atWork(now + lognormal(random, challenge.usualDays * 0.4 * person.pace, 0.5) * dayMs, random)
  }
  if (chance(random, 0.07)) yield view(a, (now += exponential(random, 9) * dayMs))
  if (!chance(random, challenge.gradingHours === 0 ? 0.004 : 0.03)) return
  const change = chance(random, 0.6) ? between(random, 2, 9) : -between(random, 2, 14)
  yield gradeFully(a, atWork(now + between(random, 1, 10) * dayMs, random), toGrade(grade + change))
}

function submit(a: Assignment, at: number): Step {
  return {
    at,
    act(now) {
      Object.assign(a, { percentage: 100, isSubmitted: true, lastViewedAt: now })
      a.reviewersDueDate = endOfDay(now, a.challenge.gradingDays)
      return 'Progress'
    },
  }
}

function gradePartly(a: Assignment, at: number, grade: number): Step {
  return { at, act: () => (Object.assign(a, { graded: 'partly', grade }), 'Progress') }
}

/** Also submits what is graded at once. */
function gradeFully(a: Assignment, at: number, grade: number): Step {
  return {
    at,
    act(now) {
      if (!a.isSubmitted) Object.assign(a, { percentage: 100, isSubmitted: true, lastViewedAt: now })
      Object.assign(a, { graded: 'fully', grade })
      a.completedAt = grade >= a.challenge.passMark ? (a.completedAt ?? now) : null
      return a.completedAt === null ? 'Progress' : 'Completed'
    },
  }
}

/** Another try: nothing of the submission before counts any longer, and most get a week more. */
function reopen(a: Assignment, at: number, isExtended: boolean): Step {
  return {
    at,
    act(now) {
      Object.assign(a, { isSubmitted: false, graded: 'no', grade: 0, percentage: 50, reviewersDueDate: null })
      if (isExtended && a.dueDate !== null && a.dueDate < now + 5 * dayMs) a.dueDate = endOfDay(now, 7)
      return 'Progress'
    },
  }
}

function toGrade(value: number): number {
  return Math.max(0, Math.min(100, Math.round(value)))
}
