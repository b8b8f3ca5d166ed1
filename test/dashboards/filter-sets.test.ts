/**
 * Random sets of filters: the pages, CSV, XLSX, `/api/metrics` and the SQL beside the figures say the same. Page and file of a
 * table are one declaration, so their numbers are compared with the API.
 */
import * as fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, expect, test } from 'vitest'
import { agingBuckets, effectiveStatuses, type MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { rowOnly } from '../../dashboards/scope/follow.ts'
import { scopeFacts } from '../../schemas/metrics/scope.ts'
import { openAnalystEndpoint, runSql, openCompanyDashboards } from './store-dashboards.ts'
import { countLines } from './links-walk.ts'
import { readScreen, type Screen } from './read-screen.ts'

const company = await openCompanyDashboards()
const endpoint = await openAnalystEndpoint(company.store)
afterAll(async () => {
  await company.close()
  if (totals.length < sets.length) return
  // Enough of the sets held something.
  expect(totals.filter((total) => total > 0).length).toBeGreaterThanOrEqual(3)
  expect(compared).toBeGreaterThan(100)
})

/** Some values of every key. */
const values = {
  challenge: fc.uniqueArray(fc.constantFrom('c0', 'c1', 'c2', 'c3', 'c4'), { minLength: 1, maxLength: 3 }),
  team: fc.uniqueArray(fc.constantFrom('north', 'south', 'care'), { minLength: 1, maxLength: 2 }),
  manager: fc.uniqueArray(fc.constantFrom('0', '1', '2'), { minLength: 1, maxLength: 2 }),
  status: fc.uniqueArray(fc.constantFrom(...effectiveStatuses), { minLength: 2, maxLength: 4 }),
  fact: fc.uniqueArray(fc.constantFrom(...scopeFacts), { minLength: 2, maxLength: 4 }),
  aging: fc.uniqueArray(fc.constantFrom(...agingBuckets), { minLength: 3, maxLength: 5 }),
  as_of: fc.constantFrom('2026-09-01', '2026-10-25', '2026-11-12T08:30:00Z'),
  assigned_from: fc.constantFrom('2026-05-01', '2026-07-15'),
  due_to: fc.constantFrom('2026-10-31', '2026-12-24'),
  due_end: fc.constant('instant'),
  tz: fc.constantFrom('Asia/Kathmandu', 'America/New_York'),
  due_zone: fc.constant('Pacific/Auckland'),
  include_leavers: fc.constant('true'),
}

/** Two to four keys of all: with more of them most sets hold nothing. */
const filterSet = fc
  .shuffledSubarray(Object.keys(values) as (keyof typeof values)[], { minLength: 2, maxLength: 4 })
  .chain((keys) =>
    fc.tuple(
      ...keys.map((key) => fc.tuple(fc.constant(key), values[key] as fc.Arbitrary<string | string[]>)),
    ),
  )

const sets = fc.sample(filterSet, { numRuns: 5, seed: 8 }).map((set) => {
  const params = new URLSearchParams()
  for (const [key, value] of set) for (const one of [value].flat()) params.append(key, one)
  return params.toString()
})

async function get(path: string): Promise<Response> {
  const response = await company.dashboards.app.request(path)
  expect(response.status, path).toBe(200)
  return response
}

type Line = Record<string, string>

/** The lines of a CSV file, by the names of its columns. */
async function readCsv(path: string): Promise<Line[]> {
  const text = (await (await get(path)).text()).replace('\uFEFF', '')
  const [head = [], ...lines] = text
    .trim()
    .split('\r\n')
    .map((line) =>
      (line.match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^,"]*)(?=,|$)/g) ?? []).map((cell) =>
        cell.replace(/^"(.*)"$/, '$1'),
      ),
    )
  return lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at] ?? ''])))
}

