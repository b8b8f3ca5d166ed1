/** Every number of the Overdue and Grading pages that is a link, over a real store: it equals its rows, whatever the filters. */
import { afterAll, expect, test } from 'vitest'
import { sampleHistory } from '../model/arbitrary/apart.ts'
import { loadHistory } from '../support/data/history.ts'
import { openStoreDashboards } from './store-dashboards.ts'

const now = Date.UTC(2026, 3, 8, 22)

const opened = await openStoreDashboards({
  now,
  fill: ({ writer }) => loadHistory(writer, sampleHistory(60, 6), 200),
})
afterAll(() => opened.close())

const get = (path: string) => opened.get(path)
const toNumber = (text: string) => Number(text.replaceAll(',', ''))

async function countRows(link: string): Promise<number> {
  const [path = '', query = ''] = (link.split('#')[0] ?? '').split('?')
  if (path === '/assignments') {
    const answer = JSON.parse(await get(`/api/assignments?${query}&per_page=1`)) as { total: number }
    return answer.total
  }
  const html = await get(`${path}?${query}`)
  // The list on the same page: people of one manager with their sum, or the assignments themselves.
  if (path === '/overdue') return toNumber(/([\d,]+) overdue assignments?/.exec(html)?.[1] ?? '0')
  const csv = await get(`/grading/queue.csv?${query}`)
  return csv.trim().split('\r\n').length - 1
}

test.each([
  ['/overdue?fact=open&include_leavers=true', 10],
  ['/overdue?as_of=2026-03-20T10:00:00Z&due_end=instant', 5],
  ['/overdue?show=due&as_of=2026-03-20T10:00:00Z', 0],
  ['/grading?fact=submitted&period=month', 8],
  ['/grading?as_of=2026-03-20T10:00:00Z&tz=Asia/Kathmandu', 5],
])('%s', { timeout: 0 }, async (path, fewest) => {
  const html = (await get(path)).replaceAll('&amp;', '&')
  // Numbers, not names of people that are digits only.
  const links = [
    ...html.matchAll(/(?:<a class="count"|<td class="number"><a) href="([^"]+)"(?: [a-z-]+="[^"]*")*>([\d,]+)</g),
  ]
  expect(links.length).toBeGreaterThan(fewest)
  const counted = new Map<string, number>()
  for (const [, link = '', shown = ''] of links) {
    const rows = counted.get(link) ?? (await countRows(link))
    counted.set(link, rows)
    expect([link, rows]).toEqual([link, toNumber(shown)])
  }
})
