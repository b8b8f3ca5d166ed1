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
import type { Assignment, EventKind, LifeState } from './assignment.ts'
import { atWork, dayMs, endOfDay, hourMs, minuteMs } from './calendar.ts'

/**
 * `change`: what is different afterwards; `undefined`: nothing happened. `kind`: the event that reports it, default
 * Progress.
 */
export type Step = { at: number; change(now: number): Partial<LifeState> | undefined; kind?: EventKind }

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
const view = (a: Assignment, at: number, reached = 0): Step => ({
  at: atWork(at, a.random),
  change: (now) => ({
    firstViewedAt: a.firstViewedAt ?? now,
    lastViewedAt: now,
    percentage: Math.max(a.percentage, Math.min(95, reached)),
  }),
})

/** Submission and grade. People who fail may try again, twice. */
function* planGrades(a: Assignment, submittedAt: number): Generator<Step, void, undefined> {
  const { random, challenge, person } = a
  const { passMark, meanGrade, gradeSpread, gradingHours, gradingDays, usualDays } = challenge
  const submitted = { percentage: 100, isSubmitted: true }
  const gradeFully = (at: number, grade: number): Step => ({
    at,
    change: (now) => ({
      ...submitted,
      // What is graded at once is submitted by the same event.
      lastViewedAt: a.isSubmitted ? a.lastViewedAt : now,
      graded: 'fully',
      grade,
      completedAt: grade >= passMark ? (a.completedAt ?? now) : null,
    }),
    kind: grade >= passMark ? 'Completed' : 'Progress',
  })
  let now = submittedAt
  let grade = 0
  for (let attempt = 1; ; attempt++) {
    grade = toGrade(normal(random, meanGrade + person.skill + 6 * (attempt - 1), gradeSpread))
    if (gradingHours > 0) {
      const reviewersDueDate = endOfDay(now, gradingDays)
      yield { at: now, change: (at) => ({ ...submitted, lastViewedAt: at, reviewersDueDate }) }
      // A few are forgotten for good.
      if (chance(random, 0.012)) return
      const wait = lognormal(random, 1.4 * gradingHours, 0.7) * hourMs
      const gradedAt = now + wait
      if (chance(random, 0.6)) {
        now = atWork(now + wait * between(random, 0.2, 0.7), random)
        const part = toGrade(grade * 0.6)
        yield { at: now, change: () => ({ graded: 'partly', grade: part }) }
      }
      now = atWork(Math.max(now, gradedAt), random)
    }
    yield gradeFully(now, grade)
    if (grade >= passMark) break
    if (attempt === 3 || !chance(random, 0.6)) return
    now = atWork(now + between(random, 1, 6) * dayMs, random)
    yield reopen(a, now, chance(random, 0.75))
    now = atWork(now + lognormal(random, usualDays * 0.4 * person.pace, 0.5) * dayMs, random)
  }
  if (chance(random, 0.07)) yield view(a, (now += exponential(random, 9) * dayMs))
  if (!chance(random, gradingHours === 0 ? 0.004 : 0.03)) return
  const change = chance(random, 0.6) ? between(random, 2, 9) : -between(random, 2, 14)
  yield gradeFully(atWork(now + between(random, 1, 10) * dayMs, random), toGrade(grade + change))
}

/** Another try: nothing of the submission before counts any longer, and most get a week more. */
const reopen = (a: Assignment, at: number, isExtended: boolean): Step => ({
  at,
  change: (now) => ({
    isSubmitted: false,
    graded: 'no',
    grade: 0,
    percentage: 50,
    reviewersDueDate: null,
    dueDate: isExtended && a.dueDate && a.dueDate < now + 5 * dayMs ? endOfDay(now, 7) : a.dueDate,
  }),
})

function toGrade(value: number): number {
  return Math.max(0, Math.min(100, Math.round(value)))
}
