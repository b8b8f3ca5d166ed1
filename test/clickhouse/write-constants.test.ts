/** Constants in the text of a statement, held to the engine's own parser: what goes in comes out, as exactly the type that was named. */
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import {
  ConstantError,
  toConstant,
  writeConstants,
} from '../../services/clickhouse/connection/write-constants.ts'
import { openTestStore } from '../support/store/store.ts'
import { isLong } from '../support/tiers.ts'

const store = await openTestStore()
afterAll(() => store.close())

/** Bytes that have a meaning somewhere in SQL, and text in which pairs of surrogates are torn apart. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      "'",
      '\\',
      '"',
      '`',
      '\0',
      '\n',
      '\r',
      '\t',
      '{',
      '}',
      ':',
      '$',
      '-',
      '/',
      '*',
      ';',
      '?',
      '\ud800',
      '\udc00',
      'N',
      'x',
    ),
  }),
  fc.constantFrom(
    "'; DROP TABLE rollcall.settings; --",
    "\\'",
    '{a:String}',
    "')) OR 1=1 --",
    '\\N',
    'NULL',
    '/*',
    '$$',
    '\u2028',
    '😀',
  ),
)
const wellFormed = hostile.map((text) => text.toWellFormed())
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
const uuid = fc.uuid()

/** A type, a value, and the value as the engine gives it in JSON with all numbers quoted as text. */
type Sample = [type: string, value: unknown, expected: unknown]
const sample = <Value>(
  type: string,
  values: fc.Arbitrary<Value>,
  expected: (value: Value) => unknown = String,
): fc.Arbitrary<Sample> => values.map((value) => [type, value, expected(value)])

const scalars = [
  sample('String', hostile, (text) => text.toWellFormed()),
  sample('LowCardinality(String)', wellFormed, (text) => text),
  sample('Nullable(String)', fc.option(wellFormed), (text) => text),
  sample('UInt8', whole(8n, false), Number),
  sample('UInt16', whole(16n, false), Number),
  sample('UInt32', whole(32n, false), Number),
  sample('UInt64', whole(64n, false)),
  sample('Int8', whole(8n, true), Number),
  sample('Int16', whole(16n, true), Number),
  sample('Int32', whole(32n, true), Number),
  sample('Int64', whole(64n, true)),
  sample('Nullable(Int64)', fc.option(whole(64n, true)), (value) => (value === null ? null : String(value))),
  sample('Bool', fc.boolean(), (value) => value),
  sample('UUID', uuid, (id) => id),
  sample(
    'UUID',
    uuid.map((id) => id.replaceAll('-', '')),
    (id) => id.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  ),
  sample("DateTime64(3, 'UTC')", instant, digits),
  sample("DateTime64(3, 'UTC')", instant.map(digits), (text) => text),
  sample(
    "DateTime64(6, 'Asia/Kolkata')",
    instant.map((date) =>
      digits(date)
        .replace(/^(\d{4})/, '2021')
        .replace('02-29', '03-01'),
    ),
    (text) => `${text}000`,
  ),
  sample(
    'Date',
    fc
      .date({ min: new Date(0), max: new Date('2149-06-06T23:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    (text) => text,
  ),
  sample(
    "DateTime('UTC')",
    fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((seconds) => digits(new Date(seconds * 1000)).slice(0, 19)),
    (text) => text,
  ),
]
const lists: fc.Arbitrary<Sample>[] = [
  sample('Array(String)', fc.array(hostile), (items) => items.map((text) => text.toWellFormed())),
  sample('Array(LowCardinality(String))', fc.array(wellFormed), (items) => items),
  sample('Array(Array(Nullable(String)))', fc.array(fc.array(fc.option(wellFormed))), (items) => items),
  sample('Array(UInt64)', fc.array(whole(64n, false)), (items) => items.map(String)),
  sample('Array(Int64)', fc.array(whole(64n, true)), (items) => items.map(String)),
  sample('Array(UUID)', fc.array(uuid), (items) => items),
  sample('Array(Bool)', fc.array(fc.boolean()), (items) => items),
  sample("Array(DateTime64(3, 'UTC'))", fc.array(instant.map(digits)), (items) => items),
  sample(
    'Tuple(String, Int64, Array(String))',
    fc.tuple(wellFormed, whole(64n, true), fc.array(wellFormed)),
    ([a, b, c]) => [a, String(b), c],
  ),
  sample('Tuple(String)', fc.tuple(wellFormed), (items) => items),
  sample('Array(Tuple(key String, at UInt64))', fc.array(fc.tuple(wellFormed, whole(64n, false))), (items) =>
    items.map(([key, at]) => ({ key, at: String(at) })),
  ),
]

/** The engine prints named tuples over several lines. */
function toOneLine(type: string): string {
  return type.replace(/\(\s+/g, '(').replace(/,\s+/g, ', ')
}

async function read(sql: string): Promise<{ value: unknown; type: string }> {
  const [row] = await store.rows<{ value: unknown; type: string }>(sql)
  if (row === undefined) throw new Error('no row')
  return row
}

describe('what a parameter says arrives', () => {
  test('for every type, whatever the value: equal, and of exactly that type', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(...scalars, ...lists), async ([type, value, expected]) => {
        // The text first: everything after it would be swallowed by a string that does not end.
        const { value: found, type: foundType } = await read(
          writeConstants(`SELECT {v:${type}} AS value, toTypeName(value) AS type`, { v: value }),
        )
        expect({ type, value, found, foundType: toOneLine(foundType) }).toEqual({
          type,
          value,
          found: expected,
          foundType: type,
        })
      }),
      { numRuns: isLong ? 1_500 : 150, seed: 2026 },
    )
  })

  test('doubles arrive bit by bit', async () => {
    const bits = (value: number) =>
      new DataView(new Float64Array([value]).buffer).getBigUint64(0, true).toString()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ noNaN: true }), { minLength: 1 }), async (values) => {
        const constant = toConstant('Array(Float64)', values)
        const { value } = await read(
          `SELECT arrayMap(x -> toString(reinterpretAsUInt64(x)), ${constant}) AS value, 'x' AS type`,
        )
        expect({ values, value }).toEqual({ values, value: values.map(bits) })
        const { value: one } = await read(
          `SELECT toString(reinterpretAsUInt64(${toConstant('Float64', values[0])})) AS value, 'x' AS type`,
        )
        expect(one).toBe(bits(values[0] ?? 0))
      }),
      { numRuns: isLong ? 300 : 50, seed: 2026 },
    )
  })

  test('a hostile text stays within its string, wherever it stands and whatever follows', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (first, second) => {
        const sql = writeConstants(
          `SELECT ({a:String}, {b:Array(String)}, {a:String}) AS value, 'end' AS type -- {a:String}`,
          { a: first, b: [second, first] },
        )
        const [a, b] = [first.toWellFormed(), second.toWellFormed()]
        expect(await read(`${sql}\n`)).toEqual({ value: [a, [b, a], a], type: 'end' })
      }),
      { numRuns: isLong ? 500 : 80, seed: 2026 },
    )
  })

  test('a name is one name', async () => {
    for (const name of ['plain', 'with`tick', 'with\\slash', "with'quote", 'a b', '{x:String}']) {
      expect(await store.rows(writeConstants('SELECT 1 AS {name:Identifier}', { name }))).toEqual([
        { [name]: 1 },
      ])
    }
  })
})

