/** Guides that were given by mistake: taken back by a DELETE whose path somebody has configured. */
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { createApi } from '../../dashboards/api/app.ts'
import { createAssigning } from '../../dashboards/assigning.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { asDescribed } from '../dashboards/api/described.ts'
import { listen, startPreview } from '../dashboards/ui/serve.ts'
import { createSetClock } from '../platform/clocks.ts'
import { serveAnswers } from '../platform/answers.ts'
import { openTestClient } from '../registration/client.ts'
import { openTestStore } from '../support/store/store.ts'
import { never, openOffice, to, type Office } from './office.ts'
import { ownReader } from '../../reporting/read/reader.ts'

const takeBackPath = '/api/v1/guides/{guide_id}/assignments/{assignment_id}'
let office: Office
const store = await openTestStore()
afterAll(() => store.close())
beforeEach(async () => {
  office = await openOffice(store, { takeBackPath })
})
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  await office.close()
})

const deletes = () =>
  office.platform.calls.list().flatMap(({ method, status }) => (method === 'DELETE' ? [status] : []))
const find = async (orderId: string, userId: string) => {
  const person = (await office.read(orderId)).people.find((one) => one.userId === userId)
  if (person === undefined) throw new Error('nobody')
  return person
}
async function give(count: number) {
  const userIds = office.without(count)
  const { orderId } = await office.place({ userIds })
  await office.openRunner().run(never)
  return { orderId, userIds }
}
async function takeBack(orderId: string, userId: string) {
  const { step } = await find(orderId, userId)
  await office.orders.takeBack(orderId, [{ userId, step }])
  return step
}

test('the chosen person loses the guide, once, and the others keep it', async () => {
  const { orderId, userIds } = await give(3)
  const [one] = userIds as [string]
  expect((await find(orderId, one)).canTakeBack).toBe(true)
  const step = await takeBack(orderId, one)
  await office.orders.takeBack(orderId, [
    { userId: one, step },
    { userId: 'stranger', step },
  ])
  expect(await office.read(orderId)).toMatchObject({ isDone: false, counts: { assigned: 2, taking_back: 1 } })
  const runner = office.openRunner()
  expect(await runner.run(never)).toEqual({ rest: 0 })
  await office.orders.takeBack(orderId, [{ userId: one, step }])
  await runner.run(never)
  expect(await office.read(orderId)).toMatchObject({ isDone: true, counts: { assigned: 2, taken_back: 1 } })
  expect(userIds.map((userId) => office.countAtPlatform(userId))).toEqual([0, 1, 1])
  // Without its Content-type the platform answers 400.
  expect(deletes()).toEqual([204])
  const again = await office.place({ userIds: [one] })
  await runner.run(never)
  expect((await office.read(again.orderId)).counts).toEqual({ assigned: 1 })
})

test('an answer that is lost is asked for again, and a guide that is gone by then was taken back', async () => {
  const { orderId, userIds } = await give(2)
  const [lost, refused] = userIds as [string, string]
  office.platform.apiFaults.next({ fault: 'cut', method: 'DELETE', carriedOut: true })
  await takeBack(orderId, lost)
  const runner = office.openRunner()
  expect(await runner.run(never)).toEqual({ rest: 1 })
  expect((await find(orderId, lost)).outcome).toBe('taking_back')
  await runner.run(never)
  expect(await find(orderId, lost)).toMatchObject({ outcome: 'taken_back', detail: 'WAS_GONE' })
  expect(deletes()).toEqual([0, 404])
  // Somebody else has removed this one: nothing of ours did.
  const { assignmentId } = await find(orderId, refused)
  office.platform.guides.remove(office.guide, assignmentId ?? '')
  await takeBack(orderId, refused)
  await runner.run(never)
  const kept = await find(orderId, refused)
  expect(kept).toMatchObject({ outcome: 'kept', canTakeBack: true })
  expect(kept.detail).toContain('NOT_FOUND')
})

test('a platform that forbids it ends it for each person', async () => {
  const { orderId, userIds } = await give(2)
  for (const userId of userIds) await takeBack(orderId, userId)
  const server = await serveAnswers(({ pathname }) =>
    pathname.endsWith('/assignments') ? { json: [] } : { status: 403, json: {} },
  )
  const platform = openTestClient(server.url, 'token', { takeBackPath })
  closing.push(
    () => server.close(),
    () => platform.close(),
  )
  expect(await office.openRunner({ platform }).run(never)).toEqual({ rest: 0 })
  for (const userId of userIds) {
    const kept = await find(orderId, userId)
    expect(kept).toMatchObject({ outcome: 'kept', canTakeBack: true })
    expect(kept.detail).toContain('FORBIDDEN')
  }
})

