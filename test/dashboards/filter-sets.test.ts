/** Filter x page x format: for random sets of filters the pages, CSV, XLSX, `/api/metrics` and the SQL beside the figures agree. */
import * as fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, expect, test } from 'vitest'
import {
  agingBuckets,
  effectiveStatuses,
  type Metrics,
  type MetricsAnswer,
} from '../../schemas/metrics/answer.ts'
import { rowOnly } from '../../dashboards/scope/follow.ts'
import { scopeFacts } from '../../schemas/metrics/facts.ts'
import { filledEvents, ids } from './filled-company.ts'
import { openAnalystEndpoint, runSql, openCompanyDashboards } from './store-dashboards.ts'

const company = await openCompanyDashboards()
const endpoint = await openAnalystEndpoint(company.store)
afterAll(() => company.close())

const several = <Value>(most: number, ...values: Value[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: most })
const sent = filledEvents().map(String).join()
const idsBehind = (start: string) =>
  [...new Set(sent.split(start).map((rest) => /^"?([^",}]+)/.exec(rest)?.[1] ?? ''))].slice(1, 6)
/** Some values of every key. */
const values = {
  challenge: several(3, ...idsBehind('"challengeId":')),
  team: several(2, ...idsBehind('"groups":[{"id":')),
  manager: several(2, ...idsBehind('"managers":[{"id":')),
  status: several(4, ...effectiveStatuses),
  fact: several(4, ...scopeFacts),
  aging: several(5, ...agingBuckets),
  as_of: fc.constantFrom('2026-10-05', '2026-10-25', '2026-11-12T08:30:00Z'),
  assigned_from: fc.constantFrom('2026-10-01', '2026-10-20'),
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
  const params = set.flatMap(([key, value]) => [value].flat().map((one): [string, string] => [key, one]))
  return new URLSearchParams(params).toString()
})

const get = async (path: string) => (await company.get(path)).replaceAll('&amp;', '&')
const hrefOf = (html: string, path: RegExp) => new RegExp(`href="(${path.source})"`).exec(html)?.[1] ?? ''
const read = async <Answer>(path: string) => JSON.parse(await company.get(path)) as Answer
const metricsOf = async (query: string): Promise<Metrics> =>
  (await read<MetricsAnswer>(`/api/metrics?${query}`)).metrics

type Line = Record<string, string>

/** The lines of a CSV file, by the names of its columns. Its sheet has the same. */
async function readFiles(path: string): Promise<Line[]> {
  const [head = [], ...lines] = (await company.get(path))
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .map((line) =>
      (line.match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^,"]*)(?=,|$)/g) ?? []).map((cell) =>
        cell.replace(/^"(.*)"$/, '$1'),
      ),
    )
  const [, , ...rows] = await readSheet(path.replace('.csv', '.xlsx').replace('format=csv', 'format=xlsx'))
  const cells = (row: readonly unknown[]) =>
    row.map((cell) => (cell instanceof Date || /^\d{4}-\d\d-\d\d/.test(String(cell)) ? 'date' : plain(cell)))
  expect(rows.length, path).toBe(lines.length)
  if (!path.startsWith('/api/')) expect(rows.map(cells), path).toEqual(lines.map(cells))
  return lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at] ?? ''])))
}

async function readSheet(path: string, headers: Record<string, string> = {}): Promise<unknown[][]> {
  const answer = await company.dashboards.app.request(path, { headers })
  expect([path, answer.status]).toEqual([path, 200])
  const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()))
  return (sheets[0]?.rows ?? []).map((row) => [...row])
}

/** Numbers may differ in the last digit. */
function plain(value: unknown): string | number {
  const text = value === null || value === undefined ? '' : String(value as string | number)
  return text === '' || Number.isNaN(Number(text)) ? text : Number(Number(text).toPrecision(12))
}

/** Each line of groups is what the API says of it, on the page and in the file. */
async function expectGroups(kind: 'team' | 'challenge' | 'manager', query: URLSearchParams) {
  const own = new URLSearchParams(query)
  // That page is about every manager.
  if (kind === 'manager') own.delete('manager')
  const path = `/${kind}s.csv?${own.toString()}`
  const html = await get(path.replace('.csv', ''))
  for (const line of await readFiles(path)) {
    const id = line[`${kind}_id`] ?? ''
    if (id === '' || (kind !== 'manager' && !own.getAll(kind).every((each) => each === id))) continue
    const of = new URLSearchParams(own)
    of.set(kind, id)
    if (kind === 'manager') of.set('manager_depth', '1')
    const { assigned, overdue, on_time_rate } = await metricsOf(of.toString())
    const names = ['assigned', 'overdue', 'on_time_numerator', 'on_time_denominator']
    expect([path, ...names.map((name) => Number(line[name]))]).toEqual([
      path,
      assigned.value,
      overdue.value,
      on_time_rate.numerator,
      on_time_rate.denominator,
    ])
    if (overdue.value > 0) expect(html).toContain(`data-count="${overdue.value}"`)
  }
}