describe('what is no placeholder is left alone', () => {
  test.each([
    ["SELECT '{a:String}'"],
    ['SELECT "{a:String}"'],
    ['SELECT `{a:String}`'],
    ["SELECT 'it''s {a:String}', '\\'{a:String}'"],
    ['SELECT 1 -- it is {a:String}'],
    ['SELECT 1 /* {a:String} */'],
    ['SELECT $tag$ {a:String} $tag$'],
    ["SELECT {'a':1}"],
  ])('%s', (sql) => {
    expect(writeConstants(sql, { a: 'no' })).toBe(sql)
  })
})

describe('what a type cannot hold is refused, and never wrapped around', () => {
  test.each([
    ['UInt8', 256],
    ['UInt8', -1],
    ['UInt16', 65_536],
    ['UInt64', 2n ** 64n],
    ['Int64', 2n ** 63n],
    ['UInt64', 2 ** 53],
    ['UInt64', '1; DROP TABLE x'],
    ['UInt64', '0x10'],
    ['UInt64', ''],
    ['UInt64', 1.5],
    ['UInt64', Number.NaN],
    ['UInt64', null],
    ['String', null],
    ['String', 7],
    ['Bool', 'true'],
    ['Float64', '1'],
    ['UUID', "'; DROP"],
    ['Date', '2026-02-30'],
    ['Date', '2150-01-01'],
    ["DateTime64(3, 'UTC')", '1899-12-31 23:59:59.999'],
    ["DateTime64(3, 'UTC')", '2026-01-05 25:00:00'],
    ["DateTime64(3, 'UTC')", '2026-01-05 00:00:00.0001'],
    ["DateTime64(3, 'UTC')", new Date(Number.NaN)],
    ["DateTime64(3, 'Europe/Berlin')", new Date()],
    ['FixedString(3)', 'four'],
    ['Array(UInt8)', '[1,2]'],
    ['Array(UInt8)', [1, 300]],
    ['Array(UInt64)', ['1']],
    ['Array(Tuple(String, Int64))', [['a', '1']]],
    ['Tuple(UInt8, UInt8)', [1]],
    ['Map(String, UInt8)', {}],
    ['Decimal(9, 2)', 1],
    ['Identifier', ''],
    ['Identifier', 'a\0b'],
  ])('%s: %s', (type, value) => {
    expect(() => writeConstants(`SELECT {v:${type}}`, { v: value })).toThrow(ConstantError)
  })

  test('a parameter without a value', () => {
    expect(() => writeConstants('SELECT {v:UInt8}', {})).toThrow('The parameter v has no value')
  })

  test('a refusal does not repeat the value', () => {
    expect(() => writeConstants('SELECT {v:UInt8}', { v: 'ada@example.com' })).toThrow(/^(?!.*ada)/)
  })
})

test('lists longer than a statement may be by default are no matter', async () => {
  const keys = Array.from({ length: 30_000 }, (_, index) => 2n ** 63n + BigInt(index))
  const ids = Array.from({ length: 400 }, (_, index) => `${'x'.repeat(1_000)}${index}`)
  const [row] = await store.rows<{ n: string; m: string }>(
    `SELECT countIf(number + 9223372036854775808 IN {keys:Array(UInt64)}) AS n, countIf(concat(repeat('x', 1000), toString(number)) IN {ids:Array(String)}) AS m FROM numbers(40000)`,
    { keys, ids },
  )
  expect(row).toEqual({ n: '30000', m: '400' })
})
