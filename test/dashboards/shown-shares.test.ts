/** A share below 1 never shows as 100 %, and one above 0 never as 0 %: on pages, in files, English and German. */
import { afterAll, expect, test } from 'vitest'
import { readXlsx } from 'hucre/xlsx'
import { createFormat } from '../../language/format.ts'
import { toXlsxStream } from '../../reporting/exports/xlsx.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { toContents } from '../support/data/store-bodies.ts'
import { openStoreDashboards } from './store-dashboards.ts'

const format = (locale: string) => createFormat({ locale, timeZone: 'UTC', now: monday })

test.each([
  [199 / 200, 0, '>99%'],
  [0.995, 0, '>99%'],
  [0.994, 0, '99%'],
  [211 / 212, 1, '99.5%'],
  [1999 / 2000, 1, '>99.9%'],
  [1, 1, '100.0%'],
  [0.004, 0, '<1%'],
  [0.005, 0, '1%'],
  [0.0004, 1, '<0.1%'],
  [0, 0, '0%'],
] as const)('shows %d with %d digits as %s', (share, digits, shown) => {
  expect(format('en-GB').percent(share, digits)).toBe(shown)
})

/** A team of which one assignment is open and overdue. */
const bodies = Array.from({ length: 212 }, (_, i) => {
  const [id, person] = [`a${i}`, { id: `${i}`, groups: [{ id: 't', name: 'Team' }] }]
  const end = { isCompleted: true, completedAt: monday + day }
  return i > 0
    ? toBody('Completed', id, monday + day, end, person)
    : toBody('Created', id, monday, {}, person)
})
const { dashboards, close } = await openStoreDashboards({
  now: monday + 10 * day,
  contents: toContents(bodies),
})
afterAll(close)

const read = async (path: string, language: string) =>
  (await dashboards.app.request(path, { headers: { 'accept-language': language } })).text()

test.each([
  ['en', '99.5%'],
  ['de', '99,5 %'],
])('no ranking and no headline shows 100 %% in %s', async (language, shown) => {
  for (const path of ['/challenges', '/teams']) {
    const text = await read(path, language)
    expect([path, /\b100([.,]0)?\s?%/.exec(text)?.[0]]).toEqual([path, undefined])
    expect(text).toMatch(/&gt;99\s?%/)
  }
  const home = await read('/', language)
  const values = [...home.matchAll(/<p class="headline-value[^>]*>(?:<a[^>]*>)?([^<]*%)/g)]
  expect(values.map(([, text]) => text?.replace('\u00a0', ' '))).toEqual([shown, shown])
})

test.each(['challenges', 'teams'])(
  '%s.xlsx keeps the exact share, and its format shows >99%%',
  async (what) => {
    const file = await (await dashboards.app.request(`/${what}.xlsx`)).arrayBuffer()
    const { sheets } = await readXlsx(new Uint8Array(file), { readStyles: true })
    const cells = [...(sheets[0]?.cells ?? [])].filter(([place]) => place.startsWith('2,'))
    const shares = cells.flatMap(([, { value, style }]) =>
      style?.numFmt?.includes('%') && value !== null ? [[value, style.numFmt]] : [],
    )
    expect(shares).toEqual([
      [211 / 212, '">99%"'],
      [211 / 212, '">99%"'],
    ])
  },
)

test('a sheet that is written while it is read has digits enough', async () => {
  const rows = Array.from({ length: 6_000 }, () => [0.9999])
  const stream = toXlsxStream(rows, { name: 'x', columns: [{ header: 'share', kind: 'percent' }] })
  const { sheets } = await readXlsx(new Uint8Array(await new Response(stream).arrayBuffer()), {
    readStyles: true,
  })
  expect(sheets[0]?.cells?.get('1,0')).toMatchObject({ value: 0.9999, style: { numFmt: '0.0#########%' } })
})
