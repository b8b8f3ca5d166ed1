/**
 * Bodies that attack what reads them: real payloads with a few hostile changes, and garbage. Made by fast-check from a seed,
 * so that a run can be repeated. Hostile values are texts of JSON, because what JSON.stringify cannot write is of interest.
 */
import fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { monday } from '../support/data/records.ts'

export type HostileBody = {
  /** How it was made, for the report. */
  kind: string
  bytes: Uint8Array
}

/** The limit of a body (MAX_BODY_BYTES). */
export const maxBodyBytes = 1_048_576

const usually = (most: number, ...seldom: number[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: most }) },
    { weight: 1, arbitrary: fc.constantFrom(...seldom) },
  )
const depth = usually(60, 500, 5_000, 80_000)
const length = usually(400, 1_000, 1_001, 65_536, 300_000)
const width = usually(50, 999, 1_000, 1_001, 30_000)
const list = (count: number, toItem: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => toItem(at)).join()

const oddTexts = [
  '',
  '\0',
  'a\0b',
  '\u202e',
  'e\u0301',
  '\u2028',
  '😀',
  '\\N',
  '\t\n\r',
  'İ'.repeat(20),
  '__proto__',
  "'; DROP TABLE rollcall.events; --",
  '<script>',
  'null',
  '1e400',
  '9007199254740993',
  '2026-02-30',
  'ada@example.com',
  '[erased]',
]
const raw = `"\\ud800" "\\udc00\\ud800" "a\\ud83d" "\\udfffx" 1e400 1e-400 -0 9007199254740993 5e-324 1790000000000.999 null true false [] {} [null] {"id":null}`
const items = '1 null {} [] "x" {"id":1} {"id":[],"name":{}} {"id":"\\ud800"}'

