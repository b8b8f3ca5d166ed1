/** Giving people a guide from the pages, over a real store and the stand-in platform. */
import { afterAll, describe, expect, test } from 'vitest'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { toOrdersTask } from '../../services/guide-orders/orders-task.ts'
import { openRunner } from '../../services/runtime/runner.ts'
import { Life } from '../../sample-platform/company/life.ts'
import { listen, startPreview } from '../dashboards/ui/serve.ts'
import { toBatch, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { from, openOffice, to } from './office.ts'
import { until } from '../support/wait.ts'

const store = await openTestStore()
const consumer = createConsumer({ client: store.writer })
const events = [...new Life({ seed: 'orders', from, people: 40 }).next(to)]
await consumer.handle(toBatch(events.map(({ body }, offset) => toRecord(Buffer.from(body), offset))))
const office = await openOffice(store)
const worker = openRunner({
  // Each look is a statement, which is processor time that the pages need.
  tasks: [toOrdersTask(office.openRunner(), 250)],
  onError: (error) => {
    throw error
  },
})
const { orders } = office
const clock = () => to
const pages = await listen(await startPreview({ store, deps: { orders }, clock }))
afterAll(async () => {
  await pages.stop()
  await worker.close()
  await office.close()
  await store.close()
})

const get = async (path: string) => {
  const answer = await fetch(`${pages.url}${path}`, { redirect: 'manual' })
  return { status: answer.status, text: await answer.text() }
}
const post = (path: string, body: URLSearchParams, headers: Record<string, string> = {}) =>
  fetch(`${pages.url}${path}`, { method: 'POST', body, headers, redirect: 'manual' })

/** The fields of the form that places the order, as a browser would send them. */
function readForm(page: string): URLSearchParams {
  const form = /<form method="post" action="\/assign\/orders"[\s\S]*?<\/form>/.exec(page)?.[0] ?? ''
  const fields = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  return new URLSearchParams(
    [...fields].map(([, name = '', value = '']): [string, string] => [name, value.replaceAll('&amp;', '&')]),
  )
}

describe('the page', () => {
  test('is about the people of now and leads back to their rows', async () => {
    const people = (text: string) => /(\d+) (?:person|people) with/.exec(text)?.[1]
    const { text } = await get('/assign?fact=overdue&metric=overdue&part=value&as_of=2026-01-05')
    expect(/href="(\/assignments\?[^"]*)">Back/.exec(text)?.[1]).toContain('as_of=2026-01-05')
    expect(people(text)).toBe(people((await get('/assign?fact=overdue')).text))
  })

  test('takes the selected people of a list', async () => {
    const { text: list } = await get('/assignments?fact=overdue')
    expect(list).toContain('formaction="/assign"')
    const [, id = ''] = /name="user" value="([^"]*)"/.exec(list) ?? []
    expect((await get(`/assign?fact=overdue&user=${id}`)).text).toMatch(/1 person with \d+ assignment/)
  })

  test('goes from the late ones by a preview to an order, and shows what came of everyone', async () => {
    const posted = office.posts()
    const start = await get('/assign?fact=overdue')
    expect(start.text).toMatch(/\d+ (person|people) with \d+ assignments?, as of now/)
    expect(start.text).toContain(office.guide.title)
    const preview = await get(`/assign?fact=overdue&guide=${office.guide.id}&due=2026-12-01`)
    expect(preview.text).toMatch(/\d+ (person gets|people get) “/)
    expect(office.posts()).toBe(posted)
    const fields = readForm(preview.text)
    const userIds = fields.getAll('user')
    expect(userIds.length).toBeGreaterThan(2)
    const before = userIds.map((userId) => office.countAtPlatform(userId))
    // Pressed twice.
    const [first, second] = await Promise.all([
      post('/assign/orders', fields),
      post('/assign/orders', fields),
    ])
    expect([first.status, second.status]).toEqual([303, 303])
    expect(first.headers.get('location')).toBe(second.headers.get('location'))
    const order = await until(
      () => get(first.headers.get('location') ?? ''),
      ({ text }) => text.includes('Done:'),
    )
    expect(order.text).toContain(`${userIds.length} assigned`)
    expect(order.text).toContain('due 1 Dec 2026')
    expect(userIds.map((userId) => office.countAtPlatform(userId))).toEqual(before.map((count) => count + 1))
    expect((await get('/assign')).text).toContain(`${userIds.length} assigned`)
  })

  test('offers to repeat a call without an answer', async () => {
    const userIds = office.without(2)
    office.platform.apiFaults.next({ fault: 'cut', method: 'POST', carriedOut: false, times: 2 })
    await office.place({ orderId: 'lost', userIds })
    const read = (done: string) =>
      until(
        () => get('/assign/orders/lost'),
        ({ text }) => text.includes(done),
      )
    const { text } = await read('Done: 2 no answer.')
    expect(text).toContain('may be assigned twice')
    const again = '/assign/orders/lost/again'
    expect((await post(again, new URLSearchParams({ person: userIds[0]! }))).status).toBe(303)
    await read('Done: 1 assigned, 1 no answer.')
    expect((await post(again, new URLSearchParams())).status).toBe(303)
    expect((await read('Done: 2 assigned.')).text).not.toContain('Ask again')
    expect((await post('/assign/orders/none/again', new URLSearchParams())).status).toBe(404)
  })

  test('takes a guide by its ID, and lists who gets it and who does not', async () => {
    const { text } = await get(`/assign?guide=%20${office.guide.id}%20`)
    expect(text).toContain(`name="guide" value="${office.guide.id}"`)
    expect(text).toMatch(/>gets it<\/td>.*>has it<\/td>/s)
    const script = await get('/assign?fact=overdue&guide=%3Cscript%3Ealert(1)%3C/script%3E')
    expect(script.text).not.toContain('<script>alert')
    expect((await get('/assign?fact=overdue&guide=..')).text).toContain(
      'The id of a guide has 1 to 200 characters',
    )
  })

  test('shows no button when no person is left, and says so', async () => {
    const { text } = await get(`/assign?user=nobody&guide=${office.guide.id}`)
    expect(text).toContain('No one on this list can get a guide.')
    expect(text).not.toContain('action="/assign/orders"')
  })

  test('takes no order from another site, and none that makes no sense', async () => {
    const fields = new URLSearchParams({ order_id: 'x', guide: office.guide.id, user: '20001' })
    expect((await post('/assign/orders', fields, { origin: 'https://evil.example.com' })).status).toBe(403)
    for (const due of ['soon', '2026-02-30']) {
      fields.set('due', due)
      expect((await post('/assign/orders', fields)).headers.get('location')).toBe('/assign')
    }
    for (const wrong of [
      {},
      { guide: '..', user: '1' },
      { guide: office.guide.id, user: '1', due: '1969-07-20' },
    ]) {
      const sent = new URLSearchParams({ order_id: 'y', ...wrong })
      expect((await post('/assign/orders', sent)).headers.get('location')).toBe('/assign')
    }
    expect((await get('/assign/orders/x')).status).toBe(404)
  })

  test('is not there, and nothing links to it, where it is not offered', async () => {
    const without = await listen(await startPreview({ store }))
    const offering = await listen(await startPreview({ store, deps: { orders } }))
    try {
      expect((await fetch(`${without.url}/assign`)).status).toBe(404)
      expect(await (await fetch(`${without.url}/assignments`)).text()).not.toMatch(/href="\/assign[?"]/)
      expect(await (await fetch(`${offering.url}/assignments`)).text()).toMatch(/href="\/assign[?"]/)
    } finally {
      await without.stop()
      await offering.stop()
    }
  })
})
