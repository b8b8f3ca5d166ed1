import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv } from '../../reporting/exports/csv.ts'

const toLine = (text: string) => toCsv([[text, 1]]).slice(1, -'\r\n'.length)

test.each([
  ['=1+1', "'=1+1"],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['\uff0b1', "'\uff0b1"],
  ['\uff0d1', "'\uff0d1"],
  ['\uff20SUM(A1)', "'\uff20SUM(A1)"],
  [' =1', " '=1"],
  ['a;=1', "a;'=1"],
  ['a;@x;-1', "a;'@x;'-1"],
  ['North; =HYPERLINK', "North; '=HYPERLINK"],
  ['a;\uff1d1', "a;'\uff1d1"],
  ['a;b=c', 'a;b=c'],
  ['well-known', 'well-known'],
  ['3; 4', '3; 4'],
  ['-9007199254740993.25', '-9007199254740993.25'],
  ['-1+1', "'-1+1"],
])('the cell %j is written as %j', (text, written) => {
  expect(toLine(text)).toBe(`${written},1`)
})

test('no cell begins a formula, neither by commas nor where semicolons or line breaks part cells', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      '=',
      '\uff1d',
      '\uff20',
      '+',
      '-',
      '@',
      ';',
      '"',
      ' ',
      ',',
      '\n',
      '\r',
      '\t',
      'a',
      "'",
    ),
  })
  fc.assert(
    fc.property(hostile, (text) => {
      const line = toLine(text)
      const unquoted = /^"(.*)",1$/s.exec(line)?.[1]?.replaceAll('""', '"') ?? line
      for (const cell of [unquoted, ...unquoted.split(/[;\t\r\n]/), ...line.split(/[;\t\r\n]/)]) {
        expect(cell).not.toMatch(/^[ "]*[=+\-@\uff1d\uff0b\uff0d\uff20]/)
      }
    }),
    { seed: 2026 },
  )
})

test('a long cell takes no longer than its length', () => {
  expect(toLine(' '.repeat(1_000_000))).toHaveLength(1_000_002)
})
