/** Files of rows: the same cells in every format, of one moment, without a cap, in little memory, and stopped when the client leaves. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { column, toSheet, type Table } from '../../../dashboards/components/table.tsx'
import { toXlsxStream } from '../../../reporting/exports/xlsx.ts'
import { allColumns, headOf } from '../../../dashboards/components/assignment-table.tsx'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import { day, monday, toBody } from '../../support/data/records.ts'
import { storeBodies } from '../../support/data/store-bodies.ts'
import { makeVersions } from '../../bench/big-store.ts'
import { createStoreApi, asDescribed } from './described.ts'
import { openTestStore } from '../../support/store/store.ts'
import { isLong, pick } from '../../support/tiers.ts'
import { until } from '../../support/wait.ts'

const zone = 'Europe/Berlin'
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The memory that this process still needs, apart from the engine. The second collection frees the buffers that the first one found unused. */
function held(): number {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const now = monday + 400 * day

const store = await openTestStore()
const app = createStoreApi(store, now, { timeZone: zone, dueZone: zone })
const api = asDescribed(app)
afterAll(() => store.close())

async function load(bodies: Uint8Array[]): Promise<void> {
  await storeBodies(store.writer, bodies)
}

/** The text of a clock on the wall, by another way than the export's: Swedish dates are ISO 8601. */
function wallClock(iso: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(new Date(iso))
  return `${text.replace(' ', 'T')}.${iso.slice(20, 23)}Z`
}

async function get(query: string, init?: RequestInit): Promise<Response> {
  const response = await api.request(`/assignments?${query}`, init)
  expect(response.status).toBe(200)
  return response
}

describe.skipIf(isLong)('a sheet of assignments', () => {
  const tricky = [
    '=HYPERLINK("http://x")',
    '+1',
    '@sum',
    'a,b "c"\nd',
    ' blanks ',
    'Zoë \u{1f600}',
    'bell\u0007 _x0041_',
    '<&>',
    '00123',
    '1e5',
  ]
  // Winter, summer, and both sides of the hour that Berlin has twice.
  const instants = [
    monday,
    Date.UTC(2026, 6, 1, 12, 0, 0, 7),
    Date.UTC(2026, 9, 25, 0, 30),
    Date.UTC(2026, 9, 25, 1, 30),
  ]
  beforeAll(async () => {
    await store.clear()
    await load(
      tricky.map((name, n) =>
        toBody(
          'Completed',
          `id ${n} ${name}`,
          monday + n * day,
          {
            createdAt: instants[n % 4],
            completedAt: instants[(n + 1) % 4],
            dueDate: n % 3 === 0 ? null : instants[(n + 2) % 4],
            isCompleted: n % 2 === 0,
            isFullyGraded: true,
            calculatedGrade: n / 3,
            completionPercentage: n % 4 === 0 ? null : n,
            firstViewedAt: monday + n,
          },
          {
            id: n,
            name,
            groups: [
              { id: 1, name },
              { id: n + 2, name: 'B' },
            ],
          },
        ),
      ),
    )
  })

  test('has the cells of JSON and CSV, with types: numbers, truth, text, and instants as dates of the reporting zone', async () => {
    const { assignments } = (await (await get('')).json()) as { assignments: AssignmentRow[] }
    expect(assignments).toHaveLength(tricky.length)
    const response = await get('format=xlsx')
    expect(response.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    )
    expect(response.headers.get('content-disposition')).toMatch(
      /filename="rollcall_assignments_as-of-\S+Z\.xlsx"/,
    )
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()))
    const [[about] = [], head = [], ...rows] = sheets[0]?.rows ?? []
    expect(about).toMatch(/^As of .+ Europe\/Berlin\.$/)
    expect(head.map((name) => String(name).replace(` (${zone})`, ''))).toEqual(allColumns.map(headOf))
    expect(head.filter((name) => String(name).endsWith(` (${zone})`))).toHaveLength(11)
    expect(rows).toHaveLength(assignments.length)
    assignments.forEach((assignment, r) => {
      allColumns.forEach((column, c) => {
        const value = assignment[column]
        const cell = rows[r]?.[c] ?? null
        const isInstant = String(head[c]).endsWith(` (${zone})`)
        if (value === null) expect(cell, column).toBeNull()
        else if (isInstant) expect((cell as Date).toISOString(), column).toBe(wallClock(String(value)))
        else if (column === 'due_day') expect((cell as Date).toISOString().slice(0, 10)).toBe(value)
        else if (Array.isArray(value)) expect(cell).toBe(value.join('; '))
        else expect(cell, column).toStrictEqual(value)
      })
    })
  })

  test('says that data is a sample in name, sheet and rows', async () => {
    onTestFinished(
      async () => void (await store.writer.command({ query: 'TRUNCATE TABLE rollcall.settings' })),
    )
    await store.writer.insert({
      table: 'rollcall.settings',
      values: [{ name: 'sample', value: 'true', set_at: '2026-01-01 00:00:00.000' }],
      format: 'JSONEachRow',
    })
    const response = await get('format=xlsx&user=1')
    expect(response.headers.get('content-disposition')).toContain('SAMPLE')
    const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()))
    expect(sheets[0]?.name).toContain('SAMPLE')
    expect(sheets[0]?.rows.slice(1).map((row) => row.at(-1))).toEqual(['Sample data', true])
  })
})

