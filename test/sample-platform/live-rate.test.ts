import { expect, test } from 'vitest'
import { createLife } from '../../sample-platform/company/life.ts'
import { toLiveRate } from '../../sample-platform/live-rate.ts'

const dayMs = 86_400_000

test('an hour of the live demo brings no more than a working hour of its history', () => {
  const days = 56
  const to = Date.parse('2026-11-20T13:00:00Z')
  const life = createLife({ seed: 'rollcall', people: 240, from: to - days * dayMs })
  const perWeek = Array.from({ length: days / 7 }, () => 0)
  let completed = 0
  let events = 0
  for (const { at, eventType } of life.next(to)) {
    events++
    if (eventType !== 'assignmentCompleted.challenge') continue
    completed++
    const week = Math.min(perWeek.length - 1, Math.floor((at - (to - days * dayMs)) / (7 * dayMs)))
    perWeek[week] = (perWeek[week] ?? 0) + 1
  }
  const eventsAnHour = toLiveRate(events, days) * 3_600
  expect(eventsAnHour * 8 * 5 * (days / 7)).toBeCloseTo(events)

  const told = []
  for (let n = 0; told.length < eventsAnHour; n++) told.push(...life.hurry(to + n * (3_600_000 / eventsAnHour)))
  const completedLive = told.filter(({ eventType }) => eventType === 'assignmentCompleted.challenge').length
  // A week has 40 working hours; a busy one may have four times the average.
  expect(completedLive).toBeLessThanOrEqual(Math.ceil((4 * completed) / perWeek.length / 40))
  expect(completedLive).toBeLessThan(Math.max(...perWeek) / 5)
})
