import { expect, test } from 'vitest'
import { Life } from '../../sample-platform/company/life.ts'
import { toLiveRate } from '../../sample-platform/company/calendar.ts'

const dayMs = 86_400_000

test.each([1, 8])('after %d hours of the live demo the headlines are those of the same company', (hours) => {
  const to = Date.parse('2026-11-20T13:00:00Z')
  const life = new Life({ seed: 'rollcall', people: 240, from: to - 180 * dayMs })
  let events = 0
  for (const event of life.next(to)) if (event.body !== '') events++
  const eventsAnHour = toLiveRate(events, 180) * 3_600
  const before = headlinesOf(life, to)
  expect(Math.min(...Object.values(before))).toBeGreaterThan(100)

  // As `platform.live` does: an event whenever the rate owes one.
  let told = 0
  for (let n = 1; told < eventsAnHour * hours; n++)
    told += life.hurry(to + n * (3_600_000 / eventsAnHour)).length
  const now = headlinesOf(life, to + hours * 3_600_000)
  // An hour of it: at most 0.3 % more completed and 0.5 % more assigned, and 2 % more or less overdue or waiting for a grade.
  expect(now.completed - before.completed).toBeLessThanOrEqual(hours * 0.003 * before.completed)
  expect(now.assigned - before.assigned).toBeLessThanOrEqual(hours * 0.005 * before.assigned)
  expect(Math.abs(now.overdue - before.overdue)).toBeLessThanOrEqual(hours * 0.02 * before.overdue)
  expect(Math.abs(now.awaiting - before.awaiting)).toBeLessThanOrEqual(hours * 0.02 * before.awaiting)
})

/** The numbers on top of the Overview, of people who are still there. */
function headlinesOf(life: Life, at: number) {
  for (const event of life.next(at)) void event
  const { people, assignments } = life.truth()
  const gone = new Set(people.filter(({ isDeleted }) => isDeleted).map(({ id }) => id))
  const records = assignments.filter(({ deleted, userId }) => !deleted && !gone.has(userId))
  const count = (holds: (record: (typeof records)[number]['record']) => boolean) =>
    records.filter(({ record }) => holds(record)).length
  return {
    assigned: records.length,
    completed: count(({ isCompleted }) => isCompleted),
    overdue: count(({ isOverdue }) => isOverdue),
    awaiting: count(({ isSubmitted, isFullyGraded }) => isSubmitted && !isFullyGraded),
  }
}