describe.skipIf(isLong)('a sheet', () => {
  const read = async (...args: Parameters<typeof toXlsxStream>) =>
    (
      await readXlsx(new Uint8Array(await new Response(toXlsxStream(...args)).arrayBuffer()), {
        readStyles: true,
      })
    ).sheets
  const columns = [{ header: 'n' }, { header: 'text' }]

  test('goes on in a further sheet, with the same heads, where one is full', async () => {
    const rows = Array.from({ length: 25 }, (_, n) => [n, `row ${n}`])
    const sheets = await read(rows, { name: 'many', about: 'of today', columns, maxRowsPerSheet: 12 })
    expect(sheets.map((sheet) => sheet.rows.length)).toEqual([12, 12, 7])
    expect(sheets.flatMap((sheet) => sheet.rows.slice(2))).toEqual(rows)
    expect(sheets.map((sheet) => sheet.rows.slice(0, 2))).toEqual(
      Array.from({ length: 3 }, () => [
        ['of today', null],
        ['n', 'text'],
      ]),
    )
    const bare = await read(rows, { name: 'many', columns, maxRowsPerSheet: 11 })
    expect(bare.map((sheet) => sheet.rows[0])).toEqual([
      ['n', 'text'],
      ['n', 'text'],
      ['n', 'text'],
    ])
    expect(bare.flatMap((sheet) => sheet.rows.slice(1))).toEqual(rows)
  })

  test('filters below a fixed head, and holds no character that XML cannot hold and that would spoil it', async () => {
    const [sheet] = await read([[1, 'a\ufffeb\uffff\u0001']], {
      name: 'odd',
      about: 'Team \uffff _x0041_',
      columns,
    })
    expect([sheet?.autoFilter?.range, sheet?.freezePane?.rows]).toEqual(['A2:B3', 2])
    expect(sheet?.rows.at(-1)).toEqual([1, 'a\ufffdb\ufffd\u0001'])
    expect(sheet?.rows[0]?.[0]).toBe('Team \ufffd _x0041_')
  })

  test('of a table has heads in words, shares in percent, durations in days and instants without milliseconds', () => {
    const row = ['2026-01-15', 0.6883116883, 129_600_000, '2026-11-20T13:05:00.123Z', '2026-11-20'] as const
    type Row = readonly (string | number | null)[]
    const table: Table<Row> = {
      label: 'Teams',
      columns: [
        column('text', 'team_name', 'Team', (cells) => cells[0] ?? null),
        column('percent', 'on_time_rate', 'On time', (cells) => cells[1] ?? null),
        column('duration', 'waited_ms', 'Waiting§age', (cells) => cells[2] ?? null),
        column('instant', 'submitted_at', 'Submitted', (cells) => cells[3] ?? null),
        column('day', 'day', 'Day', (cells) => cells[4] ?? null),
      ],
    }
    const { columns: heads, toLine } = toSheet(table, zone)
    expect(heads.map(({ header, kind }) => [header, kind])).toEqual([
      ['Team', undefined],
      ['On time, share', 'percent'],
      ['Waiting, days', 'days'],
      [`Submitted (${zone})`, 'instant'],
      ['Day', 'date'],
    ])
    const at = new Date('2026-11-20T14:05:00.123Z')
    // A name that looks like a date stays text.
    expect(toLine(row)).toEqual(['2026-01-15', 0.6883116883, 1.5, at, new Date('2026-11-20')])
    expect(toLine(['', null, null, null, null])).toEqual(['', null, null, null, null])
  })
})