async function expectXlsx(path: string, lines: readonly Line[]): Promise<void> {
  const { sheets } = await readXlsx(
    new Uint8Array(await (await get(path.replace('.csv', '.xlsx'))).arrayBuffer()),
  )
  // The subject of the file, and heads in words.
  const [, , ...rows] = sheets[0]?.rows ?? []
  const found = rows.map((row) => Array.from(row, plain))
  expect(found, path).toEqual(lines.map((line) => Object.values(line).map(plain)))
}

/** Numbers may differ in the last digit. */
function plain(value: unknown): string | number {
  const text = value === null || value === undefined ? '' : String(value as string | number)
  return text === '' || Number.isNaN(Number(text)) ? text : Number(Number(text).toPrecision(12))
}

/** The rows of the SQL at an address agree with the lines of the file in the columns that both know. */
async function expectSql(
  path: string,
  lines: readonly Line[],
  columns: Record<string, string>,
): Promise<void> {
  const text = path.startsWith('/api/')
    ? ((await (await get(path)).json()) as { sql: string }).sql
    : await (await get(path)).text()
  const rows = await runSql(endpoint, text)
  const pick = (line: Record<string, unknown>, names: readonly string[]) =>
    JSON.stringify(names.map((n) => plain(line[n])))
  const found = rows.map((row) => pick(row, Object.values(columns))).sort()
  expect(found, path).toEqual(lines.map((line) => pick(line, Object.keys(columns))).sort())
}

const same = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]))

