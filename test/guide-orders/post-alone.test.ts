/** Orders of guides at a platform that offers the two endpoints of the specification and nothing else. */
import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest'
import { createSetClock } from '../platform/clocks.ts'
import { openTestStore } from '../support/store/store.ts'
import { until } from '../support/wait.ts'
import { never, openOffice, toRequest, type Office } from './office.ts'
import { test, testLong } from '../support/thorough.ts'

let office: Office
const store = await openTestStore()
afterAll(() => store.close())
beforeEach(async () => {
  office = await openOffice(store, { dialect: 'specification' })
})
afterEach(() => office.close())

const week = 7 * 86_400_000
const gets = () =>
  office.platform.calls.list().filter(({ method, path }) => method === 'GET' && path.endsWith('/assignments'))
    .length
const outcomes = async (orderId: string) =>
  Object.fromEntries(
    (await office.read(orderId)).people.map(({ userId, outcome, detail }) => [userId, [outcome, detail]]),
  )
const only = async (orderId: string) => {
  const [person] = (await office.read(orderId)).people
  if (person === undefined) throw new Error('nobody')
  return person
}
/** An order whose answer is lost. */
async function lose(carriedOut: boolean) {
  const [userId] = office.without(1) as [string]
  const { orderId } = await office.place({ userIds: [userId] })
  office.platform.apiFaults.next({ fault: 'cut', method: 'POST', carriedOut })
  await office.openRunner().run(never)
  return { userId, orderId }
}

describe('by the POST alone', () => {
  test('everyone gets the guide, whatever the platform answers, and it is given, not verified', async () => {
    const userIds = office.without(4)
    const { orderId } = await office.place({ userIds })
    const runner = office.openRunner()
    expect(await runner.run(never)).toEqual({ rest: 0 })
    expect(await office.read(orderId)).toMatchObject({ isDone: true, counts: { given: 4 } })
    for (const userId of userIds) expect(office.countAtPlatform(userId)).toBe(1)
    await runner.run(never)
    await office.openRunner().run(never)
    expect(office.posts()).toBe(4)
    expect(await store.rows('SELECT DISTINCT outcome FROM rollcall.guide_orders')).toEqual([
      { outcome: 'given' },
    ])
  })

  test('nobody is given up for calls that were turned away, and everyone has their turn', async () => {
    const { orderId } = await office.place({ userIds: office.without(2) })
    const runner = office.openRunner()
    office.platform.apiFaults.next({ fault: 'unauthorized', method: 'POST', times: 12 })
    for (let pass = 0; pass < 12; pass++) expect(await runner.run(never)).toEqual({ rest: 1 })
    await runner.run(never)
    const { people } = await office.read(orderId)
    expect(people.map(({ outcome, tries }) => [outcome, tries])).toEqual([
      ['given', 7],
      ['given', 7],
    ])
  })

  testLong('the list is asked for once a day and not with every order', async () => {
    const clock = createSetClock()
    const runner = office.openRunner({ clock })
    const [one, two, three] = office.without(3) as [string, string, string]
    for (const userId of [one, two]) {
      await office.place({ userIds: [userId] })
      await runner.run(never)
    }
    expect(gets()).toBe(1)
    clock.turn(25 * 3_600_000)
    await store.writer.insert({
      table: 'rollcall.guide_order_rows',
      values: [{ order_id: 'later', asked_at: clock.now(), guide_id: office.guide.id, user_ids: [three] }],
      format: 'JSONEachRow',
    })
    await runner.run(never)
    expect((await office.read('later')).counts).toEqual({ given: 1 })
    expect(gets()).toBe(2)
  })

  test('is done once by several processes that all believe to be the runner, also for two orders of one person', async () => {
    const userIds = office.without(5)
    const placed = [await office.place({ userIds }), await office.place({ userIds })]
    const runners = [1, 2, 3].map(() => office.openRunner())
    const isDone = async () =>
      (await Promise.all(placed.map(({ orderId }) => office.read(orderId)))).every((one) => one.isDone)
    for (let round = 0; round < 20 && !(await isDone()); round++) {
      await Promise.all(runners.map((runner) => runner.run(never)))
      await runners[round % 3]?.run(never)
    }
    for (const userId of userIds) expect(office.countAtPlatform(userId), userId).toBe(1)
    expect(await isDone()).toBe(true)
  })
})

