/** Constants in the text of a statement, held to the engine's own parser: what goes in comes out, as exactly the type that was named. */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { ConstantError, writeConstants } from '../../services/clickhouse/connection/write-constants.ts'
import { openTestStore } from '../support/store/store.ts'

const store = await openTestStore()
afterAll(() => store.close())

/** Bytes that have a meaning somewhere in SQL, and text in which pairs of surrogates are torn apart. */
const odd = [...'\'\\"`\0\n\r\t{}:$-/*;?Nx'.split(''), '\ud800', '\udc00']
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...odd) }),
  fc.constantFrom("'; DROP TABLE x; --", '{a:String}', "')) OR 1=1 --", '\\N', 'NULL', '$$', '\u2028', '😀'),
)
const whole = (bits: bigint, signed: boolean) =>
  signed
    ? fc.bigInt({ min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n })
    : fc.bigInt({ min: 0n, max: 2n ** bits - 1n })
const digits = (instant: Date) => instant.toISOString().slice(0, -1).replace('T', ' ')
const instant = fc.date({
  min: new Date('1900-01-01'),
  max: new Date('2299-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

/** A type, a value, and the value as the engine gives it in JSON. */
const sample = <Value>(type: string, values: fc.Arbitrary<Value>, expected: (value: Value) => unknown) =>
  values.map((value) => ({ type, value: value as unknown, expected: expected(value) }))
const toTexts = (items: string[]) => items.map((text) => text.toWellFormed())
const samples = [
  sample('String', hostile, (text) => text.toWellFormed()),
  ...[8n, 16n, 32n].map((bits) => sample(`UInt${bits}`, whole(bits, false), Number)),
  sample('UInt64', whole(64n, false), String),
  sample('Int64', whole(64n, true), String),
  sample('UUID', fc.uuid(), (id) => id),
  sample(
    'UUID',
    fc.uuid().map((id) => id.replaceAll('-', '')),
    (id) => id.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ),
  sample("DateTime64(3, 'UTC')", instant, digits),
  sample("DateTime64(3, 'UTC')", instant.map(digits), (text) => text),
  sample('Array(String)', fc.array(hostile), toTexts),
  sample('Array(UInt64)', fc.array(whole(64n, false)), (items) => items.map(String)),
  sample('Array(Int64)', fc.array(whole(64n, true)), (items) => items.map(String)),
  sample('Array(UUID)', fc.array(fc.uuid()), (items) => items),
]

const read = async (sql: string) => (await store.rows<{ value: unknown; type: string }>(sql))[0]

test('a value of every type arrives equal, and of exactly that type', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(...samples), async ({ type, value, expected }) => {
      // The text first: everything after it would be swallowed by a string that does not end.
      const sql = writeConstants(`SELECT {v:${type}} AS value, toTypeName(value) AS type`, { v: value })
      expect({ value, found: await read(sql) }).toEqual({ value, found: { value: expected, type } })
    }),
    { numRuns: 200, seed: 2026 },
  )
})

test('a hostile text stays within its string, wherever it stands and whatever follows', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (first, second) => {
      const text = "SELECT ({a:String}, {b:Array(String)}, {a:String}) AS value, 'end' AS type -- {a:String}"
      const [a, b] = [first.toWellFormed(), second.toWellFormed()]
      const found = await read(`${writeConstants(text, { a: first, b: [second, first] })}\n`)
      expect(found).toEqual({ value: [a, [b, a], a], type: 'end' })
    }),
    { numRuns: 80, seed: 2026 },
  )
})

test.each(['plain', 'with`tick', 'with\\slash', "with'quote", 'a b', '{x:String}'])(
  '%s is one name',
  async (name) => {
    expect(await store.rows(writeConstants('SELECT 1 AS {name:Identifier}', { name }))).toEqual([
      { [name]: 1 },
    ])
  },
)

test.each([
  "SELECT '{a:String}'",
  'SELECT "{a:String}"',
  'SELECT `{a:String}`',
  "SELECT 'it''s {a:String}', '\\'{a:String}'",
  'SELECT 1 -- it is {a:String}',
  'SELECT 1 /* {a:String} */',
  'SELECT $tag$ {a:String} $tag$',
  "SELECT {'a':1}",
])('leaves what is no placeholder: %s', (sql) => {
  expect(writeConstants(sql, { a: 'no' })).toBe(sql)
})

test.each([
  ['UInt8', 256],
  ['UInt8', -1],
  ['UInt64', 2n ** 64n],
  ['Int64', 2n ** 63n],
  ['UInt64', 2 ** 53],
  ['UInt64', '1; DROP TABLE x'],
  ['UInt64', '0x10'],
  ['UInt64', ''],
  ['UInt64', 1.5],
  ['UInt64', null],
  ['String', null],
  ['String', 7],
  ["DateTime64(3, 'UTC')", new Date(Number.NaN)],
  ['Array(UInt8)', '[1,2]'],
  ['Array(UInt8)', [1, 300]],
  ['Array(UInt64)', ['1']],
  ['Float64', 1],
  ['Identifier', ''],
  ['Identifier', 'a\0b'],
])('refuses what a type cannot hold, and does not wrap around: %s %s', (type, value) => {
  expect(() => writeConstants(`SELECT {v:${type}}`, { v: value })).toThrow(ConstantError)
})

test('refuses a parameter without a value, and does not repeat a wrong value', () => {
  expect(() => writeConstants('SELECT {v:UInt8}', {})).toThrow('The parameter v has no value')
  expect(() => writeConstants('SELECT {v:UInt8}', { v: 'ada@example.com' })).toThrow(/^(?!.*ada)/)
})

test('takes lists longer than a statement may be by default', async () => {
  const keys = Array.from({ length: 30_000 }, (_, index) => 2n ** 63n + BigInt(index))
  const [row] = await store.rows<{ n: string }>(
    'SELECT countIf(number + 9223372036854775808 IN {keys:Array(UInt64)}) AS n FROM numbers(40000)',
    { keys },
  )
  expect(row).toEqual({ n: '30000' })
})