function percent(value: number | string | null, digits: 0 | 1 = 0): string {
  if (value === null || value === '') return 'no data'
  const show = new Intl.NumberFormat('en', {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  const step = digits === 0 ? 0.01 : 0.001
  const share = Number(value)
  if (share > 0 && share < step / 2) return `<${show.format(step)}`
  return share < 1 && share > 1 - step / 2 ? `>${show.format(1 - step)}` : show.format(share)
}

const totals: number[] = []
/** How many cells were compared. */
let compared = 0

function expectHeadlines(screen: Screen, { metrics }: MetricsAnswer): void {
  const value = (id: string) => screen.text(`headline-${id}`, 'headline-value')
  const counts = (id: string) => screen.counts(`headline-${id}`).map(({ n }) => n)
  const { completion_rate, on_time_rate, overdue, grading_backlog, grading_turnaround } = metrics
  const rate = (share: number | null) => (share === null ? 'No data' : percent(share, 1))
  expect(value('completion')).toBe(rate(completion_rate.value))
  expect(value('on-time')).toBe(rate(on_time_rate.value))
  expect(value('overdue')).toBe(String(overdue.value))
  expect(value('awaiting')).toBe(String(grading_backlog.value))
  expect(value('turnaround') === 'No data').toBe(grading_turnaround.p50_ms === null)
  const expected = {
    completion: [completion_rate.numerator],
    'on-time': [on_time_rate.numerator, ...Object.values(on_time_rate.excluded)],
    overdue: [overdue.value],
    awaiting: [grading_backlog.value, grading_backlog.untouched, grading_backlog.partially_graded],
    turnaround: grading_turnaround.p50_ms === null ? [] : [grading_turnaround.n],
  }
  // A number that is zero leads nowhere.
  for (const [id, numbers] of Object.entries(expected)) {
    expect(counts(id), id).toEqual(expect.arrayContaining(numbers.filter((n) => n > 0)))
    compared += numbers.length
  }
}

/** The page of rows, its files and the SQL hold as many as the API counts. */
async function expectRows(query: string): Promise<number> {
  const { metrics } = (await (await get(`/api/metrics?${query}`)).json()) as MetricsAnswer
  const assigned = metrics.assigned.value
  totals.push(assigned)

  const rows = await (await get(`/assignments?${query}`)).text()
  expect(Number(/data-total="(\d+)"/.exec(rows)?.[1])).toBe(assigned)
  const file = (format: string) =>
    (new RegExp(`href="(/api/assignments\\?[^"]*format=${format})"`).exec(rows)?.[1] ?? '').replaceAll(
      '&amp;',
      '&',
    )
  expect(countLines(await (await get(file('csv'))).text()) - 1).toBe(assigned)
  const { sheets } = await readXlsx(new Uint8Array(await (await get(file('xlsx'))).arrayBuffer()))
  expect((sheets[0]?.rows.length ?? 0) - 2).toBe(assigned)

  for (const [key, value] of [
    ['assigned', assigned],
    ['overdue', metrics.overdue.value],
  ] as const) {
    const { sql } = (await (await get(`/api/metrics/explain?metric=${key}&${query}`)).json()) as {
      sql: string
    }
    expect(await runSql(endpoint, sql), key).toEqual([
      { value: expect.toSatisfy((n) => Number(n) === value) },
    ])
  }
  return assigned
}

test.each(sets)('of %s', async (asked) => {
  const assigned = await expectRows(asked)
  if (assigned === 0) return

  // Filters that select the rows of one number are ignored by pages of numbers.
  const params = new URLSearchParams(asked)
  for (const key of rowOnly) params.delete(key)
  const query = params.toString()
  const answer = (await (await get(`/api/metrics?${query}`)).json()) as MetricsAnswer
  const { metrics } = answer
  const overview = readScreen(await (await get(`/?${query}`)).text())
  expectHeadlines(overview, answer)

  const aging = await readCsv(`/overdue/aging.csv?${query}`)
  expect(aging.map((line) => [line['bucket'], Number(line['count'])])).toEqual(
    metrics.aging.map(({ bucket, count }) => [bucket, count]),
  )
  await expectXlsx(`/overdue/aging.csv?${query}`, aging)
  await expectSql(`/api/metrics/explain?metric=aging&${query}`, aging, same('bucket', 'count'))
  compared += aging.length

  for (const kind of ['team', 'challenge', 'manager'] as const) {
    // That page is about every manager.
    const own = new URLSearchParams(query)
    if (kind === 'manager') own.delete('manager')
    const path = `/${kind}s.csv?${own.toString()}`
    const lines = await readCsv(path)
    await expectXlsx(path, lines)
    const html = await (await get(path.replace('.csv', ''))).text()
    // Each line is what the API says of it, on the page and in the file.
    for (const line of lines.filter((each) => each[`${kind}_id`] !== '')) {
      const of = new URLSearchParams(own)
      of.set(kind, line[`${kind}_id`] ?? '')
      if (kind === 'manager') of.set('manager_depth', '1')
      if (kind !== 'manager' && !own.getAll(kind).every((id) => id === line[`${kind}_id`])) continue
      const { metrics } = (await (await get(`/api/metrics?${of.toString()}`)).json()) as MetricsAnswer
      const { assigned, overdue, on_time_rate } = metrics
      const numbers = ['assigned', 'overdue', 'on_time_numerator', 'on_time_denominator']
      expect([path, ...numbers.map((name) => Number(line[name]))]).toEqual([
        path,
        assigned.value,
        overdue.value,
        on_time_rate.numerator,
        on_time_rate.denominator,
      ])
      if (overdue.value > 0) expect(html).toContain(`data-count="${overdue.value}"`)
      compared += numbers.length
    }
  }
})

test.each(['team', 'challenge', 'manager'])(
  'the past of a %s is its line of the page four weeks earlier',
  async (kind) => {
    const [now, then] = await Promise.all(
      ['2026-10-29', '2026-10-01'].map((day) => readCsv(`/${kind}s.csv?as_of=${day}`)),
    )
    const earlier = new Map(then?.map((line) => [line[`${kind}_id`], line]))
    expect(now?.length).toBeGreaterThan(1)
    for (const line of now ?? []) {
      const before = earlier.get(line[`${kind}_id`])
      expect([line['on_time_rate_4_weeks_before'], line['on_time_denominator_4_weeks_before']]).toEqual([
        before?.['on_time_rate'] ?? '',
        before?.['on_time_denominator'] ?? '0',
      ])
    }
    // The line in the bars is that of Home.
    const { metrics } = (await (await get('/api/metrics?as_of=2026-10-29')).json()) as MetricsAnswer
    expect(await (await get(`/${kind}s?as_of=2026-10-29`)).text()).toContain(
      `average ${percent(metrics.on_time_rate.value)}`,
    )
  },
)

test.each([
  [
    '/changes/rows?from=2026-09-01T10:00:00Z&as_of=2026-10-20&kind=became_overdue&cause=time',
    /^As of 20 Oct.* Filters: As of 20 Oct 2026; From 1 Sep.*; What became overdue; Why date passed\.$/,
    'kind-became_overdue_cause-time',
  ],
  ['/grading/queue?waiting=30%2B', /Filters: Waiting 30 days or more\.$/, 'waiting-30-'],
  ['/grading/waiting?waiting=30%2B', /^As of [^.]+\.$/, ''],
  ['/teams?find=nor&challenge=c1', /Filters: Challenge .+; Name or ID nor\.$/, 'find-nor'],
  ['/managers?reports=all', /Filters: Whose assignments count All reports\.$/, 'reports-all'],
  ['/overdue/people?group=manager&aging=1-7', /Filters: Days overdue 1-7\.$/, 'aging-1-7'],
  ['/learners?with=overdue&q=a', /Filters: People overdue; Name or ID a\.$/, 'with-overdue_q-a'],
])('the sheet of %s names the filters that are applied, and no others', async (path, words, name) => {
  const answer = await get(path.replace('?', '.xlsx?'))
  expect(answer.headers.get('content-disposition')).toMatch(new RegExp(`Z[^"]*${name}\\.xlsx`))
  const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()))
  expect(sheets[0]?.rows[0]?.[0]).toMatch(words)
})