async function fill(count: number): Promise<void> {
  await store.clear()
  await makeVersions(store.writer, { count, now: now - day, users: 5_000, challenges: 50 })
}

describe.runIf(isLong)('an export of as many rows as memory is measured with', () => {
  const count = 100_000
  beforeAll(() => fill(count))

  /** Takes everything away while a file is being read: late events change the store, not the file. */
  async function retract(): Promise<void> {
    await store.writer.command({
      query: `INSERT INTO rollcall.open_versions SELECT * REPLACE (-sign AS sign) FROM rollcall.open_versions`,
    })
  }
  test.runIf(isLong)(
    'is a snapshot although data arrives meanwhile, and keeps little of it in memory',
    async () => {
      const { total } = (await (await get('per_page=1')).json()) as { total: number }
      expect(total).toBeGreaterThan(0.9 * count)
      const response = await get('format=csv')
      let lines = -1
      let bytes = 0
      let peak = 0
      const before = held()
      let isRetracted = false
      for await (const chunk of response.body ?? []) {
        lines += Buffer.from(chunk).toString().split('\r\n').length - 1
        if (Math.floor(bytes / 5e6) !== Math.floor((bytes + chunk.length) / 5e6))
          peak = Math.max(peak, held() - before)
        bytes += chunk.length
        if (!isRetracted) await retract()
        isRetracted = true
      }
      expect(await (await get('')).json()).toMatchObject({ total: 0 })
      expect(lines).toBe(total)
      expect(bytes).toBeGreaterThan(30e6)
      expect(peak).toBeLessThan(bytes / 5)
    },
  )
})

describe('an export of as many rows as a stream needs to be left midway', () => {
  beforeAll(() => fill(30_000))

  const countRunning = async () => {
    const [row] = await store.rows<{ n: string }>(
      `SELECT count() AS n FROM system.processes WHERE query LIKE '%max_block_size = 8192%' AND query NOT LIKE '%system.processes%'`,
    )
    return Number(row?.n)
  }
  const untilNoneRuns = () => until(countRunning, (count) => count === 0)
  /** Files whose readers have left a moment ago may still be counted. */
  const take = (format: string) =>
    until(
      async () => api.request(`/assignments?format=${format}`),
      ({ status }) => status === 200,
    )
  afterEach(untilNoneRuns)

  // More often than there may be streams at once: none is left behind.
  test.each(pick(['csv', 'xlsx'], 2))(
    'lets go of its rows when its reader leaves midway, as %s',
    async (format) => {
      for (let attempt = 0; attempt < 6; attempt++) {
        const reader = (await take(format)).body?.getReader()
        expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
        await reader?.cancel()
      }
    },
  )

  test('refuses the fifth at once with 503, and takes it when one is through', async () => {
    const open = await Promise.all(Array.from({ length: 4 }, () => take('csv')))
    expect((await api.request('/assignments?format=csv')).status).toBe(503)
    await Promise.all(open.map(async (response) => response.body?.cancel()))
    await (await take('csv')).body?.cancel()
  })

  test('answers HEAD without a query', async () => {
    const response = await get('format=csv', { method: 'HEAD' })
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(await countRunning()).toBe(0)
  })
})
