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

function startChild() {
  const args = ['test/guide-orders/order-child.ts', directory, platform.baseUrl, 'the-order', guideId(), ...userIds]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    output: () => output,
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const untilDone = (child: { output(): string }) =>
  until(
    async () => child.output(),
    (output) => output.includes('DONE'),
  )

test('a kill between the call and its record: the call is found at the platform and not repeated', async () => {
  // The third call is carried out, and its answer is held back.
  platform.apiFaults.next({ fault: 'slow', method: 'POST', carriedOut: false, times: 2, slowMs: 1 })
  platform.apiFaults.next({ fault: 'hang', method: 'POST', carriedOut: true })
  const first = startChild()
  await until(
    async () => userIds.filter((userId) => countOf(userId) > 0).length,
    (count) => count === 3,
  )
  expect(posts()).toBe(3)
  await first.kill()
  const second = startChild()
  expect(await untilDone(second)).toContain('DONE {"assigned":5}')
  for (const userId of userIds) expect(countOf(userId), userId).toBe(1)
  await second.kill()
})

test('a kill between the intent and the call: the call is repeated once it can no longer take effect', async () => {
  platform.apiFaults.next({ fault: 'slow', method: 'POST', carriedOut: false, times: 2, slowMs: 1 })
  // The process dies while it waits; the platform has done nothing, and will not.
  platform.apiFaults.next({ fault: 'hang', method: 'POST', carriedOut: false })
  const first = startChild()
  await until(
    async () => posts(),
    (count) => count === 3,
  )
  await first.kill()
  const before = posts()
  const second = startChild()
  expect(await untilDone(second)).toContain('DONE {"assigned":5}')
  for (const userId of userIds) expect(countOf(userId), userId).toBe(1)
  expect(posts() - before).toBe(3)
  await second.kill()
})

test('again and again, at any moment: in the end everyone has the guide once', async () => {
  platform.apiFaults.set({ slow: 0.5, slowMs: 150, failing: 0.1, truncated: 0.1 })
  for (let round = 0; round < (isComplete ? 4 : 2); round++) {
    const child = startChild()
    const before = posts()
    await until(
      async () => posts(),
      (count) => count > before || child.output().includes('DONE'),
    )
    await child.kill()
  }
  platform.apiFaults.set({})
  const last = startChild()
  await untilDone(last)
  for (const userId of userIds) expect(countOf(userId), userId).toBe(1)
  await last.kill()
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
  const readPeople = async () => (await withOrders((orders) => orders.get('the-order')))?.people ?? []

  /** Ends with the third person asked for, and no answer. */
  async function killAtThird(carriedOut: boolean): Promise<string> {
    platform.apiFaults.next({ fault: 'slow', method: 'POST', carriedOut: false, times: 2, slowMs: 1 })
    platform.apiFaults.next({ fault: 'hang', method: 'POST', carriedOut })
    const first = startChild()
    await until(
      async () => posts(),
      (count) => count === 3,
    )
    if (carriedOut) await until(() => userIds.filter((userId) => countOf(userId) > 0).length === 3)
    await first.kill()
    const second = startChild()
    expect(await untilDone(second)).toContain('DONE {"given":4,"unknown":1}')
    await second.kill()
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
    await withOrders((orders) => orders.decide('the-order', 'again', [{ userId, step }]))
    const last = startChild()
    expect(await untilDone(last)).toContain('DONE {"given":5}')
    await last.kill()
    for (const each of userIds) expect(countOf(each), each).toBe(1)
    expect(posts()).toBe(6)
  })

  test('again and again, at any moment: nobody has the guide twice, and who may not have it is told', async () => {
    platform.apiFaults.set({ slow: 0.5, slowMs: 150, failing: 0.1, truncated: 0.1 })
    for (let round = 0; round < (isComplete ? 4 : 2); round++) {
      const child = startChild()
      const before = posts()
      await until(
        async () => posts(),
        (count) => count > before || child.output().includes('DONE'),
      )
      await child.kill()
    }
    platform.apiFaults.set({})
    const last = startChild()
    await untilDone(last)
    await last.kill()
    for (const { userId, outcome, needsDecision } of await readPeople()) {
      if (needsDecision) expect(countOf(userId), userId).toBeLessThanOrEqual(1)
      else expect([userId, outcome, countOf(userId)]).toEqual([userId, 'given', 1])
    }
  })
})
