/** Orders over a real store and the stand-in platform: with lists of who has a guide, and by the POST alone. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOrderStore, toCallKey } from '../../services/guide-orders/order-store.ts'
import { openTestStore } from '../support/store/store.ts'
import { until } from '../support/wait.ts'
import { never, openOffice, pullAll, toRequest, type Office } from './office.ts'

let office: Office
const store = await openTestStore()
afterAll(() => store.close())
afterEach(() => office.close())

const hour = 3_600_000
const outcomesOf = async (orderId: string) =>
  Object.fromEntries((await office.read(orderId)).people.map(({ userId, outcome }) => [userId, outcome]))
const only = async (orderId: string) => (await office.read(orderId)).people[0]
const run = () => office.openRunner().run(never)

/** An order for one person whose answer is lost. */
async function lose(carriedOut: boolean) {
  const [userId] = office.without(1) as [string]
  const { orderId } = await office.place({ userIds: [userId] })
  office.platform.apiFaults.next({ fault: 'cut', method: 'POST', carriedOut })
  await run()
  return { userId, orderId }
}

describe.each(['paginated', 'specification'] as const)('an order at a %s platform', (dialect) => {
  beforeEach(async () => {
    office = await openOffice(store, { dialect })
  })

  test('assigns the guide by one call a person and keeps who asked, when and the outcome', async () => {
    const userIds = office.without(3)
    const dueDateMs = Date.UTC(2026, 11, 1, 12)
    const { orderId } = await office.place({ userIds, dueDateMs })
    expect(await run()).toEqual({ rest: 0 })
    await run()
    const order = await office.read(orderId)
    expect(order).toMatchObject({
      askedBy: 'Ada',
      reason: 'fact=overdue',
      isDone: true,
      counts: { assigned: 3 },
    })
    expect(office.posts()).toBe(3)
    for (const userId of userIds) expect(office.countAtPlatform(userId)).toBe(1)
    const given = office.platform.guides
      .assignmentsAt(Date.now())
      .find(({ person, record }) => String(person.id) === userIds[0] && record.courseId === office.guide.id)
    expect(given?.record.dueDate).toBeGreaterThanOrEqual(dueDateMs)
    expect(
      await store.rows('SELECT outcome, asked_by, tries FROM rollcall.guide_orders GROUP BY ALL'),
    ).toEqual([{ outcome: 'assigned', asked_by: 'Ada', tries: '1' }])
  })

  test('shows a call without an answer as unknown and never repeats it by itself', async () => {
    const { userId, orderId } = await lose(true)
    const order = await office.read(orderId)
    expect(order).toMatchObject({ isDone: true, counts: { unknown: 1 } })
    expect(order.people[0]).toMatchObject({ canAskAgain: true, detail: 'UNREACHABLE' })
    for (let day = 0; day < 3; day++) {
      expect(await run()).toEqual({ rest: 0 })
      office.clock.turn(7 * 24 * hour)
    }
    expect((await only(orderId))?.outcome).toBe('unknown')
    expect([office.posts(), office.countAtPlatform(userId)]).toEqual([1, 1])
  })

  test('repeats an unanswered call once when a person asks, however often they click', async () => {
    const { userId, orderId } = await lose(false)
    // The wish of today counts, however old the order is.
    office.clock.turn(48 * hour)
    await Promise.all([office.orders.askAgain(orderId), office.orders.askAgain(orderId, [userId])])
    expect((await only(orderId))?.outcome).toBe('planned')
    await run()
    await office.orders.askAgain(orderId)
    await run()
    expect((await only(orderId))?.outcome).toBe('assigned')
    expect([office.posts(), office.countAtPlatform(userId)]).toEqual([2, 1])
  })

  test('repeats no call for other people, other orders, or an order that does not exist', async () => {
    const { orderId } = await lose(true)
    expect(await office.orders.askAgain('none')).toBeNull()
    await office.orders.askAgain(orderId, ['stranger'])
    const other = await office.place({ userIds: office.without(1) })
    await office.orders.askAgain(other.orderId)
    await run()
    expect([office.posts(), (await only(orderId))?.outcome]).toEqual([2, 'unknown'])
  })

  test('does not call for a person whose earlier order got no answer', async () => {
    const { userId, orderId } = await lose(false)
    const second = await office.place({ userIds: [userId], again: true })
    await run()
    expect(await only(second.orderId)).toMatchObject({ outcome: 'gave_up', detail: 'UNANSWERED' })
    const found = await office.orders.preview({ guideId: office.guide.id, userIds: [userId], again: false })
    expect(found).toMatchObject({ preview: { people: [{ plan: 'unknown', orderId }] } })
    expect(office.posts()).toBe(1)
  })

  test('waits while a call of another order is in progress', async () => {
    const [userId] = office.without(1) as [string]
    const first = await office.place({ userIds: [userId] })
    const { calls } = createOrderStore(store.writer)
    const call = { thing: first.orderId, state: 'intended', end: '', detail: '' } as const
    await calls.claim(toCallKey(office.guide.id, userId), call)
    expect(await office.read(first.orderId)).toMatchObject({
      isDone: false,
      people: [{ canAskAgain: false }],
    })
    const second = await office.place({ userIds: [userId] })
    expect(await run()).toEqual({ rest: 1 })
    expect((await only(second.orderId))?.outcome).toBe('planned')
    office.clock.turn(hour)
    expect(await office.read(first.orderId)).toMatchObject({ isDone: true, people: [{ canAskAgain: true }] })
    expect(await run()).toEqual({ rest: 0 })
    expect((await only(second.orderId))?.outcome).toBe('gave_up')
    expect(office.posts()).toBe(0)
  })

  test('assigns a guide once for two orders, and again only if the order says so', async () => {
    const userIds = office.without(2)
    const placed = [await office.place({ userIds }), await office.place({ userIds })]
    await run()
    expect((await office.read(placed[1]!.orderId)).counts).toEqual({ already: 2 })
    expect(office.posts()).toBe(2)
    if (dialect === 'paginated') return
    const again = await office.place({ userIds, again: true })
    await run()
    expect((await office.read(again.orderId)).counts).toEqual({ assigned: 2 })
    expect(userIds.map((userId) => office.countAtPlatform(userId))).toEqual([2, 2])
  })

  test('keeps the first of two orders with one id', async () => {
    const [one, two] = office.without(2) as [string, string]
    const { orderId } = await office.place({ userIds: [one] })
    expect((await office.place({ orderId, userIds: [two] })).people.map(({ userId }) => userId)).toEqual([
      one,
    ])
    await run()
    expect(office.countAtPlatform(two)).toBe(0)
  })

  test('pauses after three unanswered calls and continues with the next people', async () => {
    const { orderId } = await office.place({ userIds: office.without(5) })
    office.platform.apiFaults.next({ fault: 'cut', method: 'POST', carriedOut: true, times: 3 })
    expect(await run()).toEqual({ rest: 1 })
    expect((await office.read(orderId)).counts).toEqual({ unknown: 3, planned: 2 })
    expect(await run()).toEqual({ rest: 0 })
    expect((await office.read(orderId)).counts).toEqual({ unknown: 3, assigned: 2 })
    expect(office.posts()).toBe(5)
  })

  test('waits for a valid token, says why, and ends after a day', async () => {
    const { orderId } = await office.place({ userIds: office.without(2) })
    const refused = office.openRunner({ token: 'dead' })
    for (let pass = 0; pass < 3; pass++) expect(await refused.run(never)).toEqual({ rest: 1 })
    expect(await office.read(orderId)).toMatchObject({ isDone: false, counts: { waiting: 2 } })
    expect((await office.read(orderId)).people.map(({ detail }) => detail).join()).toContain('UNAUTHORIZED')
    const late = await office.place({ userIds: office.without(3).slice(2) })
    office.clock.turn(hour)
    await run()
    expect((await office.read(orderId)).counts).toEqual({ assigned: 2 })
    expect((await office.read(late.orderId)).counts).toEqual({ assigned: 1 })
    const old = await office.place({ userIds: office.without(1) })
    office.clock.turn(25 * hour)
    await run()
    expect(await only(old.orderId)).toMatchObject({ outcome: 'gave_up', detail: 'EXPIRED' })
    expect(office.posts()).toBe(3)
  })
})

