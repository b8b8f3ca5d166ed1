/** The page of rows over a real store: the rows of a scope and of every part, in every order, to the end and back. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
import { isLong, pick } from '../support/tiers.ts'
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
  queries = createQueries(ownReader(opened.store.reader))
})
afterAll(() => opened?.close())

const scope = (change: Partial<ReturnType<typeof createScope>> = {}) => ({
  ...createScope(now, settings),
  includeLeavers: true,
  ...change,
})

const get = (path: string) => opened.get(path)

const totalOf = (html: string) => Number(/data-total="(\d+)"/.exec(html)?.[1])
const idsOf = (html: string) =>
  [...html.matchAll(/href="\/assignments\/([^"?]*)/g)].map(([, id = '']) => decodeURIComponent(id))
const decode = (text = '') => text.replaceAll('&amp;', '&')

/** Three pages or so. */
const pageSize = 45

async function readAll(order: RowOrder, limit: number) {
  const [byKeyset, byOffset]: [AssignmentRow[], AssignmentRow[]] = [[], []]
  let cursor: RowCursor | null = null
  do {
    const page = await queries.assignments(scope(), { order, cursor, limit, withTotal: true })
    byKeyset.push(...page.rows)
    cursor = page.next
  } while (cursor !== null)
  for (let offset = 0; offset < byKeyset.length; offset += limit)
    byOffset.push(...(await queries.assignments(scope(), { order, offset, limit, withTotal: true })).rows)
  return { byKeyset, byOffset }
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

describe.each(pick(orders, 8))('by $by, descending: $descending', (order) => {
  test('pages go to the end in order, by keyset and by offset', async () => {
    const { byKeyset, byOffset } = await readAll(order, pageSize)
    expect(new Set(byKeyset.map((row) => row.assignment_id)).size).toBe(byKeyset.length)
    expect(byKeyset.length).toBeGreaterThan(40)
    expect(isSorted(byKeyset, order)).toBe(true)
    expect(byOffset).toEqual(byKeyset)
    const streamed: AssignmentRow[] = []
    for await (const rows of await queries.allAssignments(scope(), order)) streamed.push(...rows)
    expect(streamed).toEqual(byKeyset)
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
  test.each([
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
      for (const [metric, name, count] of pick(numbers, 32, first)) {
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

describe.skipIf(isLong)('the page', () => {
  test('shows people and their managers, and offers exactly these rows as files', async () => {
    const html = await get('/assignments?include_leavers=true&fact=overdue&sort=user_name')
    const { rows, total } = await queries.assignments(scope({ fact: ['overdue'] }), {
      order: { by: 'person', descending: false },
      limit: 50,
      withTotal: true,
    })
    expect(totalOf(html)).toBe(total)
    expect(idsOf(html)).toEqual(rows.map((row) => row.assignment_id))
    const csv = /href="(\/api\/assignments\?[^"]*columns=[^"]*format=csv)"/.exec(html)?.[1]
    const lines = (await get(decode(csv))).trim().split('\r\n')
    expect(lines).toHaveLength(1 + (total ?? 0))
    // Nothing overdue waits for a grade.
    expect(lines[0]).toBe('user_name,challenge,effective_status,due_day,days_overdue,managers,teams')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(
      rows.map((row) => row.user_name ?? '').map((name) => (/^[=+\-@]/.test(name) ? `'${name}` : name)),
    )
  })

  test('links to pages lead there and back', async () => {
    const first = await get('/assignments?include_leavers=true&columns=assignment_id&sort=due_day')
    const next = decode(/<a class="pill" href="([^"]+)" rel="next"/.exec(first)?.[1])
    const second = await get(next)
    expect([next, idsOf(first).length]).toEqual([expect.stringContaining('columns=assignment_id'), 50])
    expect(idsOf(second).some((id) => idsOf(first).includes(id))).toBe(false)
    const previous = decode(/<a class="pill" href="([^"]+)" rel="prev"/.exec(second)?.[1])
    expect(idsOf(await get(previous))).toEqual(idsOf(first))
    expect(await get('/assignments?page=201')).toContain('No rows on this page. Files have all rows.')
  })

  test('what it cannot use is left out and said, and is in no link', async () => {
    const html = await get(
      '/assignments?metric=overdue&part=sideways&sort=luck&columns=user_name&columns=shoe_size&bogus=1',
    )
    for (const name of ['metric', 'sort', 'user_name,shoe_size', 'bogus']) expect(html).toContain(name)
    expect(html).not.toMatch(/href="[^"]*(sideways|luck|shoe_size)/)
  })

  test('shows the columns that were chosen in its form', async () => {
    const html = await get('/assignments?columns=user_name&columns=open')
    expect([...html.matchAll(/<th scope="col"[^>]*>/g)]).toHaveLength(2)
    expect(html).toMatch(/name="columns" value="open" checked/)
  })

  test('a hostile cursor is refused, not run', async () => {
    const cursors = ['["x","y"]', '[1e400,"a"]', '[1]', '{}', '[1,""]', `[1,"${'a'.repeat(20_000)}"]`, '\0']
    for (const text of cursors) {
      const path = `/api/assignments?after=${Buffer.from(text).toString('base64url')}`
      expect([text, (await opened.dashboards.app.request(path)).status]).toEqual([text, 400])
    }
  })
})
