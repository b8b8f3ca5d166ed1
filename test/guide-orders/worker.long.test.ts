import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toOrdersTask } from '../../services/guide-orders/orders-task.ts'
import { openRunner, type Runner } from '../../services/runtime/runner.ts'
import { openTestStore } from '../support/store/store.ts'
import { openOffice, type Office } from './office.ts'
import { until } from '../support/wait.ts'

let office: Office
let worker: Runner | undefined
const store = await openTestStore()
afterAll(() => store.close())
beforeEach(async () => {
  office = await openOffice(store)
})
afterEach(async () => {
  await worker?.close()
  worker = undefined
  await office.close()
})

const onError = (error: unknown) => {
  throw error
}
const untilDone = (orderId: string) =>
  until(
    () => office.read(orderId),
    ({ isDone }) => isDone,
  )

describe('the worker', () => {
  test('does nothing where it is not the one, and begins when it becomes it', async () => {
    let isRunner = false
    const [userId] = office.without(1) as [string]
    const { orderId } = await office.place({ userIds: [userId] })
    let asked = 0
    const mayRun = () => (asked++, isRunner)
    worker = openRunner({ tasks: [toOrdersTask(office.openRunner(), 10)], isRunner: mayRun, onError })
    await until(() => asked > 3)
    expect(office.posts()).toBe(0)
    isRunner = true
    expect((await untilDone(orderId)).counts).toEqual({ assigned: 1 })
  })

  test('stops in the middle when it loses its role, and the next one resumes without a repeated call', async () => {
    let isRunner = true
    const userIds = office.without(6)
    const answered = Promise.withResolvers<void>()
    office.platform.apiFaults.next({
      fault: 'slow',
      method: 'POST',
      carriedOut: true,
      heldUntil: answered.promise,
    })
    const { orderId } = await office.place({ userIds })
    let asked = 0
    const mayRun = () => (asked++, isRunner)
    worker = openRunner({ tasks: [toOrdersTask(office.openRunner(), 10)], isRunner: mayRun, onError })
    await until(() => office.posts() === 1)
    isRunner = false
    // It notices during the call, and asks again after it.
    const before = asked
    await until(() => asked > before)
    answered.resolve()
    await until(() => asked > before + 3)
    expect(office.posts()).toBe(1)
    const { isDone } = await office.read(orderId)
    expect(isDone).toBe(false)
    const next = openRunner({ tasks: [toOrdersTask(office.openRunner(), 100)], onError })
    expect((await untilDone(orderId)).isDone).toBe(true)
    await next.close()
    for (const userId of userIds) expect(office.countAtPlatform(userId)).toBe(1)
  })
})