describe('a platform that lists who has a guide', () => {
  beforeEach(async () => {
    office = await openOffice(store)
  })

  test('saves calls for people who got it since the last pull, and for people who left', async () => {
    const [has, left, free] = office.without(3) as [string, string, string]
    const { orderId } = await office.place({ userIds: [has, left, free] })
    const find = (userId: string) =>
      office.platform.life.population.people.find(({ id }) => String(id) === userId)
    const [holder, leaver] = [find(has), find(left)]
    if (holder === undefined || leaver === undefined) throw new Error('nobody')
    const now = office.platform.life.now()
    Object.assign(leaver, { isDeleted: true, leftAt: now, updatedAt: now })
    await pullAll(store, office.platform)
    office.platform.guides.assign(office.guide, holder, now, null)
    await run()
    expect(await outcomesOf(orderId)).toEqual({ [has]: 'already', [left]: 'left', [free]: 'assigned' })
    expect(office.posts()).toBe(1)
  })

  test('counts an answer with a broken body as done, and a refused person does not stop the others', async () => {
    office.platform.apiFaults.next({ fault: 'truncated', method: 'POST', carriedOut: true })
    office.platform.apiFaults.next({ fault: 'garbled', method: 'POST', carriedOut: true })
    const [one, two] = office.without(2) as [string, string]
    const { orderId } = await office.place({ userIds: [one, two, '99999'] })
    await run()
    expect(await outcomesOf(orderId)).toEqual({ [one]: 'assigned', [two]: 'assigned', 99999: 'refused' })
    expect([office.countAtPlatform(one), office.countAtPlatform(two)]).toEqual([1, 1])
  })

  test('is read before an unanswered call is repeated', async () => {
    const { orderId } = await lose(true)
    await office.orders.askAgain(orderId)
    await run()
    expect((await only(orderId))?.outcome).toBe('already')
    expect(office.posts()).toBe(1)
  })

  test('shows in the preview who gets it, who has it and who has left; and the preview changes nothing', async () => {
    const [free] = office.without(1) as [string]
    const { people } = office.platform.life.population
    const holder = office.platform.guides
      .assignmentsAt(office.platform.life.now())
      .find(
        ({ record, person }) =>
          record.courseId === office.guide.id && !record.isArchived && !person.isDeleted,
      )
    const [holderId, leaver] = [String(holder?.person.id), String(people.find((one) => one.isDeleted)?.id)]
    const calls = office.platform.calls.list().length
    const userIds = [free, holderId, leaver, free]
    const found = await office.orders.preview({ guideId: office.guide.id, userIds, again: false })
    expect(found).toMatchObject({
      preview: {
        people: [
          { userId: free, plan: 'assign', name: people.find(({ id }) => String(id) === free)?.name },
          { userId: holderId, plan: 'has_guide', assignmentId: holder?.record.id },
          { userId: leaver, plan: 'has_left' },
        ],
        seenAtMs: expect.any(Number),
      },
    })
    expect(office.platform.calls.list().length).toBe(calls)
    expect(await office.orders.recent(10)).toEqual([])
  })
})

