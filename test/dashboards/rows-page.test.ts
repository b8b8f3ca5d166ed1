/** The page of rows over a real store: the rows of a scope in every order, to the end and back. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createQueries, type Queries } from '../../reporting/queries/queries.ts'
import { rowSorts, type RowOrder } from '../../reporting/scope/row-order.ts'
import { createScope } from '../../reporting/scope/parse-scope.ts'
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
  test('rows are in order, and streamed so', async () => {
    const { rows } = await queries.assignments(scope(), { order, limit: 1_000, withTotal: true })
    expect(rows.length).toBeGreaterThan(40)
    expect(isSorted(rows, order)).toBe(true)
    const streamed: AssignmentRow[] = []
    for await (const some of await queries.allAssignments(scope(), order)) streamed.push(...some)
    expect(streamed).toEqual(rows)
  })
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

  test('a hostile cursor is refused, not run', async () => {
    const cursors = ['["x","y"]', '[1e400,"a"]', '[1]', '{}', '[1,""]', `[1,"${'a'.repeat(20_000)}"]`, '\0']
    for (const text of cursors) {
      const path = `/api/assignments?after=${Buffer.from(text).toString('base64url')}`
      expect([text, (await opened.dashboards.app.request(path)).status]).toEqual([text, 400])
    }
  })
})
