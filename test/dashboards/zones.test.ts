/** Days are those of Node's time zones: in pages, the API, the analysts' views and the SQL that explains a number. */
import { afterAll, expect, test } from 'vitest'
import { runChecks } from '../../services/cli/doctor/check.ts'
import { storeChecks } from '../../services/cli/doctor/checks-of-store.ts'
import { parseConfig } from '../../services/config/config.ts'
import { storeSettings, toZoneSetting } from '../../services/clickhouse/stored-settings.ts'
import { toBody } from '../support/data/records.ts'
import { toContents } from '../support/data/store-bodies.ts'
import { openAnalystEndpoint, openStoreDashboards, runSql, type StoreDashboards } from './store-dashboards.ts'

const createdAt = Date.UTC(2026, 9, 1)
const toAssignment = (id: string, dueDate: number) =>
  toBody('Created', id, createdAt, { createdAt, challengeId: id, dueDate })
const contents = toContents([
  // The beginning of 20 November in Vancouver, which does not set its clocks back in 2026 any more.
  toAssignment('vancouver', Date.UTC(2026, 10, 20, 7)),
  // Half an hour before the end of that day in Casablanca, which is at UTC since September 2026.
  toAssignment('casablanca', Date.UTC(2026, 10, 20, 23, 30)),
  toAssignment('new-york', 3_600_000),
])
/** A process has one engine. */
let opened: StoreDashboards | undefined
afterAll(() => opened?.close())

/** `isInStore`: the rules of the zone are in the store, as a start leaves them there. */
async function open(zone: string, now: number, isInStore: boolean) {
  await opened?.close()
  opened = await openStoreDashboards({ now, contents, more: { timeZone: zone, dueZone: zone } })
  const { store, get } = opened
  if (isInStore) await storeSettings(store.writer, toZoneSetting(zone))
  const endpoint = await openAnalystEndpoint(store)
  const view = `assignments_as_of(as_of = '${new Date(now).toISOString().slice(0, 19).replace('T', ' ')}',
    due_zone = '${zone}', due_end = 'end_of_day', due_soon_days = 7)`
  const explain = async (query: string) =>
    JSON.parse(await get(`/api/metrics/explain?metric=overdue&${query}`)) as { value: unknown; sql: string }
  const run = (sql: string) => runSql(endpoint, sql)
  return {
    store,
    get,
    explain,
    run,
    /** An assignment as each of them counts it: whether it is overdue, its due day, and since when it is overdue. */
    async read(id: string) {
      const { assignments } = JSON.parse(await get(`/api/assignments?challenge=${id}`)) as {
        assignments: { overdue: boolean; due_day: string }[]
      }
      const { value, sql } = await explain(`challenge=${id}`)
      return {
        page: !(await get(`/overdue?challenge=${id}`)).includes('No one is overdue.'),
        api: [assignments[0]?.overdue, assignments[0]?.due_day],
        explained: [value, ...(await run(sql))],
        view: await run(`SELECT overdue, due_day, overdue_spans.began_at AS began FROM ${view}
          WHERE assignment_id = '${id}'`),
      }
    },
  }
}

const zones = [
  { zone: 'America/Vancouver', id: 'vancouver', noon: 19, began: '2026-11-21 07:00:00.000' },
  { zone: 'Africa/Casablanca', id: 'casablanca', noon: 12, began: '2026-11-21 00:00:00.000' },
]

test.each(zones)(
  '$zone: the end of a due day is the same in page, API, view and explanation',
  async (each) => {
    const { zone, id, noon, began } = each
    for (const [day, isOverdue] of [
      [20, false],
      [21, true],
    ] as const) {
      const { read } = await open(zone, Date.UTC(2026, 10, day, noon), true)
      const value = isOverdue ? 1 : 0
      expect(await read(id)).toEqual({
        page: isOverdue,
        api: [isOverdue, '2026-11-20'],
        explained: [{ value }, { value }],
        view: [{ overdue: isOverdue, due_day: '2026-11-20', began: isOverdue ? [began] : [] }],
      })
    }
  },
)

test('a due day of 1969 is the same in page, API, view and explanation', async () => {
  const { get, read, explain, run } = await open('America/New_York', createdAt, true)
  expect(await read('new-york')).toMatchObject({
    page: true,
    api: [true, '1969-12-31'],
    explained: [{ value: 1 }, { value: 1 }],
    view: [{ overdue: true, due_day: '1969-12-31' }],
  })
  expect(await get('/assignments?due_to=1969-12-31')).toContain('new-york')
  for (const [window, value] of [
    ['due_to=1969-12-31', 1],
    ['due_to=1969-12-30', 0],
    ['due_from=1970-01-01&due_to=1970-12-31', 0],
  ] as const) {
    const explained = await explain(window)
    expect([explained.value, ...(await run(explained.sql))], window).toEqual([{ value }, { value }])
  }
})

test('where the rules are not in the store, pages and API keep to Node, and what differs is named', async () => {
  const { store, get, read, explain } = await open('America/Vancouver', Date.UTC(2026, 10, 20, 19), false)
  const { page, api } = await read('vancouver')
  expect([page, api]).toEqual([false, [false, '2026-11-20']])
  const { sql } = await explain('challenge=vancouver')
  expect(sql).toContain('different rules for the time zone America/Vancouver from 2026-11-01 on')
  expect(sql).toContain('tzdata')
  expect(await get('/data')).toContain('Views can count days in America/Vancouver differently from pages')

  const parsed = parseConfig({ DUE_ZONE: 'America/Vancouver' })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  const facts = { config: parsed.config, client: store.reader, now: createdAt }
  const zoneFindings = async () =>
    (await runChecks(storeChecks, facts)).filter(({ code }) => code === 'zone_rules')
  expect(await zoneFindings()).toMatchObject([
    { severity: 'warning', what: expect.stringContaining('America/Vancouver from 2026-11-01') },
  ])
  await storeSettings(store.writer, toZoneSetting('America/Vancouver'))
  expect(await zoneFindings()).toEqual([])
  expect(await get('/data')).not.toContain('differently from pages')
  expect((await explain('challenge=vancouver')).sql).not.toContain('tzdata')
})

test('a zone that the engine does not know is named, and nothing refuses to start', async () => {
  const { get, explain } = await open('America/Coyhaique', Date.UTC(2026, 10, 20, 19), true)
  expect(JSON.parse(await get('/api/metrics'))).toMatchObject({ due_zone: 'America/Coyhaique' })
  expect((await explain('')).sql).toContain('ClickHouse does not know the time zone America/Coyhaique.')
  expect(await get('/data')).toContain('America/Coyhaique')
})
