/** The page of rows over a real store: the rows of a scope and of every part, in every order, to the end and back. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { createQueries, type Queries } from '../../reporting/queries/queries.ts'
import { rowSorts, type RowCursor, type RowOrder } from '../../reporting/scope/row-order.ts'
import { createScope } from '../../reporting/scope/parse-scope.ts'
import { findPart } from '../../schemas/metrics/parts.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import { setApart } from '../model/arbitrary/apart.ts'
import { historyArb } from '../model/arbitrary/history.ts'
import { day, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openStoreDashboards, type StoreDashboards } from './store-dashboards.ts'
import { settings } from './ui/serve.ts'
import { isThorough, pickCases, test, testBoth } from '../support/thorough.ts'
import { ownReader } from '../../reporting/read/reader.ts'

const now = Date.UTC(2026, 3, 8, 22)

let opened: StoreDashboards
let queries: Queries
beforeAll(async () => {
  const deliveries = fc
    .sample(historyArb({ maxEvents: 24 }), { numRuns: 30, seed: 12 })
    .flatMap((history, number) => setApart(history, number).deliveries)
  const named = Array.from({ length: 12 }, (_, n) =>
    toBody(
      'Created',
      `named ${n}`,
      now - (30 + (n % 3)) * day,
      { dueDate: now - (n % 5) * 3 * day },
      {
        id: 80_000 + n,
        name: ['Zoë', 'ada', 'Ada', "O'Neil", ''][n % 5],
        managers: [{ id: 80_000 }, { id: 80_001 }],
      },
    ),
  )
  const bodies = [...deliveries.map(({ body }) => Buffer.from(body)), ...named]
  opened = await openStoreDashboards({ now, fill: ({ writer }) => storeBodies(writer, bodies) })
  queries = createQueries(ownReader(opened.store.reader), { streamer: ownReader(opened.store.streamer) })
})
afterAll(() => opened?.close())

const scope = (change: Partial<ReturnType<typeof createScope>> = {}) => ({
  ...createScope(now, settings),
  includeLeavers: true,
  ...change,
})

const get = (path: string) => opened.get(path)

const totalOf = (html: string) => Number(/data-total="(\d+)"/.exec(html)?.[1])
const idsOf = (html: string) => [...html.matchAll(/data-assignment="([^"]*)"/g)].map(([, id = '']) => id)

/** Three pages or so. */
const pageSize = 45

async function readAll(order: RowOrder, limit: number) {
  const forth: AssignmentRow[] = []
  const firsts: (number | null)[] = []
  let cursor: RowCursor | null = null
  let back: RowCursor | null = null
  do {
    const page = await queries.assignments(scope(), { order, cursor, limit, withTotal: true })
    forth.push(...page.rows)
    firsts.push(page.first)
    cursor = page.next
    back = page.previous
  } while (cursor !== null)
  const pagesBack: AssignmentRow[][] = []
  const firstsBack: (number | null)[] = []
  while (back !== null) {
    const page = await queries.assignments(scope(), {
      order,
      cursor: back,
      backwards: true,
      limit,
      withTotal: true,
    })
    pagesBack.unshift(page.rows)
    firstsBack.unshift(page.first)
    back = page.previous
  }
  return { forth, firsts, back: pagesBack.flat(), firstsBack }
}

const sortValues: Record<RowOrder['by'], (row: AssignmentRow) => number | string | null> = {
  created: (row) => Date.parse(row.created_at),
  due: (row) => (row.due_date === null ? null : Date.parse(row.due_date)),
  days_late: (row) => row.days_overdue,
  waiting: (row) => (row.waiting_since === null ? null : Date.parse(row.waiting_since)),
  grade: (row) => (row.graded ? row.calculated_grade : null),
  person: (row) => row.user_name?.toLowerCase() ?? null,
}

/** By value, unknown ones last, then by id. */
function isSorted(rows: AssignmentRow[], { by, descending }: RowOrder): boolean {
  return rows.slice(1).every((row, index) => {
    const [a, b] = [rows[index] as AssignmentRow, row]
    const [x, y] = [sortValues[by](a), sortValues[by](b)]
    if (x === y) return a.assignment_id < b.assignment_id
    if (x === null || y === null) return y === null
    return descending ? x > y : x < y
  })
}

const orders: RowOrder[] = rowSorts.flatMap((by) => [true, false].map((descending) => ({ by, descending })))

describe.each(pickCases(orders, 8))('by $by, descending: $descending', (order) => {
  testBoth('pages go to the end in order and back again, and say where they are', async () => {
    const { forth, firsts, back, firstsBack } = await readAll(order, pageSize)
    expect(new Set(forth.map((row) => row.assignment_id)).size).toBe(forth.length)
    expect(forth.length).toBeGreaterThan(40)
    expect(isSorted(forth, order)).toBe(true)
    expect(firsts).toEqual(firsts.map((_, index) => index * pageSize + 1))
    expect(back.map((row) => row.assignment_id)).toEqual(
      forth.slice(0, back.length).map((row) => row.assignment_id),
    )
    expect(firstsBack).toEqual(firstsBack.map((_, index) => index * pageSize + 1))
    const streamed: AssignmentRow[] = []
    for await (const rows of await queries.allAssignments(scope(), order)) streamed.push(...rows)
    expect(streamed).toEqual(forth)
  })
})

