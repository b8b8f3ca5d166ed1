/** A guide is assigned at most once through kill -9 at the worst moments, and by two processes that run the same order. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startPlatform, type Platform } from '../../sample-platform/start.ts'
import { createGuideOrders } from '../../services/guide-orders/create-guide-orders.ts'
import { testDirectory } from '../support/directories.ts'
import { openTestClickHouse } from '../support/store/clickhouse-server.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { isComplete } from '../support/tiers.ts'
import { until } from '../support/wait.ts'
import { carryOut, orderId, type Task } from './order-child.ts'
import { openDirectory } from '../support/store/store.ts'

const from = Date.UTC(2026, 4, 4, 6)
const userIds = ['20002', '20003', '20004', '20005', '20006']
let platform: Platform
const children: ReturnType<typeof spawn>[] = []

beforeEach(async () => {
  platform = await startPlatform({ seed: 'kill', from, to: from, people: 30, dialect: 'specification' })
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await platform.close()
})

const guideId = () => platform.guides.list()[0]?.id ?? ''
const countOf = (userId: string) =>
  platform.guides
    .assignmentsAt(platform.life.now())
    .filter(({ person, record }) => String(person.id) === userId && record.courseId === guideId()).length
const posts = () => platform.calls.list().filter(({ method }) => method === 'POST').length
const toTask = (store: Task['store']) => ({ store, baseUrl: platform.baseUrl, guideId: guideId(), userIds })

function start(task: Task) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'order-child.ts'), JSON.stringify(task)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.push(child)
  return child
}

/** Carries out the order until `isTime`, and is killed then. */
async function killWhen(task: Task, isTime: () => boolean): Promise<void> {
  const child = start(task)
  await until(() => isTime() || child.exitCode !== null)
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

function newStore(): { directory: string } {
  const directory = join(testDirectory(), 'store')
  copyStoreTemplate(directory)
  return { directory }
}

/** As the store has it, once no process is left. */
async function askAgain({ directory }: { directory: string }): Promise<void> {
  const clickhouse = await openDirectory(directory)
  const inAnHour = () => Date.now() + 3_600_000
  await createGuideOrders({ client: clickhouse.writer, now: inAnHour }).askAgain(orderId)
  await clickhouse.close()
}

test.each([true, false])(
  'killed during a call (carried out: %s): it is unknown, not repeated by itself, and repeated once by a click',
  async (carriedOut) => {
    const store = newStore()
    platform.apiFaults.next({ fault: 'slow', method: 'POST', carriedOut: false, times: 2, slowMs: 1 })
    platform.apiFaults.next({ fault: 'hang', method: 'POST', carriedOut })
    const isCarriedOut = () => userIds.filter((userId) => countOf(userId) > 0).length === 3
    await killWhen(toTask(store), () => posts() === 3 && (!carriedOut || isCarriedOut()))
    expect(await carryOut(toTask(store))).toEqual({ assigned: 4, unknown: 1 })
    expect(posts()).toBe(5)
    expect(userIds.filter((userId) => countOf(userId) === 1)).toHaveLength(carriedOut ? 5 : 4)
    if (carriedOut) return
    await askAgain(store)
    expect(await carryOut(toTask(store))).toEqual({ assigned: 5 })
    expect([posts(), ...userIds.map(countOf)]).toEqual([6, 1, 1, 1, 1, 1])
  },
)

test('killed again and again at any moment: no one has the guide twice', async () => {
  const store = newStore()
  for (const [fault, share] of [
    ['slow', 0.3],
    ['failing', 0.1],
    ['truncated', 0.1],
  ] as const)
    for (const carriedOut of [true, false])
      platform.apiFaults.next({ fault, share, carriedOut, times: Infinity, slowMs: 150 })
  for (let round = 0; round < (isComplete ? 4 : 2); round++) {
    const before = posts()
    await killWhen(toTask(store), () => posts() > before)
  }
  platform.apiFaults.clear()
  // Whoever is claimed by a process that is killed before its call stays unknown, without a call.
  const { assigned = 0, unknown = 0 } = (await carryOut(toTask(store))) ?? {}
  expect(assigned + unknown).toBe(5)
  for (const userId of userIds) expect(countOf(userId), userId).toBeLessThanOrEqual(1)
  expect(posts()).toSatisfy((calls) => calls >= assigned && calls <= 5)
})

test('two processes that both read before either claims: one of them calls', async () => {
  const server = await openTestClickHouse({ isMigrated: true })
  try {
    const { url, username, password } = server
    const [userId] = userIds as [string]
    const task = { ...toTask({ url, username, password }), userIds: [userId], pauses: true }
    const both = [start(task), start(task)]
    await Promise.all(both.map((child) => once(child, 'message')))
    expect(posts()).toBe(0)
    for (const child of both) child.send('go')
    const ends = await Promise.all(both.map((child) => once(child, 'exit')))
    expect(ends.map(([code]) => code as number)).toEqual([0, 0])
    expect([posts(), countOf(userId)]).toEqual([1, 1])
  } finally {
    await server.stop()
  }
})
