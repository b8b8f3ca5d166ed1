/** Assignments with more events than a page shows. */
import { afterAll, expect, test } from 'vitest'
import { day, monday, toBody } from '../support/data/records.ts'
import { toContents } from '../support/data/store-bodies.ts'
import { openStoreDashboards } from './store-dashboards.ts'

const eventsOfOne = 1_000
const minute = 60_000
const user = { id: 7, name: 'Ada Moreno' }
/** Every event moves the due date, so each is a step as well. */
const tell = (id: string, events: number) =>
  Array.from({ length: events }, (_, at) =>
    toBody(
      at === 0 ? 'Created' : 'Progress',
      id,
      monday + at * minute,
      { dueDate: monday + (10 + (at % 2)) * day },
      user,
    ),
  )
const company = await openStoreDashboards({
  now: monday + 2 * day,
  contents: toContents(tell('long', eventsOfOne)),
})
afterAll(() => company.close())

test('a page shows 200 events, the newest first, and the next pages lead to the first', async () => {
  const shown: string[] = []
  let pages = 0
  for (let path: string | undefined = '/assignments/long'; path !== undefined; pages++) {
    const html = await company.get(path.replaceAll('&amp;', '&'))
    const ids = [...html.matchAll(/<time id="event-(\w+)"/g)].map(([, id = '']) => id)
    expect(ids).toHaveLength(200)
    // Each step leads to an event of this page.
    for (const [, id = ''] of html.matchAll(/href="#event-(\w+)"/g)) expect(ids).toContain(id)
    shown.push(...ids)
    path = /<a class="pill" href="([^"]+)" rel="next"/.exec(html)?.[1]
  }
  expect([pages, new Set(shown).size]).toEqual([5, eventsOfOne])
})

test('the API gives the last 200 events, and the address of the older ones', async () => {
  type Answer = { events: { event_id: string }[]; lives: { events: number }[]; older: string | null }
  const told: string[] = []
  for (let path: string | null = '/api/assignments/long'; path !== null;) {
    const answer: Answer = JSON.parse(await company.get(path)) as Answer
    expect([answer.events.length, answer.lives[0]?.events]).toEqual([200, eventsOfOne])
    told.unshift(...answer.events.map(({ event_id }) => event_id))
    path = answer.older
  }
  expect(new Set(told).size).toBe(eventsOfOne)
})