/** Every number of a metric that one of its parts counts. */
function numbersOf(metrics: Metrics): [keyof Metrics, string, number][] {
  const durations = (['grading_turnaround', 'time_to_complete'] as const).flatMap((key) =>
    (['n', 'censored', 'unknown'] as const).map((part): [keyof Metrics, string, number] => [
      key,
      part,
      metrics[key][part],
    ]),
  )
  return [
    ...durations,
    ...metrics.funnel.map(({ stage, count }): [keyof Metrics, string, number] => ['funnel', stage, count]),
    ...metrics.grade.histogram.map(({ from, count }): [keyof Metrics, string, number] => [
      'grade',
      `bin.${from}`,
      count,
    ]),
    ...metrics.cohorts.flatMap(({ period_start, assigned, completed }): [keyof Metrics, string, number][] => [
      ['cohorts', `${period_start}.assigned`, assigned],
      ['cohorts', `${period_start}.completed`, completed],
    ]),
    ...metrics.trend.flatMap(({ period_start, ...lines }) =>
      Object.entries(lines).map(([line, count]): [keyof Metrics, string, number] => [
        'trend',
        `${period_start}.${line}`,
        count,
      ]),
    ),
    ...Object.entries(metrics.on_time_rate.excluded).map(
      ([reason, count]): [keyof Metrics, string, number] => ['on_time_rate', `excluded.${reason}`, count],
    ),
    ['on_time_rate', 'remainder', metrics.on_time_rate.denominator - metrics.on_time_rate.numerator],
  ]
}

describe('rows of the parts', () => {
  // The short run takes some of the numbers in each of the three.
  testBoth.each([
    { period: 'day', dueEnd: 'end_of_day', first: 0 },
    { period: 'week', dueEnd: 'instant', first: 1 },
    { period: 'month', dueEnd: 'end_of_day', first: 2 },
  ] as const)(
    'add up to every number that they count, by $period, due at $dueEnd',
    async ({ period, dueEnd, first }) => {
      const asked = scope({ period, dueEnd, timeZone: 'Asia/Kathmandu', trendFrom: '2026-01-19' })
      const { metrics } = await queries.metrics(asked)
      // Three lines of each kind that count something, and one that does not.
      const kinds = Map.groupBy(numbersOf(metrics), ([metric, name, count]) => {
        return `${metric} ${name.replace(/^\d{4}-\d\d-\d\d\.|\.\d+$/, '')} ${count === 0}`
      })
      const numbers = [...kinds.values()].flatMap((of) =>
        of.toSorted((a, b) => b[2] - a[2]).slice(0, of[0]?.[2] ? 3 : 1),
      )
      expect(numbers.filter(([, , count]) => count > 0).length).toBeGreaterThan(20)
      for (const [metric, name, count] of pickCases(numbers, 32, first)) {
        expect(findPart(metric, name, period), `${metric} ${name}`).toBeDefined()
        const page = await queries.assignments(
          { ...asked, part: { metric, name } },
          { limit: 1_000, withTotal: true },
        )
        expect(page.units, `${metric} ${name}`).toBe(count)
        expect(page.rows.length, `${metric} ${name}`).toBe(page.total)
      }
    },
  )
})

describe.skipIf(isThorough)('the page', () => {
  test('shows names and managers, and offers exactly these rows as files', async () => {
    const html = await get('/assignments?include_leavers=true&fact=overdue&sort=person')
    const { rows, total } = await queries.assignments(scope({ fact: ['overdue'] }), {
      order: { by: 'person', descending: false },
      limit: 50,
      withTotal: true,
    })
    expect(totalOf(html)).toBe(total)
    expect(idsOf(html)).toEqual(
      rows.map((row) => row.assignment_id.replaceAll("'", '&#39;').replaceAll('"', '&quot;')),
    )
    const csv = (/href="(\/api\/assignments\?[^"]*format=csv)"/.exec(html)?.[1] ?? '').replaceAll(
      '&amp;',
      '&',
    )
    const lines = (await get(csv)).trim().split('\r\n')
    expect(lines).toHaveLength(1 + (total ?? 0))
    expect(lines[0]).toBe(
      'user_name,managers,teams,challenge,effective_status,due_day,days_overdue,waiting_since,calculated_grade',
    )
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
      rows.map((row) => row.user_name ?? '').map((name) => (/^[=+\-@]/.test(name) ? `'${name}` : name)),
    )
  })

  test('links to pages lead there and back, at the same moment', async () => {
    const first = await get('/assignments?include_leavers=true&columns=assignment_id&sort=due')
    const next = (/<a class="pill" href="([^"]+)" rel="next"/.exec(first)?.[1] ?? '').replaceAll('&amp;', '&')
    if (next === '') return expect(totalOf(first)).toBeLessThanOrEqual(50)
    const second = await get(next)
    expect(idsOf(second).some((id) => idsOf(first).includes(id))).toBe(false)
    const previous = (/<a class="pill" href="([^"]+)" rel="prev"/.exec(second)?.[1] ?? '').replaceAll(
      '&amp;',
      '&',
    )
    expect(new URL(previous, 'http://x').searchParams.get('as_of')).toBe(new Date(now).toISOString())
    expect(idsOf(await get(previous))).toEqual(idsOf(first))
  })

  test('what it cannot use is left out and said, and is in no link', async () => {
    const html = await get(
      '/assignments?metric=overdue&part=sideways&sort=luck&columns=shoe_size&after=!!&bogus=1',
    )
    for (const name of ['metric', 'sort', 'columns', 'place in the list', 'bogus'])
      expect(html).toContain(name)
    expect(html).not.toMatch(/href="[^"]*(sideways|luck|shoe_size)/)
  })

  test('a hostile cursor is refused, not run', async () => {
    const cursors = ['["x","y"]', '[1e400,"a"]', '[1]', '{}', '[1,""]', `[1,"${'a'.repeat(20_000)}"]`, '\0']
    for (const text of cursors) {
      const html = await get(`/assignments?after=${Buffer.from(text).toString('base64url')}`)
      expect(html, text).toContain('place in the list')
    }
  })
})
