import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSqlReader } from '../../schemas/clickhouse/sql-reader.ts'

const directory = mkdtempSync(join(tmpdir(), 'rollcall-sql-'))
afterAll(() => rmSync(directory, { recursive: true }))

const write = (name: string, lines: string[]) => writeFileSync(join(directory, `${name}.sql`), lines.join('\n'))
const read = createSqlReader(directory)

test('a line with a condition is there only where the flag says so', () => {
  write('lines', ['SELECT 1', '    , 2 -- if two', '    , 3 -- unless two', '-- a comment, if any'])
  expect(read('lines', { two: true })).toBe('SELECT 1\n    , 2\n-- a comment, if any')
  expect(read('lines', { two: false })).toBe('SELECT 1\n    , 3\n-- a comment, if any')
})

test('a flag that is not given is an error, not a guess', () => {
  write('flag', ['SELECT 1', ', 2 -- if another'])
  expect(() => read('flag', { two: true })).toThrow('flag.sql asks for the flag another, which is not given')
})

test('an included file stands where its name stood, under the condition of that line', () => {
  write('outer', ['SELECT * FROM (', '-- include inner -- if wanted', ')', '-- include last'])
  write('inner', ['SELECT 1', 'WHERE x -- if narrow'])
  write('last', ['-- include end'])
  write('end', ['SETTINGS a = 1'])
  expect(read('outer', { wanted: true, narrow: true })).toBe('SELECT * FROM (\nSELECT 1\nWHERE x\n)\nSETTINGS a = 1')
  expect(read('outer', { wanted: true, narrow: false })).toBe('SELECT * FROM (\nSELECT 1\n)\nSETTINGS a = 1')
  expect(read('outer', { wanted: false, narrow: true })).toBe('SELECT * FROM (\n)\nSETTINGS a = 1')
})

test('an included file takes other parameters where the line says so', () => {
  write('both', ['-- include moment', 'UNION ALL', '-- include moment as_of=from zone=other -- if two'])
  write('moment', ['SELECT {as_of:DateTime}, {zone:String}, {zone_end:String}'])
  expect(read('both', { two: true })).toBe(
    'SELECT {as_of:DateTime}, {zone:String}, {zone_end:String}\nUNION ALL\nSELECT {from:DateTime}, {other:String}, {zone_end:String}',
  )
})

test('a flag of an included file is another one where the line says so', () => {
  write('narrow', ['SELECT 1', 'WHERE mine -- if mine', 'AND yours -- if yours -- unless all'])
  write('flags', ['-- include narrow', 'UNION ALL', '-- include narrow mine=never yours=never'])
  expect(read('flags', { mine: true, yours: true, all: false, never: false })).toBe(
    'SELECT 1\nWHERE mine\nAND yours\nUNION ALL\nSELECT 1',
  )
})

test('what the folder does not have is taken from what all share', () => {
  write('sharing', ['-- include leavers-at'])
  expect(read('sharing', { seen: false })).toContain('FROM rollcall.user_versions')
})
