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
import { filledNow, ids } from '../filled-company.ts'
import { startPreview } from './serve.ts'

const format = createFormat({ locale: 'en-GB', timeZone: 'UTC', now: filledNow })

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
  const read = async (path: string) => (await get(path)).text()
  const findGuide = async () => /name="guide" value="([^"]+)"/.exec(await read('/guides'))?.[1] ?? ''

  test('has a form whose fields are the active filters; a manager from a link is chosen, though not listed', async () => {
    const guide = await findGuide()
    const html = await read(`/guides?guide=${guide}&manager=nobody`)
    expect(html).toContain(`<input type="checkbox" name="guide" value="${guide}" checked`)
    expect(html).toMatch(/<input type="checkbox" name="manager" value="nobody" checked/)
    expect(html).toContain(`<input type="checkbox" name="manager" value="${ids.manager}"/>`)
    expect(html).toContain('reports of nobody')
    const only = await read('/guides?without=team')
    expect(only).toContain('Only people without a team.')
    expect(only).not.toContain('Unknown')
  })

  test('its rankings are files that say their filters', async () => {
    const csv = await get(`/guides/by-guide.csv?team=${ids.team}`)
    expect(csv.headers.get('content-disposition')).toContain(
      `guides-by-guide_as-of-2026-11-20T1305Z_team-${ids.team}.csv`,
    )
    expect((await csv.text()).split('\r\n').length).toBeGreaterThan(2)
    const sheet = await (await get(`/guides/rows.xlsx?guide=${await findGuide()}&show=on_time`)).arrayBuffer()
    const { sheets } = await readXlsx(new Uint8Array(sheet))
    expect(sheets[0]?.rows[0]?.[0]).toMatch(/Filters: Guide .+; Status completed on time\.$/)
    expect((await get('/guides/nothing.csv')).status).toBe(404)
  })
})