/** A text of JSON that something may stumble over. */
const oddValue: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddTexts).map((text) => JSON.stringify(text)),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
  fc.constantFrom(...raw.split(' ')),
  fc
    .tuple(fc.constantFrom('a', '😀', '\\', '"', '@', 'a@', 'é'), length)
    .map(([unit, count]) => JSON.stringify(unit.repeat(count))),
  length.map((digits) => `1${'0'.repeat(Math.min(digits, 5_000))}`),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
  depth.map((levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`),
  depth.map((levels) => `${'{"id":'.repeat(levels)}1${'}'.repeat(levels)}`),
  fc
    .tuple(fc.constantFrom(...items.split(' ')), width)
    .map(([item, count]) => `[${list(count, () => item)}]`),
  width.map((count) => `[${list(count, (at) => `{"id":${at},"name":"n${at}"}`)}]`),
  width.map((count) => `{${list(count, (at) => `"k${at}":${at}`)}}`),
)
const oddKey = fc.oneof(
  fc.constantFrom('__proto__', '', 'id', 'timestamp', 'challengeAssignment', 'email'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

type Fields = Record<string, unknown>
const times = fc.integer({ min: 0, max: 40 * 86_400_000 }).map((after) => monday + after)

/** A delivery as the platform sends it, of few people and assignments, so that they meet. */
const honest: fc.Arbitrary<Fields> = fc
  .record({
    kind: fc.constantFrom('Created', 'Progress', 'Completed', 'Deleted'),
    id: fc.integer({ min: 1, max: 400 }),
    person: fc.integer({ min: 1, max: 60 }),
    at: times,
    due: fc.option(times),
    is: fc.boolean(),
    grade: fc.integer({ min: 0, max: 100 }),
    managers: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
  })
  .map(({ kind, id, person, at, due, is, grade, managers }) => ({
    eventType: `assignment${kind}.challenge`,
    timestamp: at,
    user: {
      id: person,
      name: `Person ${person}`,
      email: `person${person}@example.com`,
      isDeleted: false,
      groups: [{ id: person % 5, name: `Team ${person % 5}` }],
      managers: managers.map((manager) => ({ id: manager })),
    },
    challenge: { id: `c${id % 7}`, displayTitle: `Challenge ${id % 7}` },
    challengeAssignment: {
      id: `a${id}`,
      challengeId: `c${id % 7}`,
      calculatedGrade: grade,
      completionPercentage: grade,
      status: is ? 'completed' : 'in_progress',
      isCompleted: is,
      isSubmitted: is,
      isFullyGraded: is,
      passed: is,
      createdAt: monday,
      dueDate: due,
      updatedAt: at,
    },
  }))
const honestJson = honest.map((fields) => JSON.stringify(fields))

const change = fc.record({
  at: fc.nat({ max: 60 }),
  how: fc.constantFrom('replace', 'replace', 'replace', 'add', 'repeat', 'drop', 'rename'),
  key: oddKey,
  value: oddValue,
})

const changed: fc.Arbitrary<HostileBody> = fc
  .tuple(honest, fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([root, changes]) => {
    const copy = structuredClone(root)
    const values: string[] = []
    for (const { at, how, key, value } of changes) {
      const places = listPlaces(copy)
      const [fields, name] = places[at % Math.max(1, places.length)] ?? [copy, 'eventType']
      const inner = fields[name]
      // `mark` stands for the text of the value, and at the end of a key for nothing, so that a key may come twice.
      const mark = `§${values.push(value) - 1}§`
      if (how === 'replace') fields[name] = mark
      else if (how === 'add') define(fields, key, mark)
      else if (how === 'repeat') fields[`${name}§§`] = mark
      else delete fields[name]
      if (how === 'rename') define(fields, key, inner)
    }
    const json = JSON.stringify(copy)
      .replaceAll(/"§(\d+)§"/g, (_, at: string) => values[Number(at)] ?? '')
      .replaceAll('§§', '')
    return { kind: `payload with ${changes[0]?.how ?? 'nothing'}`, bytes: Buffer.from(json) }
  })

/** Also `__proto__`. */
function define(fields: Fields, key: string, value: unknown): void {
  Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true })
}

function listPlaces(value: unknown): [fields: Fields, name: string][] {
  if (Array.isArray(value)) return value.flatMap(listPlaces)
  if (typeof value !== 'object' || value === null) return []
  const fields = value as Fields
  return Object.keys(fields).flatMap((name) => [[fields, name], ...listPlaces(fields[name])])
}

const insert = (json: string, ...bytes: number[]) =>
  Buffer.concat([Buffer.from(json.slice(0, 20)), Buffer.from(bytes), Buffer.from(json.slice(20))])
const encodings: Record<string, (json: string) => Uint8Array> = {
  'with a byte order mark': (json) => Buffer.from(`\ufeff${json}`),
  'UTF-16': (json) => Buffer.from(json, 'utf16le'),
  'UTF-16, the other way round': (json) => Buffer.from(json, 'utf16le').swap16(),
  'Latin 1': (json) => Buffer.from(json.replace('Person', 'Pèrson'), 'latin1'),
  gzip: (json) => gzipSync(json),
  'surrogates in UTF-8': (json) => insert(json, 0xed, 0xa0, 0xbd),
  'overlong UTF-8': (json) => insert(json, 0xc0, 0x80),
  'with more behind it': (json) => Buffer.from(`${json}${json}`),
  'as a form': (json) => Buffer.from(`payload=${encodeURIComponent(json)}`),
  'in a list': (json) => Buffer.from(`[${json}]`),
}
const encoded: fc.Arbitrary<HostileBody> = fc
  .tuple(honestJson, fc.constantFrom(...Object.keys(encodings)))
  .map(([json, name]) => ({ kind: name, bytes: encodings[name]?.(json) ?? new Uint8Array() }))

const damaged: fc.Arbitrary<HostileBody> = fc
  .tuple(
    honestJson,
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }),
    fc.option(fc.nat()),
  )
  .map(([json, flips, cut]) => {
    const bytes = Buffer.from(json)
    if (cut !== null) return { kind: 'cut', bytes: bytes.subarray(0, cut % bytes.length) }
    for (const [at, byte] of flips) bytes[at % bytes.length] = byte
    return { kind: 'with bytes changed', bytes }
  })

const garbage: fc.Arbitrary<HostileBody> = fc.oneof(
  fc.uint8Array({ maxLength: 400 }).map((bytes) => ({ kind: 'random bytes', bytes })),
  fc.oneof(oddValue, fc.json()).map((json) => ({ kind: 'odd JSON alone', bytes: Buffer.from(json) })),
  fc.constant({ kind: 'nothing', bytes: new Uint8Array() }),
)

const ofUser = (user: string): Uint8Array =>
  Buffer.from(
    `{"eventType":"assignmentProgress.challenge","timestamp":${monday},"user":{"id":7,${user}},"challengeAssignment":{"id":"h"}}`,
  )

/** As large as is taken, and made of one thing that is costly somewhere: a text, or a list. */
const huge: fc.Arbitrary<HostileBody> = fc
  .tuple(
    fc.constantFrom('a', '\\u0041', 'a@b,', '\\ud83d', '€', '1', '{}', '[]', '{"id":1}', '"a@b"', '1e400'),
    fc.constantFrom('name', 'email', 'id', 'groups', 'managers', 'more'),
  )
  .map(([unit, field]) => {
    const count = Math.floor((maxBodyBytes - 300) / (Buffer.byteLength(unit) + 1))
    const isJson = /^["{[\d]/.test(unit)
    const bytes = ofUser(
      isJson ? `"${field}":[${list(count, () => unit)}]` : `"${field}":"${unit.repeat(count)}"`,
    )
    return { kind: `huge ${isJson ? 'list' : 'text'} of ${unit}`, bytes }
  })

const hugeDepth: fc.Arbitrary<HostileBody> = fc.constantFrom('[]', '{}').map(([open, close]) => {
  const begin = open === '[' ? '[' : '{"a":'
  const levels = Math.floor((maxBodyBytes - 300) / (begin.length + 1))
  return { kind: 'huge depth', bytes: ofUser(`"groups":${begin.repeat(levels)}1${close?.repeat(levels)}`) }
})

const overLimit: fc.Arbitrary<HostileBody> = fc.constantFrom(0, 1, 100_000).map((over) => ({
  kind: over === 0 ? 'just the limit' : 'over the limit',
  bytes: Buffer.alloc(maxBodyBytes + over, 0x20),
}))

/** One in a hundred is huge: they take a hundred times as long. */
const hostileBody: fc.Arbitrary<HostileBody> = fc.oneof(
  { weight: 150, arbitrary: honestJson.map((json) => ({ kind: 'honest', bytes: Buffer.from(json) })) },
  { weight: 450, arbitrary: changed },
  { weight: 130, arbitrary: encoded },
  { weight: 130, arbitrary: damaged },
  { weight: 130, arbitrary: garbage },
  { weight: 8, arbitrary: huge },
  { weight: 1, arbitrary: hugeDepth },
  { weight: 1, arbitrary: overLimit },
)

const samplesAtOnce = 500

/** `count` bodies; the same ones for the same seed. */
export function* sampleBodies(seed: number, count: number): Generator<HostileBody> {
  for (let from = 0; from < count; from += samplesAtOnce) {
    const numRuns = Math.min(samplesAtOnce, count - from)
    yield* fc.sample(hostileBody, { seed: seed + from, numRuns })
  }
}