test('it ends after a day, and can be asked for again', async () => {
  const { orderId, userIds } = await give(2)
  const [one, two] = userIds.toSorted() as [string, string]
  for (const userId of userIds) await takeBack(orderId, userId)
  const clock = createSetClock()
  const runner = office.openRunner({ clock })
  office.platform.apiFaults.next({ fault: 'unauthorized', method: 'DELETE' })
  expect(await runner.run(never)).toEqual({ rest: 1 })
  clock.turn(25 * 3_600_000)
  expect(await runner.run(never)).toEqual({ rest: 0 })
  expect(await find(orderId, one)).toMatchObject({ outcome: 'kept', detail: 'UNAUTHORIZED' })
  expect(await find(orderId, two)).toMatchObject({ outcome: 'kept', detail: 'EXPIRED' })
  await takeBack(orderId, one)
  await runner.run(never)
  expect((await find(orderId, one)).outcome).toBe('taken_back')
  expect(deletes()).toEqual([401, 204])
})

test('of several processes one deletes', async () => {
  const { orderId, userIds } = await give(3)
  for (const userId of userIds) await takeBack(orderId, userId)
  const runners = [1, 2, 3].map(() => office.openRunner())
  for (let round = 0; round < 20 && !(await office.read(orderId)).isDone; round++) {
    await Promise.all(runners.map((runner) => runner.run(never)))
    await runners[round % 3]?.run(never)
  }
  expect((await office.read(orderId)).counts).toEqual({ taken_back: 3 })
  expect(deletes()).toEqual([204, 204, 204])
})

test('is off without a path, and for who got the guide otherwise', async () => {
  const { orderId, userIds } = await give(1)
  const [one] = userIds as [string]
  const second = await office.place({ userIds: [one] })
  await office.openRunner().run(never)
  expect(await find(second.orderId, one)).toMatchObject({ outcome: 'already', canTakeBack: false })
  await takeBack(second.orderId, one)
  await takeBack(orderId, one)
  // The setting was removed meanwhile.
  await office.openRunner({ platform: openTestClient(office.platform.baseUrl, 'platform-token') }).run(never)
  expect(await find(orderId, one)).toMatchObject({ outcome: 'kept', detail: 'NO_TAKE_BACK' })
  expect([office.countAtPlatform(one), deletes().length]).toEqual([1, 0])
})

test('ids cannot leave their place in the path, and Content-type is sent', async () => {
  const server = await serveAnswers([{ status: 204 }])
  const client = openTestClient(server.url, 'token', {
    takeBackPath: '/rest/{guide_id}/of/{user_id}?why={assignment_id}',
  })
  closing.push(
    () => server.close(),
    () => client.close(),
  )
  await client.deleteGuideAssignment?.({ guideId: 'a/../b', userId: 'x?y#z', assignmentId: '&{user_id}' })
  expect(server.calls).toEqual(['DELETE /rest/a%2F..%2Fb/of/x%3Fy%23z?why=%26%7Buser_id%7D'])
  expect(server.headers[0]).toMatchObject({
    'content-type': 'application/json',
    authorization: 'Bearer token',
  })
  const out = client.deleteGuideAssignment?.({ guideId: '..', userId: 'x', assignmentId: 'y' })
  await expect(out).rejects.toMatchObject({ code: 'REFUSED' })
  expect(server.calls).toHaveLength(1)
})

test('the page and the API offer it for whom it is possible', async () => {
  const { orderId, userIds } = await give(2)
  const [one, two] = userIds as [string, string]
  const queries = createQueries(ownReader(store.reader))
  const assigning = createAssigning(office.orders, queries)
  const settings = { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' } as const
  const api = asDescribed(createApi({ queries, settings, clock: () => to, assigning }))
  const pages = await listen(await startPreview({ deps: { assigning, clock: () => to } }))
  closing.push(() => pages.stop())
  const text = await (await fetch(`${pages.url}/assign/orders/${orderId}`)).text()
  expect(text).toContain('Take it back')
  const person = new RegExp(`name="person" value="(\\d+/${one})"`).exec(text)?.[1] ?? ''
  const pressed = await fetch(`${pages.url}/assign/orders/${orderId}/withdrawals`, {
    method: 'POST',
    body: new URLSearchParams({ person }),
    redirect: 'manual',
  })
  expect(pressed.status).toBe(303)
  const { step } = await find(orderId, two)
  const answer = await api.request(`/guide-orders/${orderId}/withdrawals`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ people: [{ user_id: two, step }] }),
  })
  expect([answer.status, ((await answer.json()) as { counts: unknown }).counts]).toEqual([
    200,
    { taking_back: 2 },
  ])
  await office.openRunner().run(never)
  expect([one, two].map((userId) => office.countAtPlatform(userId))).toEqual([0, 0])
  const done = await (await fetch(`${pages.url}/assign/orders/${orderId}`)).text()
  expect(done).toContain('Done: 2 taken back.')
  expect(done).not.toContain('Take it back')
})
