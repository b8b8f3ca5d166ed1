/** The Guides page by need: ranking, findings, files. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DashboardsApp } from '../../../dashboards/app.ts'
import { createFormat } from '../../../language/format.ts'
import { guidesFinding, type GuideLine } from '../../../dashboards/pages/guides/tables.tsx'
import { toGuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import { filledNow } from '../filled-company.ts'
import { startPreview } from './serve.ts'

const format = createFormat({ locale: 'en-GB', timeZone: 'UTC', now: filledNow })

function line(name: string, completed: number, open: number, late: number): GuideLine {
  return {
    id: name,
    name,
    ...toGuideMetrics([
      { completed: true, outcome: 'on_time', count: completed },
      { completed: false, outcome: 'not_due_yet', count: open },
      { completed: false, outcome: 'overdue', count: late },
    ]),
  }
}

test('names the most overdue, and never ranks a few', () => {
  const lines = [line('tiny', 1, 0, 8), line('late', 60, 10, 30), line('slow', 5, 95, 0)]
  expect(guidesFinding(lines, format)).toBe('Most overdue: late, 30 of 40 open.')
  expect(guidesFinding([line('done', 90, 10, 0)], format)).toBe('Nothing is overdue.')
  expect(guidesFinding([line('tiny', 1, 0, 8)], format)).toContain('Not enough data to rank yet')
})

describe('the page', () => {
  let dashboards: DashboardsApp
  beforeAll(async () => {
    dashboards = await startPreview()
  })
  afterAll(() => dashboards.close())
  const get = (path: string) => dashboards.app.request(path)
  const read = async (path: string) => (await get(path)).text()
  const findGuide = async () => /href="\/guides\?guide=([^"&]+)"/.exec(await read('/guides'))?.[1] ?? ''

  test('shows the filters that it applies, each number once, and the way to its rows', async () => {
    const guide = await findGuide()
    const html = await read(`/guides?guide=${guide}&without=team&challenge=c-001&as_of=2026-01-01`)
    expect(html).toMatch(/<span class="chip-label">Guide:<\/span> <bdi>/)
    expect(html).not.toContain(`<bdi>${guide}</bdi>`)
    expect(html).not.toContain('id="menu-challenge"')
    expect(html).not.toContain('id="menu-moment"')
    const all = await read('/guides?challenge=c-001&as_of=2026-01-01')
    expect(all.match(/class="headline"/g)).toHaveLength(3)
    const links = [...all.matchAll(/href="\/guides\?([^"#]*)#rows"/g)].map(([, query = '']) => query)
    expect(links.length).toBeGreaterThan(5)
    for (const link of links) expect(link).toMatch(/challenge=c-001.*as_of=2026-01-01.*show=/)
  })
})
