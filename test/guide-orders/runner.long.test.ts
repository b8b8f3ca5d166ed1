import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOrderStore } from '../../services/guide-orders/order-store.ts'
import { createSetClock, createTurnedClock } from '../platform/clocks.ts'
import { openTestClient } from '../registration/client.ts'
import { openTestStore } from '../support/store/store.ts'
import { never, openOffice, pullAll, toRequest, type Office } from './office.ts'
import { until } from '../support/wait.ts'

let office: Office
const store = await openTestStore()
afterAll(() => store.close())
beforeEach(async () => {
  office = await openOffice(store)
})
afterEach(() => office.close())

/** Far longer than any test takes: only the test's clock gets there. */
const settleMs = 3_600_000

const outcomesOf = (order: { people: { userId: string; outcome: string }[] }) =>
  Object.fromEntries(order.people.map(({ userId, outcome }) => [userId, outcome]))

describe('an order', () => {
  test('gives everyone the guide by one call each, and keeps who asked, when, for what, and what came of it', async () => {
    const [one, two, three] = office.without(3) as [string, string, string]
    const dueDateMs = Date.UTC(2026, 11, 1, 12)
    const { orderId } = await office.place({ userIds: [one, two, three], dueDateMs })
    expect(await office.openRunner().run(never)).toEqual({ rest: 0 })
    const order = await office.read(orderId)
    expect(order).toMatchObject({
      askedBy: 'Ada',
      reason: 'fact=overdue',
      guideTitle: office.guide.title,
      isDone: true,
      heldUpBy: null,
      counts: { assigned: 3 },
    })
    expect(order.people.every(({ assignmentId, name, tries }) => assignmentId && name && tries === 1)).toBe(
      true,
    )
    expect(office.posts()).toBe(3)
    for (const userId of [one, two, three]) expect(office.countAtPlatform(userId)).toBe(1)
    const given = office.platform.guides
      .assignmentsAt(Date.now())
      .find(({ person, record }) => String(person.id) === one && record.courseId === office.guide.id)
    expect(given?.record.dueDate).toBeGreaterThanOrEqual(dueDateMs)
    const rows = await store.rows(
      'SELECT user_id, outcome, asked_by, guide FROM rollcall.guide_orders ORDER BY user_id',
    )
    expect(rows).toEqual(
      [one, two, three].sort().map((user_id) => ({
        user_id,
        outcome: 'assigned',
        asked_by: 'Ada',
        guide: office.guide.title,
      })),
    )
  })

  test('skips people who got the guide since the last pull, and people who left', async () => {
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
    await office.openRunner().run(never)
    expect(outcomesOf(await office.read(orderId))).toEqual({
      [has]: 'already',
      [left]: 'left',
      [free]: 'assigned',
    })
    expect(office.posts()).toBe(1)
  })

  test('finds who has the guide on a list that moves while it is read', async () => {
    const { guide, platform } = office
    const listed = platform.guides.assignmentsAt(platform.life.now()).filter((one) => one.guide === guide)
    const size = listed.findIndex(
      ({ record, person }, index) => index > 0 && !record.isArchived && !person.isDeleted,
    )
    // The first one of the second page.
    const userId = String(listed[size]?.person.id)
    const { orderId } = await office.place({ userIds: [userId] })
    const client = openTestClient(platform.baseUrl, 'platform-token')
    const runner = office.openRunner({
      platform: {
        ...client,
        async guideAssignments(guideId, options) {
          const page = await client.guideAssignments(guideId, { ...options, size })
          platform.guides.remove(guide, listed[0]?.record.id ?? '')
          return page
        },
      },
    })
    await runner.run(never)
    await client.close()
    expect(outcomesOf(await office.read(orderId))).toEqual({ [userId]: 'already' })
    expect(office.posts()).toBe(0)
  })

  test('is carried out once by several processes that all believe to be the runner', async () => {
    const userIds = office.without(8)
    const { orderId } = await office.place({ userIds })
    const settleMs = 50
    const runners = [1, 2, 3].map(() => office.openRunner({ settleMs }))
    for (let round = 0; round < 20 && !(await office.read(orderId)).isDone; round++) {
      await Promise.all(runners.map((runner) => runner.run(never)))
      // A runner that steps back comes again at another time.
      await runners[round % 3]?.run(never)
    }
    for (const userId of userIds) expect(office.countAtPlatform(userId)).toBe(1)
    expect((await office.read(orderId)).isDone).toBe(true)
  })

  test('does not call for a person for whom another process has begun to, by another order', async () => {
    const [first, second] = office.without(2).toSorted() as [string, string]
    await office.place({ userIds: [first, second] })
    const answered = Promise.withResolvers<void>()
    office.platform.apiFaults.next({
      fault: 'slow',
      method: 'POST',
      carriedOut: true,
      heldUntil: answered.promise,
    })
    const passing = office.openRunner().run(never)
    await until(() => office.posts() === 1)
    const { orderId } = await office.place({ userIds: [second] })
    const intent = {
      orderId,
      userId: second,
      step: 1,
      runner: 'other',
      atMs: Date.now(),
      state: 'intended',
    } as const
    await createOrderStore(store.writer).writeStep(intent)
    answered.resolve()
    expect(await passing).toEqual({ rest: 1 })
    expect(office.posts()).toBe(1)
  })

  test('with the id of another one is refused', async () => {
    const [one, two] = office.without(2) as [string, string]
    const { orderId } = await office.place({ userIds: [one] })
    const other = await office.orders.place(toRequest(office.guide.id, { orderId, userIds: [two] }))
    expect(other).toMatchObject({ ok: false, problem: { code: 'order_conflict' } })
    await office.openRunner().run(never)
    expect(office.countAtPlatform(two)).toBe(0)
  })
})

