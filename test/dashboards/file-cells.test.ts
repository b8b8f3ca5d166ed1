/** Names that spreadsheets read as something else, from the delivery to the file. */
import { readXlsx } from 'hucre/xlsx'
import { afterAll, expect, test } from 'vitest'
import { monday, toBody } from '../support/data/records.ts'
import { toContents } from '../support/data/store-bodies.ts'
import { openStoreDashboards } from './store-dashboards.ts'

const names = [
  'a\u0001b',
  '_x0041_',
  'x\uFFFEy',
  '00123',
  '=1+1',
  '\uFF1D1+1',
  '\n=1+1',
  ' =1+1',
  '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}',
]
const bodies = names.map((name, at) => toBody('Created', `a${at}`, monday, {}, { id: at + 1, name }))
const company = await openStoreDashboards({ now: monday + 86_400_000, contents: toContents(bodies) })
afterAll(() => company.close())

test('each name is one person, and no cell of a CSV begins a formula', async () => {
  const csv = await company.get('/learners.csv')
  const cells = [...csv.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
  for (const [at] of names.entries()) expect(cells.filter((cell) => cell === String(at + 1)).length).toBeGreaterThan(0)
  for (const cell of cells) expect(cell).not.toMatch(/^[\s"]*[=+@\uFF1D\uFF0B\uFF0D\uFF20]/)
  expect(cells).toContain('00123')
})

test('an XLSX opens, with a text for each name and no formula', async () => {
  const answer = await company.dashboards.app.request('/learners.xlsx')
  const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()))
  const cells = (sheets[0]?.rows ?? []).flat().map(String)
  for (const name of ['_x0041_', '00123', '=1+1', '\uFF1D1+1', names.at(-1)]) expect(cells).toContain(name)
  expect(cells.filter((cell) => /^a.?b$/.test(cell))).toHaveLength(1)
})
