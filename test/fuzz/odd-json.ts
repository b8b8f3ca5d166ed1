/** Values and keys that something may stumble over. JSON is made of pieces, because JSON.stringify cannot write all of it. */
import fc from 'fast-check'

/** JSON that may have keys twice, and pieces that are taken as they are. */
export type Piece =
  { raw: string } | { text: string } | { items: Piece[] } | { fields: [key: string, value: Piece][] }

const raw = (text: string): Piece => ({ raw: text })
const text = (value: string): Piece => ({ text: value })

export function write(piece: Piece): string {
  if ('raw' in piece) return piece.raw
  if ('text' in piece) return JSON.stringify(piece.text)
  if ('items' in piece) return `[${piece.items.map(write).join(',')}]`
  return `{${piece.fields.map(([key, value]) => `${JSON.stringify(key)}:${write(value)}`).join(',')}}`
}

const wideSize = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 50 }) },
  { weight: 1, arbitrary: fc.constantFrom(999, 1_000, 1_001, 30_000) },
)
const depth = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(500, 5_000, 100_000) },
)
const length = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 1_001, 65_536, 300_000) },
)

const oddTexts = [
  '',
  '\0',
  'a\0b',
  '\u202e',
  'e\u0301',
  '\u2028',
  '😀',
  '__proto__',
  "'; DROP TABLE rollcall.events; --",
  '\\N',
  '\t\n\r',
  '<script>',
  'null',
  '1e400',
  '9007199254740993',
  '2026-02-30',
  'ada@example.com',
  '[erased]',
  'İ'.repeat(20),
]

const oddText: fc.Arbitrary<Piece> = fc.oneof(
  fc.constantFrom(...oddTexts).map(text),
  fc.string({ unit: 'binary', maxLength: 40 }).map(text),
  // Half of a surrogate pair, as an escape and in the wrong order.
  fc.constantFrom('"\\ud800"', '"\\udc00\\ud800"', '"a\\ud83d"', '"\\udfffx"').map(raw),
  fc
    .tuple(fc.constantFrom('a', '😀', '\\', '"', '@', 'a@', 'é'), length)
    .map(([unit, count]) => text(unit.repeat(count))),
)

const oddNumber: fc.Arbitrary<Piece> = fc.oneof(
  fc.constantFrom('1e400', '1e-400', '-0', '9007199254740993', '5e-324', '1790000000000.999').map(raw),
  length.map((digits) => raw(`1${'0'.repeat(Math.min(digits, 5_000))}`)),
  fc.double().map((value) => raw(Number.isFinite(value) ? String(value) : '0')),
)

export const oddValue: fc.Arbitrary<Piece> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom('null', 'true', 'false', '[]', '{}', '[null]', '{"id":null}').map(raw),
  depth.map((levels) => raw(`${'['.repeat(levels)}${']'.repeat(levels)}`)),
  depth.map((levels) =>
    raw(`${'{"id":'.repeat(Math.min(levels, 80_000))}1${'}'.repeat(Math.min(levels, 80_000))}`),
  ),
  fc
    .tuple(
      fc.constantFrom('1', 'null', '{}', '[]', '"x"', '{"id":1}', '{"id":[],"name":{}}', '{"id":"\\ud800"}'),
      wideSize,
    )
    .map(([item, count]) => raw(`[${Array.from({ length: count }, () => item).join(',')}]`)),
  wideSize.map((count) => ({
    items: Array.from({ length: count }, (_, at) => raw(`{"id":${at},"name":"n${at}"}`)),
  })),
  wideSize.map((count) => ({
    fields: Array.from({ length: count }, (_, at): [string, Piece] => [`k${at}`, raw(String(at))]),
  })),
)

export const oddKey = fc.oneof(
  fc.constantFrom('__proto__', '', 'id', 'timestamp', 'challengeAssignment', 'email'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
