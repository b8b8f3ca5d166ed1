/** kill -9 at the worst moments of an order: the real process, the real store, the stand-in platform. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startPlatform, type Platform } from '../../sample-platform/start.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { createGuideOrders } from '../../services/guide-orders/create-guide-orders.ts'
import type { GuideOrders } from '../../services/guide-orders/guide-orders.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { isComplete } from '../support/thorough.ts'
import { until } from '../support/wait.ts'
import { carryOut, orderId } from './order-child.ts'

const from = Date.UTC(2026, 4, 4, 6)
let directory: string
let platform: Platform
const children: ReturnType<typeof spawn>[] = []

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'rollcall-orders-')), 'store')
  copyStoreTemplate(directory)
  platform = await startPlatform({ seed: 'kill', from, to: from, people: 30 })
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await platform.close()
  await rm(dirname(directory), { recursive: true, force: true })
})

const userIds = ['20002', '20003', '20004', '20005', '20006']
const guideId = () => platform.guides.list()[0]?.id ?? ''
const countOf = (userId: string) =>
  platform.guides
    .assignmentsAt(platform.life.now())
    .filter(({ person, record }) => String(person.id) === userId && record.courseId === guideId()).length
const posts = () => platform.calls.list().filter(({ method }) => method === 'POST').length

const toTask = () => ({ directory, baseUrl: platform.baseUrl, guideId: guideId(), userIds })

/** Carries out the order until `isTime`, and is killed then. */
async function killWhen(isTime: () => boolean): Promise<void> {
  const child = spawn(process.execPath, ['test/guide-orders/order-child.ts', JSON.stringify(toTask())], {
    stdio: 'inherit',
  })
  children.push(child)
  await until(() => isTime() || child.exitCode !== null)
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Kills at any moment, and then carries the order out. */
async function killAgainAndAgain(): Promise<void> {
  platform.apiFaults.set({ slow: 0.5, slowMs: 150, failing: 0.1, truncated: 0.1 })
  for (let round = 0; round < (isComplete ? 4 : 2); round++) {
    const before = posts()
    await killWhen(() => posts() > before)
  }
  platform.apiFaults.set({})
  await carryOut(toTask())
}

test('a kill between the call and its record: the call is found at the platform and not repeated', async () => {
  // The third call is carried out, and its answer is held back.
  platform.apiFaults.next({ fault: 'slow', method: 'POST', carriedOut: false, times: 2, slowMs: 1 })
  platform.apiFaults.next({ fault: 'hang', method: 'POST', carriedOut: true })
  await killWhen(() => userIds.filter((userId) => countOf(userId) > 0).length === 3)
  expect(posts()).toBe(3)
  expect(await carryOut(toTask())).toEqual({ assigned: 5 })
  for (const userId of userIds) expect(countOf(userId), userId).toBe(1)
})

test('a kill between the intent and the call: the call is repeated once it can no longer take effect', async () => {
  platform.apiFaults.next({ fault: 'slow', method: 'POST', carriedOut: false, times: 2, slowMs: 1 })
  // The process dies while it waits; the platform has done nothing, and will not.
  platform.apiFaults.next({ fault: 'hang', method: 'POST', carriedOut: false })
  await killWhen(() => posts() === 3)
  const before = posts()
  expect(await carryOut(toTask())).toEqual({ assigned: 5 })
  for (const userId of userIds) expect(countOf(userId), userId).toBe(1)
  expect(posts() - before).toBe(3)
})

test('again and again, at any moment: in the end everyone has the guide once', async () => {
  await killAgainAndAgain()
  for (const userId of userIds) expect(countOf(userId), userId).toBe(1)
})

/** Nothing tells whether a call without an answer was carried out, so it is never made again by itself, and never forgotten. */
describe('by the POST alone', () => {
  beforeEach(async () => {
    await platform.close()
    platform = await startPlatform({ seed: 'kill', from, to: from, people: 30, dialect: 'specification' })
  })

  /** As the store has it, once no process is left. */
  async function withOrders<Value>(use: (orders: GuideOrders) => Promise<Value>): Promise<Value> {
    const clickhouse = await openEmbeddedClickHouse({ directory })
    try {
      return await use(createGuideOrders({ client: clickhouse.writer }))
    } finally {
      await clickhouse.close()
    }
  }
  const readPeople = async () => (await withOrders((orders) => orders.get(orderId)))?.people ?? []

  /** Ends with the third person asked for, and no answer. */
  async function killAtThird(carriedOut: boolean): Promise<string> {
    platform.apiFaults.next({ fault: 'slow', method: 'POST', carriedOut: false, times: 2, slowMs: 1 })
    platform.apiFaults.next({ fault: 'hang', method: 'POST', carriedOut })
    const countGiven = () => userIds.filter((userId) => countOf(userId) > 0).length
    await killWhen(() => posts() === 3 && (!carriedOut || countGiven() === 3))
    expect(await carryOut(toTask())).toEqual({ given: 4, unknown: 1 })
    expect(posts()).toBe(5)
    const undecided = (await readPeople()).filter(({ needsDecision }) => needsDecision)
    expect(undecided).toMatchObject([{ outcome: 'unknown', detail: 'INTERRUPTED' }])
    return undecided[0]!.userId
  }

  test('a kill between the call and its record is told to a person, and the call is not repeated', async () => {
    await killAtThird(true)
    for (const userId of userIds) expect(countOf(userId), userId).toBe(1)
  })

  test('a kill before the call took effect is told as well, and a person has it made again, once', async () => {
    const userId = await killAtThird(false)
    expect(countOf(userId)).toBe(0)
    const { step } = (await readPeople()).find((each) => each.userId === userId)!
    await withOrders((orders) => orders.decide(orderId, 'again', [{ userId, step }]))
    expect(await carryOut(toTask())).toEqual({ given: 5 })
    for (const each of userIds) expect(countOf(each), each).toBe(1)
    expect(posts()).toBe(6)
  })

  test('again and again, at any moment: nobody has the guide twice, and who may not have it is told', async () => {
    await killAgainAndAgain()
    for (const { userId, outcome, needsDecision } of await readPeople()) {
      if (needsDecision) expect(countOf(userId), userId).toBeLessThanOrEqual(1)
      else expect([userId, outcome, countOf(userId)]).toEqual([userId, 'given', 1])
    }
  })
})
