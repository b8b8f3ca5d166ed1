/** The Guides page by need: ranking, findings, files. */
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DashboardsApp } from '../../../dashboards/app.ts'
import { createFormat } from '../../../language/format.ts'
import {
  guidesFinding,
  guidesLead,
  rankByNeed,
  type GuideLine,
} from '../../../dashboards/pages/guides/words.ts'
import { toGuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import { fixtureNow } from './fixture.ts'
import { startPreview } from './serve.ts'

const format = createFormat({ locale: 'en-GB', timeZone: 'UTC', now: fixtureNow })

function line(name: string, completed: number, open: number, late: number): GuideLine {
  const facts = {
    guideId: name,
    teams: [],
    dueKnown: true,
    completedAtKnown: true,
    completedInTime: true,
    unseen: false,
  }
  return {
    id: name,
    name,
    metrics: toGuideMetrics([
      { ...facts, completed: true, late: false, count: completed },
      { ...facts, completed: false, late: false, count: open },
      { ...facts, completed: false, late: true, count: late },
    ]),
  }
}

describe('by need', () => {
  const lines = [
    line('done', 90, 10, 0),
    line('late', 60, 10, 30),
    line('slow', 5, 95, 0),
    line('tiny', 1, 0, 8),
  ]

  test('most overdue comes first, then what is completed least; what is too small is not ranked', () => {
    const { ranked, few } = rankByNeed(lines)
    expect(ranked.map(({ name }) => name)).toEqual(['late', 'slow', 'done'])
    expect(few.map(({ name }) => name)).toEqual(['tiny'])
  })

  test('the finding names both with n, and never ranks a few', () => {
    expect(guidesFinding(lines, 'guide', format)).toBe(
      'late has most overdue: 30 of 40 not completed. Lowest completion: slow, 5% of 100.',
    )
    expect(guidesFinding([line('tiny', 1, 0, 8)], 'team', format)).toBe(
      'No team has 10 assignments, too few to rank.',
    )
    expect(guidesFinding([], 'team', format)).toBe('No team in this scope.')
    expect(guidesFinding([{ ...line('No team', 5, 8, 7), id: null }], 'team', format)).toBe(
      'People without a team have most overdue: 7 of 15 not completed. Lowest completion: people without a team, 25% of 20.',
    )
    expect(guidesLead(line('x', 60, 10, 30).metrics)).toBe(
      '60 of 100 guide assignments are completed; 30 of the other 40 are overdue.',
    )
  })
})

describe('the page', () => {
  let dashboards: DashboardsApp
  beforeAll(async () => {
    dashboards = await startPreview()
  })
  afterAll(() => dashboards.close())
  const get = (path: string) => dashboards.app.request(path)

  test('has a form whose fields are what is in force; a manager from a link is chosen in the picker, though not listed', async () => {
    const html = await (await get('/guides?guide=g1&manager=7')).text()
    expect(html).toMatch(/<input type="checkbox" name="guide" value="g1" checked/)
    expect(html).toMatch(/<input type="checkbox" name="manager" value="7" checked/)
    expect(html).toMatch(/<input type="checkbox" name="manager" value="70"\/><bdi>Ada Moreno/)
    expect(html).toContain('The 2 managers with the most direct reports.')
    expect(html).toContain('reports of 7')
  })

  test('“No team” opens its people, and its numbers their rows', async () => {
    const html = await (await get('/guides?guide=g1')).text()
    expect(html).toContain('<a href="/guides?guide=g1&amp;without=team" dir="auto">No team</a>')
    expect(html).toMatch(/href="\/guides\?guide=g1&amp;without=team&amp;show=assigned#rows"/)
    const only = await (await get('/guides?without=team')).text()
    expect(only).toContain('Only people without a team.')
    expect(only).not.toContain('Unknown')
  })

  test('its rankings are files that say their filters', async () => {
    const csv = await get('/guides/by-guide.csv?team=north')
    expect(csv.headers.get('content-disposition')).toContain(
      'guides-by-guide_as-of-2026-11-20T1305Z_team-north.csv',
    )
    expect((await csv.text()).split('\r\n')).toHaveLength(4)
    const sheet = await (await get('/guides/rows.xlsx?guide=g1&show=on_time')).arrayBuffer()
    const { sheets } = await readXlsx(new Uint8Array(sheet))
    expect(sheets[0]?.rows[0]?.[0]).toMatch(/Filters: Guide .+; Status completed on time\.$/)
    expect((await get('/guides/nothing.csv')).status).toBe(404)
  })
})
