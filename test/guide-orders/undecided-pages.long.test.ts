/** The pages and the API where the platform lists neither guides nor who has them. */
import { afterAll, expect, test } from 'vitest'
import { createApi } from '../../dashboards/api/app.ts'
import { createAssigning } from '../../dashboards/assigning.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createLife } from '../../sample-platform/company/life.ts'
import { asDescribed } from '../dashboards/api/described.ts'
import { listen, startPreview } from '../dashboards/ui/serve.ts'
import { toBatch, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { until } from '../support/wait.ts'
import { from, never, openOffice, to } from './office.ts'
import { ownReader } from '../../reporting/read/reader.ts'

type Answer = any

const store = await openTestStore()
const events = [...createLife({ seed: 'orders', from, people: 40, eventForm: 'specification' }).next(to)]
await createConsumer({ client: store.writer }).handle(
  toBatch(events.map(({ body }, offset) => toRecord(Buffer.from(body), offset))),
)
const office = await openOffice(store, { dialect: 'specification' })
const queries = createQueries(ownReader(store.reader))
const assigning = createAssigning(office.orders, queries)
const clock = () => to
const settings = { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' } as const
const api = asDescribed(createApi({ queries, settings, clock, assigning }))
const pages = await listen(await startPreview({ deps: { assigning, clock } }))
afterAll(async () => {
  await pages.stop()
  await office.close()
  await store.close()
})

const get = async (path: string) => (await fetch(`${pages.url}${path}`)).text()
const post = (path: string, fields: [string, string][]) =>
  fetch(`${pages.url}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const send = async (path: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await api.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, json: (await answer.json()) as Answer }
}

/** An order for one person whose answer is lost. */
async function lose(orderId: string) {
  const [userId] = office.without(1) as [string]
  await office.place({ orderId, userIds: [userId] })
  office.platform.apiFaults.next({ fault: 'cut', method: 'POST', carriedOut: true })
  await office.openRunner().run(never)
  return userId
}

test('a guide is typed by its id, and the page says what nobody can know', async () => {
  // A guide that the platform does not list is written beside the calls.
  const start = await until(
    () => get('/assign?fact=overdue'),
    (text) => text.includes('The platform does not list its guides'),
  )
  expect(start).toContain('name="guide_id"')
  expect(start).not.toContain('<select name="guide"')
  await office.place({ userIds: office.without(1) })
  await office.openRunner().run(never)
  const preview = await until(
    () => get(`/assign?fact=overdue&guide_id=%20${office.guide.id}%20`),
    (text) => text.includes('does not list who has this guide'),
  )
  expect(preview).toContain(`“${office.guide.id}”`)
  expect(preview).toContain(`name="guide" value="${office.guide.id}"`)
  expect(await get('/assign?fact=overdue&guide_id=%3Cscript%3Ealert(1)%3C/script%3E')).not.toContain(
    '<script>alert',
  )
  expect(await get('/assign?fact=overdue&guide_id=..')).toContain('The id of a guide has 1 to 200 characters')
})

test('a person decides on the page: marks it as given, or orders it again and is told that it may be there twice', async () => {
  const userId = await lose('on-page')
  const text = await get('/assign/orders/on-page')
  expect(text).toContain('Done: 1 unknown: no answer.')
  expect(text).toContain('may be there twice')
  const value = /name="person" value="([^"]+)"/.exec(text)?.[1] ?? ''
  expect(value).toMatch(new RegExp(`^\\d+/${userId}$`))
  const decide = (decision: string) =>
    post('/assign/orders/on-page/decisions', [
      ['person', value],
      ['decision', decision],
    ])
  expect((await decide('destroy')).status).toBe(400)
  expect((await post('/assign/orders/none/decisions', [['decision', 'again']])).status).toBe(404)
  expect(
    (
      await post('/assign/orders/on-page/decisions', [
        ['decision', 'again'],
        ['person', 'x'],
      ])
    ).status,
  ).toBe(303)
  expect((await office.read('on-page')).counts).toEqual({ unknown: 1 })
  expect((await decide('again')).status).toBe(303)
  await office.openRunner().run(never)
  expect(office.countAtPlatform(userId)).toBe(2)
  expect((await decide('again')).status).toBe(303)
  await office.openRunner().run(never)
  expect(office.countAtPlatform(userId)).toBe(2)
  const done = await get('/assign/orders/on-page')
  expect(done).toContain('Done: 1 given, not verified.')
  expect(done).not.toContain('name="decision"')
})

test('by the API as well', async () => {
  const userId = await lose('by-api')
  const order = (await (await api.request('/guide-orders/by-api')).json()) as Answer
  const [person] = order.people
  expect(person).toMatchObject({ outcome: 'unknown', needs_decision: true })
  const people = [{ user_id: userId, step: person.step }]
  expect((await send('/guide-orders/none/decisions', { decision: 'given', people })).status).toBe(404)
  expect((await send('/guide-orders/by-api/decisions', { decision: 'given', people: [] })).status).toBe(400)
  const { status, json } = await send('/guide-orders/by-api/decisions', { decision: 'given', people })
  expect([status, json.counts, json.people[0].detail]).toEqual([200, { given: 1 }, 'MARKED_GIVEN'])
  const preview = await send('/guide-orders/preview', { guide_id: office.guide.id, user_ids: [userId] })
  expect(preview.json).toMatchObject({
    listed: false,
    guide: { known: false },
    people: [{ plan: 'has_guide' }],
  })
})
