import { expect, test } from 'vitest'
import { createCallBudget } from '../../services/platform/create-call-budget.ts'
import type { CallPriority } from '../../services/platform/platform-client.ts'
import { systemClock } from '../../services/platform/clock.ts'
import { createTurnedClock } from './clocks.ts'

const hourMs = 3_600_000
const mostInAnHour = (times: readonly number[]) =>
  Math.max(...times.map((first) => times.filter((at) => at >= first && at < first + hourMs).length))

test('allows at most the calls of an hour in any hour, however many are asked for', async () => {
  const clock = createTurnedClock()
  const budget = createCallBudget({ callsPerHour: 120, clock })
  const times: number[] = []
  for (let call = 0; call < 700; call++) {
    await budget.take(call % 9 === 0 ? 'person' : 'job')
    times.push(clock.now())
    // The answers take their time, now and then a long one.
    clock.turn(call % 50 === 0 ? 400_000 : 900)
  }
  expect(mostInAnHour(times)).toBeLessThanOrEqual(120)
  expect(mostInAnHour(times)).toBeGreaterThan(100)
})

test('leaves half of the calls at hand to others than sweeps, and a fifth to people', async () => {
  const clock = { ...createTurnedClock(), sleep: systemClock.sleep }
  const budget = createCallBudget({ callsPerHour: 400, clock })
  const order: CallPriority[] = []
  const giveUp = new AbortController()
  const ask = (priority: CallPriority, calls: number) =>
    Array.from({ length: calls }, () =>
      budget.take(priority, giveUp.signal).then(
        () => order.push(priority),
        (reason: unknown) => reason,
      ),
    )
  const waiting = [...ask('sweep', 60), ...ask('job', 60)]
  await Promise.all(ask('person', 20))
  const count = (priority: CallPriority) => order.filter((one) => one === priority).length
  expect([count('sweep'), count('job'), count('person')]).toEqual([50, 30, 20])
  expect(budget.left()).toBe(0)
  giveUp.abort(new Error('not wanted'))
  expect((await Promise.all(waiting)).filter((reason) => reason instanceof Error)).toHaveLength(40)
  // No one who gave up is still in the way.
  clock.turn(300_000)
  await budget.take('job')
})