describe('a call without an answer', () => {
  test.each(['failing', 'cut', 'slow'] as const)(
    'that was carried out (%s) is found on the guide’s list and not made again',
    async (fault) => {
      const [userId] = office.without(1) as [string]
      office.platform.apiFaults.next({ fault, method: 'POST', carriedOut: true, slowMs: 600_000 })
      const { orderId } = await office.place({ userIds: [userId] })
      const clock = createSetClock()
      const runner = office.openRunner({ clock, settleMs }, { isSilent: fault === 'slow' })
      expect(await runner.run(never)).toEqual({ rest: 1 })
      expect((await office.read(orderId)).people[0]).toMatchObject({ outcome: 'unknown', tries: 1 })
      clock.turn(settleMs)
      expect(await runner.run(never)).toEqual({ rest: 0 })
      expect((await office.read(orderId)).people[0]).toMatchObject({
        outcome: 'assigned',
        detail: 'FOUND_ON_LIST',
      })
      expect(office.countAtPlatform(userId)).toBe(1)
    },
  )

  test.each(['failing', 'cut'] as const)(
    'that was not carried out (%s) is made again, but only after it can no longer take effect',
    async (fault) => {
      const [userId] = office.without(1) as [string]
      office.platform.apiFaults.next({ fault, method: 'POST', carriedOut: false })
      const { orderId } = await office.place({ userIds: [userId] })
      const clock = createSetClock()
      const runner = office.openRunner({ clock, settleMs })
      await runner.run(never)
      const posts = office.posts()
      expect(await runner.run(never)).toEqual({ rest: 1 })
      expect(office.posts()).toBe(posts)
      clock.turn(settleMs)
      expect(await runner.run(never)).toEqual({ rest: 0 })
      expect((await office.read(orderId)).people[0]).toMatchObject({ outcome: 'assigned', tries: 2 })
      expect(office.countAtPlatform(userId)).toBe(1)
    },
  )

  test('is not taken for lost by a list that is older than its effect, however long the pass takes', async () => {
    const [slow, lost] = office.without(2) as [string, string]
    const { orderId } = await office.place({ userIds: [slow, lost] })
    const orders = createOrderStore(store.writer)
    const clock = createSetClock()
    const atMs = clock.now() - settleMs / 2
    await orders.writeStep({ orderId, userId: lost, step: 1, runner: 'dead', atMs, state: 'intended' })
    await orders.writeStep({ orderId, userId: lost, step: 2, runner: 'dead', atMs, state: 'unknown' })
    // While the first person's call takes its time, the second one's takes effect.
    const answered = Promise.withResolvers<void>()
    office.platform.apiFaults.next({
      fault: 'slow',
      method: 'POST',
      carriedOut: true,
      heldUntil: answered.promise,
    })
    const runner = office.openRunner({ clock, settleMs })
    const passing = runner.run(never)
    await until(
      async () => office.posts(),
      (posts) => posts === 1,
    )
    const person = office.platform.life.population.people.find(({ id }) => String(id) === lost)
    if (person !== undefined)
      office.platform.guides.assign(office.guide, person, office.platform.life.now(), null)
    clock.turn(settleMs)
    answered.resolve()
    await passing
    await runner.run(never)
    expect((await office.read(orderId)).counts).toEqual({ assigned: 2 })
    expect(office.countAtPlatform(lost)).toBe(1)
  })

  test('because the process died is waited for from when that was found: it may have been made just before', async () => {
    const [userId] = office.without(1) as [string]
    const { orderId } = await office.place({ userIds: [userId] })
    const clock = createSetClock()
    const atMs = clock.now() - 2 * settleMs
    // An intent that waited long for its turn in the budget, and whose process is gone.
    await createOrderStore(store.writer).writeStep({
      orderId,
      userId,
      step: 1,
      runner: 'dead',
      atMs,
      state: 'intended',
    })
    const runner = office.openRunner({ clock, settleMs })
    expect(await runner.run(never)).toEqual({ rest: 1 })
    expect((await office.read(orderId)).people[0]).toMatchObject({
      outcome: 'unknown',
      detail: 'INTERRUPTED',
    })
    await runner.run(never)
    expect(office.posts()).toBe(0)
    clock.turn(settleMs)
    await runner.run(never)
    expect((await office.read(orderId)).people[0]).toMatchObject({ outcome: 'assigned', tries: 2 })
    expect(office.posts()).toBe(1)
  })

  test('but for its body (truncated, garbled) counts as made', async () => {
    const [one, two] = office.without(2) as [string, string]
    office.platform.apiFaults.next({ fault: 'truncated', method: 'POST', carriedOut: true })
    office.platform.apiFaults.next({ fault: 'garbled', method: 'POST', carriedOut: true })
    const { orderId } = await office.place({ userIds: [one, two] })
    await office.openRunner({ settleMs: 0 }).run(never)
    expect((await office.read(orderId)).counts).toEqual({ assigned: 2 })
    expect([office.countAtPlatform(one), office.countAtPlatform(two)]).toEqual([1, 1])
  })

  test('keeps other orders of the guide from that person until it is known', async () => {
    const [userId] = office.without(1) as [string]
    const late = Promise.withResolvers<void>()
    office.platform.apiFaults.next({
      fault: 'slow',
      method: 'POST',
      carriedOut: false,
      heldUntil: late.promise,
    })
    await office.place({ userIds: [userId] })
    const clock = createSetClock()
    const runner = office.openRunner({ clock, settleMs }, { isSilent: true })
    await runner.run(never)
    const second = await office.place({ userIds: [userId] })
    await runner.run(never)
    expect((await office.read(second.orderId)).people[0]?.outcome).toBe('planned')
    late.resolve()
    await until(() => office.countAtPlatform(userId) === 1)
    clock.turn(settleMs)
    await runner.run(never)
    await runner.run(never)
    expect((await office.read(second.orderId)).people[0]?.outcome).toBe('already')
    expect(office.countAtPlatform(userId)).toBe(1)
  })

  test('of two orders for one person is looked up in each of them, and made again by one', async () => {
    const [userId] = office.without(1) as [string]
    const placed = [await office.place({ userIds: [userId] }), await office.place({ userIds: [userId] })]
    const orders = createOrderStore(store.writer)
    const atMs = Date.now()
    for (const { orderId } of placed) {
      await orders.writeStep({ orderId, userId, step: 1, runner: 'dead', atMs, state: 'intended' })
      await orders.writeStep({ orderId, userId, step: 2, runner: 'dead', atMs, state: 'unknown' })
    }
    const clock = createSetClock()
    clock.turn(settleMs)
    const runner = office.openRunner({ clock, settleMs })
    for (let pass = 0; pass < 3; pass++) await runner.run(never)
    const outcomes = await Promise.all(
      placed.map(async ({ orderId }) => outcomesOf(await office.read(orderId))[userId]),
    )
    expect(new Set(outcomes)).toEqual(new Set(['already', 'assigned']))
    expect(office.posts()).toBe(1)
  })

  test('again and again is given up in the end, and nothing was done', async () => {
    const [userId] = office.without(1) as [string]
    office.platform.apiFaults.next({ fault: 'failing', method: 'POST', carriedOut: false, times: 100 })
    const { orderId } = await office.place({ userIds: [userId] })
    const runner = office.openRunner({ settleMs: 0, maxTries: 3 })
    for (let i = 0; i < 6; i++) await runner.run(never)
    expect((await office.read(orderId)).people[0]).toMatchObject({ outcome: 'gave_up', tries: 3 })
    expect(office.countAtPlatform(userId)).toBe(0)
  })
})

