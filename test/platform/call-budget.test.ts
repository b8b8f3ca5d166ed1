import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClickHouseCallRecord } from '../../services/platform/open-platform.ts'
import { createMemoryCallRecord, mostInAnHour } from './calls.ts'
import { createCallBudget, type CallBudget } from '../../services/platform/create-call-budget.ts'
import type { CallPriority } from '../../services/platform/platform-client.ts'
import { systemClock } from '../../services/platform/clock.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { createTurnedClock } from './clocks.ts'
import { until } from '../support/wait.ts'

describe('the call budget', () => {
  test('never lets more calls through in any hour than it holds, however many are asked for', async () => {
    const clock = createTurnedClock()
    const budget = createCallBudget({ callsPerHour: 120, record: createMemoryCallRecord(), clock })
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

  test('spreads the calls of a sweep evenly over the hour', async () => {
    const clock = createTurnedClock()
    const from = clock.now()
    const budget = createCallBudget({ callsPerHour: 3_600, keptForPeople: 0, record: createMemoryCallRecord(), clock })
    for (let call = 0; call < 600; call++) await budget.take('sweep')
    expect(clock.now() - from).toBe(599_000)
  })

  test('lets a person through at once, while jobs and sweeps have used up their part and wait', async () => {
    const clock = { ...createTurnedClock(), sleep: systemClock.sleep }
    const budget = createCallBudget({ callsPerHour: 40, record: createMemoryCallRecord(), clock })
    const order: CallPriority[] = []
    const giveUp = new AbortController()
    const ask = (priority: CallPriority) =>
      budget.take(priority, giveUp.signal).then(
        () => order.push(priority),
        () => undefined,
      )
    const waiting = Array.from({ length: 60 }, () => ask('job'))
    await until(() => order.length === 38)
    await ask('person')
    expect(order.filter((one) => one === 'job')).toHaveLength(38)
    expect(order.at(-1)).toBe('person')
    expect(budget.state()).toMatchObject({ used: 39, waiting: 22 })
    giveUp.abort()
    await Promise.all(waiting)
    expect(budget.state().waiting).toBe(0)
  })

  test('holds everyone back while the platform has had enough', async () => {
    const clock = createTurnedClock()
    const budget = createCallBudget({ callsPerHour: 1_000, record: createMemoryCallRecord(), clock })
    const from = clock.now()
    budget.pauseUntil(from + 90_000)
    expect(budget.state().pausedUntilMs).toBe(from + 90_000)
    await budget.take('person')
    expect(clock.now()).toBe(from + 90_000)
  })

  test('makes no call that it could not write down', async () => {
    const record = {
      others: async () => [],
      write: async () => {
        throw new Error('disk full')
      },
    }
    const budget = createCallBudget({ callsPerHour: 100, record, clock: createTurnedClock() })
    await expect(Promise.all([budget.take('job'), budget.take('person')])).rejects.toThrow('disk full')
    expect(budget.state()).toMatchObject({ used: 0, waiting: 0 })
  })
})

describe('the call budget with its record in ClickHouse', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await openTestStore()
  })
  afterAll(() => store.close())
  beforeEach(() => store.clear())

  const open = (clock: ReturnType<typeof createTurnedClock>): CallBudget =>
    createCallBudget({ callsPerHour: 200, record: createClickHouseCallRecord(store.writer), clock })

  test('does not begin a new hour after a crash', async () => {
    const clock = createTurnedClock()
    const times: number[] = []
    for (let life = 0; life < 6; life++) {
      // Each life ends without a word, as kill -9 ends one.
      const budget = open(clock)
      for (let call = 0; call < 45; call++) {
        await budget.take('job')
        times.push(clock.now())
        clock.turn(1_000)
      }
    }
    expect(mostInAnHour(times)).toBeLessThanOrEqual(200)
    expect(times).toHaveLength(270)
  })

  test('is one budget for two processes', async () => {
    const clock = createTurnedClock()
    const budgets = [open(clock), open(clock)]
    const times: number[] = []
    for (let call = 0; call < 400; call++) {
      await budgets[call % 2]?.take('job')
      times.push(clock.now())
      clock.turn(4_000)
    }
    // Calls that one has written ahead the other learns within a minute: so far they can be off.
    expect(mostInAnHour(times)).toBeLessThanOrEqual(200)
  })
})
