import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson, stringifyJson } from '../../schemas/json.ts'

/** The promise, said another way: every text of the value by itself. */
function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(toWellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), toWellFormed(inner)]),
  )
}

const unit = fc.constantFrom(
  '\ud83d',
  '\ude00',
  '\udfff',
  '\ud800',
  '\\',
  'ud83d',
  '"',
  'a',
  '\0',
  '\u{1f600}',
  'u',
)
const text = fc.array(unit, { maxLength: 8 }).map((units) => units.join(''))
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, text, fc.integer(), tie('list'), tie('object'), tie('fields')),
  list: fc.array(tie('any'), { maxLength: 4 }),
  // One odd key at a time: after another key, JSON.parse of Node 24.21 (V8 13.6) can misread one that has an escape: `"\\u0041"` as `\\`.
  object: fc.dictionary(text, tie('any'), { maxKeys: 1 }),
  fields: fc.dictionary(fc.constantFrom('id', 'name', 'user', 'ud83d'), tie('any'), { maxKeys: 4 }),
})).any

/** The same escapes with digits in upper case. */
function changeCase(json: string): string {
  return json.replaceAll(/\\u([0-9a-f]{4})/g, (_, digits: string) => `\\u${digits.toUpperCase()}`)
}

test('JSON is read as JSON.parse reads it, with every text well-formed', () => {
  fc.assert(
    fc.property(value, (sent) => {
      const json = JSON.stringify(sent)
      expect(parseJson(json)).toEqual(toWellFormed(JSON.parse(json)))
      const other = changeCase(json)
      expect(parseJson(other)).toEqual(toWellFormed(JSON.parse(other)))
      expect(JSON.parse(stringifyJson(sent))).toEqual(toWellFormed(sent))
    }),
    { numRuns: 1_000, seed: 9 },
  )
})

test('a pair of escapes stays a pair, and halves that do not belong together become one replacement each', () => {
  expect(
    parseJson(String.raw`["\ud83d\ude00", "\uD83D\uDE00", "\ude00\ud83d", "\ud83dx", "\\ud83d"]`),
  ).toEqual(['\u{1f600}', '\u{1f600}', '\ufffd\ufffd', '\ufffdx', '\\ud83d'])
})

test('an id that a double would round stays as it was written, and all other numbers are numbers', () => {
  const json =
    '{"id":1234567890123456789,"user_id":-9007199254740993,"at":1234567890123456789,"userId":9007199254740992,"list":[{"challengeId":12345678901234567000}],"text":"\\"id\\":1234567890123456789"}'
  expect(parseJson(json)).toEqual({
    id: '1234567890123456789',
    user_id: '-9007199254740993',
    at: Number('1234567890123456789'),
    userId: 9007199254740992,
    list: [{ challengeId: Number('12345678901234567000') }],
    text: '"id":1234567890123456789',
  })
  const depth = 50_000
  const deep = `{"id":1234567890123456789,"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`
  expect((parseJson(deep) as { id: unknown }).id).toBe('1234567890123456789')
  // It mends nothing that is no JSON.
  for (const wrong of [
    '{"id":01234567890123456789}',
    '{"id":1234567890123456789.}',
    '{"a" "id":1234567890123456789}',
  ])
    expect(() => parseJson(wrong)).toThrow(SyntaxError)
})