test('refuses orders without people, with too many, and for unusable guides; knows an unlisted platform', async () => {
  office = await openOffice(store, { dialect: 'specification' })
  const ask = async (guideId: string, userIds: string[]) => {
    const placed = await office.orders.place(toRequest(guideId, { userIds }))
    const found = await office.orders.preview({ guideId, userIds, again: false })
    return [placed, found].map((one) => (one.ok ? 'ok' : one.problem.code))
  }
  expect(await ask(office.guide.id, [])).toEqual(['nobody_to_order_for', 'nobody_to_order_for'])
  const many = Array.from({ length: 501 }, (_, index) => String(index))
  expect(await ask(office.guide.id, many)).toEqual(['too_many_to_order_for', 'too_many_to_order_for'])
  for (const guideId of ['', '.', '..', 'a\nb', 'x'.repeat(201), '\ud800'])
    expect(await ask(guideId, ['1'])).toEqual(['invalid_guide', 'invalid_guide'])
  await office.place({ userIds: office.without(1) })
  await run()
  const preview = () => office.orders.preview({ guideId: 'none', userIds: ['1'], again: false })
  // What a platform does not list is written beside the calls.
  const found = await until(preview, (one) => one.ok && one.preview.seenAtMs === null)
  expect(found).toMatchObject({ preview: { guide: { id: 'none', title: 'none', isKnown: false } } })
})