let filled = 0
test.each(sets)('of %s', async (asked) => {
  const { assigned, overdue } = await metricsOf(asked)
  const rows = await get(`/assignments?${asked}`)
  expect(Number(/data-total="(\d+)"/.exec(rows)?.[1])).toBe(assigned.value)
  const file = hrefOf(rows, /\/api\/assignments\?[^"]*format=csv/)
  expect(await readFiles(file)).toHaveLength(assigned.value)
  for (const [key, { value }] of Object.entries({ assigned, overdue })) {
    const { sql } = await read<{ sql: string }>(`/api/metrics/explain?metric=${key}&${asked}`)
    expect(
      (await runSql(endpoint, sql)).map((row) => Number(row['value'])),
      key,
    ).toEqual([value])
  }
  if (assigned.value === 0) return
  filled += 1
  // Filters that select the rows of one number are ignored by pages of numbers.
  const query = new URLSearchParams(
    [...new URLSearchParams(asked)].filter(([key]) => !rowOnly.some((each) => each === key)),
  )
  const metrics = await metricsOf(query.toString())
  const { completion_rate, on_time_rate, grading_backlog } = metrics
  const counts = [...(await get(`/?${query.toString()}`)).matchAll(/data-count="(\d+)"/g)].map(([, n]) =>
    Number(n),
  )
  const shown = [
    completion_rate.numerator,
    on_time_rate.numerator,
    metrics.overdue.value,
    grading_backlog.value,
  ]
  // A number that is zero leads nowhere.
  expect(counts).toEqual(expect.arrayContaining(shown.filter((n) => n > 0)))
  const aging = await readFiles(`/overdue/aging.csv?${query.toString()}`)
  expect(aging.map((line) => [line['bucket'], Number(line['count'])])).toEqual(
    metrics.aging.map(({ bucket, count }) => [bucket, count]),
  )
  for (const kind of ['team', 'challenge', 'manager'] as const) await expectGroups(kind, query)
})

test('of which enough hold something', () => expect(filled).toBeGreaterThanOrEqual(3))

test.each(['team', 'challenge', 'manager'])(
  'the past of a %s is its line of the page four weeks earlier',
  async (kind) => {
    const [now = [], then = []] = await Promise.all(
      ['2026-11-19', '2026-10-22'].map((day) => readFiles(`/${kind}s.csv?as_of=${day}`)),
    )
    const earlier = new Map(then.map((line) => [line[`${kind}_id`], line]))
    expect(now.length).toBeGreaterThan(1)
    for (const line of now) {
      const before = earlier.get(line[`${kind}_id`])
      expect([line['on_time_rate_4_weeks_before'], line['on_time_denominator_4_weeks_before']]).toEqual([
        before?.['on_time_rate'] ?? '',
        before?.['on_time_denominator'] ?? '0',
      ])
    }
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
  [`/teams?find=nor&challenge=${ids.challenge}`, /Filters: Challenge .+; Name or ID nor\.$/, 'find-nor'],
  ['/managers?reports=all', /Filters: Whose assignments count All reports\.$/, 'reports-all'],
  ['/overdue/people?group=manager&aging=1-7', /Filters: Days overdue 1-7\.$/, 'aging-1-7'],
  ['/learners?with=overdue&q=a', /Filters: People overdue; Name or ID a\.$/, 'with-overdue_q-a'],
])('the sheet of %s names the filters that are applied, and no others', async (path, words, name) => {
  const sheet = path.replace('?', '.xlsx?')
  const { headers } = await company.dashboards.app.request(sheet)
  expect(headers.get('content-disposition')).toMatch(new RegExp(`Z[^"]*${name}\\.xlsx`))
  expect((await readSheet(sheet))[0]?.[0]).toMatch(words)
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
  const objects = (['challenge', 'team', 'manager'] as const).flatMap((kind) => [
    `/${kind}s`,
    `/${kind}s/${ids[kind]}`,
  ])
  const files = new Map(['by-guide', 'by-team', 'rows'].map((name) => [`/guides/${name}`, '']))
  for (const page of [...pages, ...objects])
    for (const [, path = '', query = ''] of (await get(page)).matchAll(/href="(\/[^"?]*)\.csv([^"]*)"/g))
      files.set(path, query)
  expect(files.size).toBeGreaterThan(25)
  // These words are German, too, and the ranges of days are numbers.
  const germanToo = /^(challenge|challenge_name|team|team_name|teams|guide|n|\d.*)$/
  const faults = new Set<string>()
  for (const [path, query] of files) {
    const [columns = ''] = (await company.get(`${path}.csv${query}`)).replace('\uFEFF', '').split('\r\n')
    const [, heads = [], ...rows] = await readSheet(`${path}.xlsx${query}`, { 'accept-language': 'de' })
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