describe('a platform that refuses', () => {
  test('the token pauses the order with a message, and a valid token resumes it', async () => {
    const userIds = office.without(2)
    const { orderId } = await office.place({ userIds })
    const refused = office.openRunner({}, { token: 'dead' })
    for (let i = 0; i < 3; i++) expect(await refused.run(never)).toEqual({ rest: 1 })
    const order = await office.read(orderId)
    expect(order).toMatchObject({ isDone: false, counts: { planned: 2 } })
    expect(order.heldUpBy).toContain('UNAUTHORIZED')
    const steps = await store.rows(
      `SELECT count() AS steps FROM rollcall.guide_order_steps WHERE user_id = ''`,
    )
    expect(steps).toEqual([{ steps: '1' }])
    await office.openRunner().run(never)
    expect(await office.read(orderId)).toMatchObject({
      isDone: true,
      heldUpBy: null,
      counts: { assigned: 2 },
    })
  })

  test('one person gives the guide to the others', async () => {
    const [one, two] = office.without(2) as [string, string]
    const { orderId } = await office.place({ userIds: ['99999', one, two] })
    await office.openRunner().run(never)
    expect(outcomesOf(await office.read(orderId))).toEqual({
      99999: 'refused',
      [one]: 'assigned',
      [two]: 'assigned',
    })
  })

  test('every call is not called again after three failures, and no call is repeated', async () => {
    const userIds = office.without(6)
    office.platform.apiFaults.next({ fault: 'cut', method: 'POST', carriedOut: true, times: 3 })
    const { orderId } = await office.place({ userIds })
    const runner = office.openRunner({ settleMs: 0 })
    expect(await runner.run(never)).toEqual({ rest: 1 })
    expect((await office.read(orderId)).counts).toEqual({ unknown: 3, planned: 3 })
    await runner.run(never)
    expect((await office.read(orderId)).counts).toEqual({ assigned: 6 })
    for (const userId of userIds) expect(office.countAtPlatform(userId)).toBe(1)
  })

  test('for a day expires the order, so that no guide arrives unexpectedly', async () => {
    const userIds = office.without(2)
    const { orderId } = await office.place({ userIds })
    const clock = createTurnedClock(Date.now() + 25 * 3_600_000)
    await office.openRunner({ clock }).run(never)
    expect((await office.read(orderId)).people.map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ['gave_up', 'EXPIRED'],
      ['gave_up', 'EXPIRED'],
    ])
    expect(office.posts()).toBe(0)
  })
})