describe('a call without an answer', () => {
  test('stays unknown and is never made again by itself', async () => {
    const { userId, orderId } = await lose(true)
    const order = await office.read(orderId)
    expect(order).toMatchObject({ isDone: true, counts: { unknown: 1 } })
    expect(order.people[0]).toMatchObject({ needsDecision: true, tries: 1, detail: 'UNREACHABLE' })
    const clock = createSetClock()
    const runner = office.openRunner({ clock })
    for (let day = 0; day < 3; day++) {
      expect(await runner.run(never)).toEqual({ rest: 0 })
      clock.turn(week)
    }
    expect(await only(orderId)).toMatchObject({ outcome: 'unknown', needsDecision: true })
    expect([office.posts(), office.countAtPlatform(userId)]).toEqual([1, 1])
    expect(await store.rows('SELECT outcome, needs_decision FROM rollcall.guide_orders')).toEqual([
      { outcome: 'unknown', needs_decision: true },
    ])
  })

  test('is marked as given by a person, and nothing is sent', async () => {
    const { userId, orderId } = await lose(true)
    const { step } = await only(orderId)
    await office.orders.decide(orderId, 'given', [{ userId, step }])
    await office.openRunner().run(never)
    expect(await only(orderId)).toMatchObject({
      outcome: 'given',
      detail: 'MARKED_GIVEN',
      needsDecision: false,
    })
    expect(office.posts()).toBe(1)
  })

  test('is made again once where a person says so, however often they press', async () => {
    const { userId, orderId } = await lose(false)
    const { step } = await only(orderId)
    const press = () => office.orders.decide(orderId, 'again', [{ userId, step }])
    await Promise.all([press(), press()])
    expect((await only(orderId)).outcome).toBe('waiting')
    const clock = createSetClock()
    // It is their order of today, however old the first one is.
    clock.turn(23 * 3_600_000)
    const runner = office.openRunner({ clock })
    await runner.run(never)
    await press()
    await office.orders.decide(orderId, 'given', [{ userId, step }])
    await runner.run(never)
    expect(await only(orderId)).toMatchObject({ outcome: 'given', detail: '', tries: 2 })
    expect([office.posts(), office.countAtPlatform(userId)]).toEqual([2, 1])
  })

  testLong('keeps other orders of the guide from that person until somebody has decided', async () => {
    const { userId, orderId } = await lose(true)
    const second = await office.place({ userIds: [userId], again: true })
    await office.openRunner().run(never)
    expect(await outcomes(second.orderId)).toEqual({ [userId]: ['gave_up', 'UNDECIDED'] })
    await office.orders.decide(orderId, 'given', [{ userId, step: (await only(orderId)).step }])
    const third = await office.place({ userIds: [userId] })
    await office.openRunner().run(never)
    expect(await outcomes(third.orderId)).toEqual({ [userId]: ['already', 'GIVEN_BEFORE'] })
    expect(office.posts()).toBe(1)
  })

  testLong('is left to nobody by a decision about a stranger, an older step, or another order', async () => {
    const { userId, orderId } = await lose(true)
    const { step } = await only(orderId)
    expect(await office.orders.decide('no-such', 'again', [{ userId, step }])).toBeNull()
    await office.orders.decide(orderId, 'again', [
      { userId: 'stranger', step },
      { userId, step: step - 1 },
      { userId, step: step + 1 },
    ])
    await office.openRunner().run(never)
    expect([office.posts(), (await only(orderId)).outcome]).toEqual([1, 'unknown'])
  })
})

test('a preview of a typed guide says that it is not listed, who got it by an order, and who has no answer yet', async () => {
  const { userId: lost, orderId } = await lose(false)
  const [given, free] = office.without(3).filter((userId) => userId !== lost) as [string, string]
  await office.place({ userIds: [given] })
  await office.openRunner().run(never)
  const ask = async () => {
    const request = { guideId: office.guide.id, userIds: [lost, given, free], again: false }
    const found = await office.orders.preview(request)
    if (!found.ok) throw new Error(found.problem.code)
    return found.preview
  }
  // A guide that the platform does not list is written beside the calls.
  const preview = await until(ask, ({ isListed }) => !isListed)
  expect(preview.guide).toEqual({ id: office.guide.id, title: office.guide.id, isKnown: false })
  expect(preview.people.map(({ plan }) => plan)).toEqual(['undecided', 'has_guide', 'assign'])
  expect(preview.people[0]?.orderId).toBe(orderId)
  expect(preview.calls).toEqual({ assign: 1, list: 0 })
  const guideIds = ['', '.', '..', 'a\nb', 'x'.repeat(201), '\ud800']
  for (const guideId of guideIds) {
    const refused = { ok: false, problem: { code: 'invalid_guide' } }
    expect(await office.orders.preview({ guideId, userIds: [free], again: false })).toMatchObject(refused)
    expect(await office.orders.place(toRequest(guideId, { userIds: [free] }))).toMatchObject(refused)
  }
})

testLong(
  'where other guides are listed, a guide that is not found is gone, and nothing is sent',
  async () => {
    await office.close()
    office = await openOffice(store)
    const [one, two] = office.without(2) as [string, string]
    const runner = office.openRunner()
    await office.place({ userIds: [one] })
    await runner.run(never)
    await until(async () => (await store.rows('SELECT 1 FROM rollcall.offered_lists')).length > 0)
    const { orderId } = await office.place({ guideId: 'typed wrongly', userIds: [two] })
    await runner.run(never)
    expect(await outcomes(orderId)).toEqual({ [two]: ['refused', 'GUIDE_NOT_FOUND'] })
    expect(office.posts()).toBe(1)
  },
)