test('sheets have heads in the language of their reader, and dates where the CSV has instants', async () => {
  const pages = [
    '/',
    '/overdue',
    '/overdue?group=manager',
    '/grading',
    '/changes?from=2026-10-01',
    '/learners',
  ]
  const objects = ['/challenges', '/teams', '/managers', '/challenges/c1', '/teams/north', '/managers/0']
  const files = new Map(['by-guide', 'by-team', 'rows'].map((name) => [`/guides/${name}`, '']))
  for (const page of [...pages, ...objects])
    for (const [, path = '', query = ''] of (await (await get(page)).text()).matchAll(
      /href="(\/[^"?]*)\.csv([^"]*)"/g,
    ))
      files.set(path, query.replaceAll('&amp;', '&'))
  expect(files.size).toBeGreaterThan(25)
  // These words are German, too, and the ranges of days are numbers.
  const germanToo = /^(challenge|challenge_name|team|team_name|teams|guide|n|\d.*)$/
  const faults = new Set<string>()
  for (const [path, query] of files) {
    const [columns = ''] = (await (await get(`${path}.csv${query}`)).text())
      .replace('\uFEFF', '')
      .split('\r\n')
    const sheet = await company.dashboards.app.request(`${path}.xlsx${query}`, {
      headers: { 'accept-language': 'de' },
    })
    const [, heads = [], ...rows] =
      (await readXlsx(new Uint8Array(await sheet.arrayBuffer()))).sheets[0]?.rows ?? []
    for (const [index, column] of columns.split(',').entries()) {
      const isEnglish = String(heads[index]).toLowerCase().startsWith(column.replaceAll('_', ' '))
      if (isEnglish && !germanToo.test(column)) faults.add(`${path} ${column}: ${String(heads[index])}`)
      for (const { [index]: cell } of rows)
        if (typeof cell === 'string' && /^\d{4}-\d\d-\d\dT/.test(cell))
          faults.add(`${path} ${column}: an instant`)
    }
  }
  expect([...faults]).toEqual([])
})