describe('a preview', () => {
  test('says who would get it, who has it, who has left, and how many calls that is; and does nothing', async () => {
    const [free] = office.without(1) as [string]
    const holder = office.platform.guides
      .assignmentsAt(office.platform.life.now())
      .find(
        ({ record, person }) =>
          record.courseId === office.guide.id && !record.isArchived && !person.isDeleted,
      )
    const holderId = String(holder?.person.id)
    const { people } = office.platform.life.population
    const leaver = String(people.find(({ isDeleted }) => isDeleted)?.id)
    const calls = office.platform.calls.list().length
    const found = await office.orders.preview({
      guideId: office.guide.id,
      userIds: [free, holderId, leaver, free],
      again: false,
    })
    if (!found.ok) throw new Error(found.problem.code)
    const { preview } = found
    expect(preview.people.map(({ userId, plan }) => [userId, plan])).toEqual([
      [free, 'assign'],
      [holderId, 'has_guide'],
      [leaver, 'has_left'],
    ])
    expect(preview.people[1]?.assignmentId).toBe(holder?.record.id)
    expect(preview.calls).toEqual({ assign: 1, list: 1 })
    expect(preview.people[0]?.name).toBe(people.find(({ id }) => String(id) === free)?.name)
    expect(office.platform.calls.list().length).toBe(calls)
    expect(await office.orders.recent(10)).toEqual([])
  })

  test('refuses nobody and too many, and says that a guide is not known', async () => {
    const ask = async (guideId: string, userIds: string[]) => {
      const found = await office.orders.preview({ guideId, userIds, again: false })
      return found.ok ? 'ok' : found.problem.code
    }
    expect(await office.orders.preview({ guideId: 'none', userIds: ['1'], again: false })).toMatchObject({
      ok: true,
      preview: { guide: { id: 'none', isKnown: false }, isListed: true },
    })
    expect(await ask(office.guide.id, [])).toBe('nobody_to_order_for')
    const many = Array.from({ length: 501 }, (_, index) => String(index))
    expect(await ask(office.guide.id, many)).toBe('too_many_to_order_for')
  })
})
