/** A share below 1 never shows as 100 %, and one above 0 never as 0 %: on pages, in files, English and German. */
import { afterAll, describe, expect, test } from 'vitest'
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

/** Teams of so many assignments, of which one is open and overdue. */
const sizes = [200, 212, 2000]
const bodies = sizes.flatMap((n) =>
  Array.from({ length: n }, (_, i) => {
    const [id, person] = [`a${n}-${i}`, { id: `${n}-${i}`, groups: [{ id: `t${n}`, name: `Team of ${n}` }] }]
    const end = { isCompleted: true, completedAt: monday + day }
    return i > 0
      ? toBody('Completed', id, monday + day, end, person)
      : toBody('Created', id, monday, {}, person)
  }),
)
const { dashboards, close } = await openStoreDashboards({
  now: monday + 10 * day,
  contents: toContents(bodies),
})
afterAll(close)

const read = async (path: string, language: string) =>
  (await dashboards.app.request(path, { headers: { 'accept-language': language } })).text()

describe.each(sizes)('where all but one of %d are completed,', (n) => {
  const shown = n === 2000 ? { en: '&gt;99.9%', de: '&gt;99,9 %' } : { en: '99.5%', de: '99,5 %' }

  test.each(['en', 'de'] as const)('no ranking shows 100 % in %s', async (language) => {
    for (const path of [`/challenges?team=t${n}`, `/teams?team=t${n}`]) {
      const text = await read(path, language)
      expect([path, /\b100([.,]0)?\s?%/.exec(text)?.[0]]).toEqual([path, undefined])
      expect(text).toMatch(/&gt;99\s?%/)
    }
  })

  test.each(['en', 'de'] as const)('no headline shows 100 % in %s', async (language) => {
    for (const path of [`/?team=t${n}`, `/challenges/c1?team=t${n}`, `/teams/t${n}`]) {
      const values = [
        ...(await read(path, language)).matchAll(/<p class="headline-value[^>]*>(?:<a[^>]*>)?([^<]*%)/g),
      ]
      const texts = values.map(([, text]) => text?.replace('\u00a0', ' '))
      expect([path, texts]).toEqual([path, [shown[language], shown[language]]])
    }
  })
})

test.each(['challenges', 'teams'])(
  '%s.xlsx keeps the exact share, and its format shows >99%%',
  async (what) => {
    const file = await (await dashboards.app.request(`/${what}.xlsx?team=t212`)).arrayBuffer()
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
