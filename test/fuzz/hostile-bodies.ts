/**
 * Bodies that attack what reads them: real payloads with a few hostile changes, and garbage. Made by fast-check from a seed,
 * so that a run can be repeated. JSON is written by hand here, because what JSON.stringify cannot write is of interest.
 */
import fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { oddKey, oddValue, write, type Piece } from './odd-json.ts'
import { monday } from '../support/data/records.ts'

export type HostileBody = {
  /** How it was made, for the report. */
  kind: string
  bytes: Uint8Array
}

/** The limit of a body (MAX_BODY_BYTES). */
export const maxBodyBytes = 1_048_576

const times = fc.integer({ min: 0, max: 40 * 86_400_000 }).map((after) => monday + after)

/** A delivery as the platform sends it, of few people and assignments, so that they meet. */
const honest: fc.Arbitrary<Piece> = fc
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
  .map(({ kind, id, person, at, due, is, grade, managers }) =>
    toPiece({
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
    }),
  )

function toPiece(value: unknown): Piece {
  if (Array.isArray(value)) return { items: value.map(toPiece) }
  if (typeof value === 'object' && value !== null) {
    return { fields: Object.entries(value).map(([key, inner]) => [key, toPiece(inner)]) }
  }
  return { raw: JSON.stringify(value) }
}

type Change = { at: number; how: 'replace' | 'add' | 'repeat' | 'drop' | 'rename'; key: string; value: Piece }

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: 60 }),
  how: fc.constantFrom('replace', 'replace', 'replace', 'add', 'repeat', 'drop', 'rename'),
  key: oddKey,
  value: oddValue,
})

/** Changes one field, the `at`-th of all of them. */
function applyChange(root: Piece, { at, how, key, value }: Change): void {
  const places: { fields: [string, Piece][]; index: number }[] = []
  const open: Piece[] = [root]
  for (const piece of open) {
    if ('items' in piece) open.push(...piece.items)
    if (!('fields' in piece)) continue
    piece.fields.forEach(([, inner], index) => {
      places.push({ fields: piece.fields, index })
      open.push(inner)
    })
  }
  const place = places[at % Math.max(1, places.length)]
  if (place === undefined) return
  const { fields, index } = place
  const [name, inner] = fields[index] as [string, Piece]
  if (how === 'replace') fields[index] = [name, value]
  else if (how === 'rename') fields[index] = [key, inner]
  else if (how === 'drop') fields.splice(index, 1)
  else fields.splice(index + 1, 0, [how === 'add' ? key : name, value])
}

const changed: fc.Arbitrary<HostileBody> = fc
  .tuple(honest, fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([piece, changes]) => {
    for (const each of changes) applyChange(piece, each)
    return { kind: `payload with ${changes[0]?.how ?? 'nothing'}`, bytes: Buffer.from(write(piece)) }
  })

const encodings: Record<string, (json: string) => Uint8Array> = {
  'with a byte order mark': (json) => Buffer.from(`\ufeff${json}`),
  'UTF-16': (json) => Buffer.from(json, 'utf16le'),
  'UTF-16, the other way round': (json) => Buffer.from(json, 'utf16le').swap16(),
  'Latin 1': (json) => Buffer.from(json.replace('Person', 'Pèrson'), 'latin1'),
  gzip: (json) => gzipSync(json),
  'surrogates in UTF-8': (json) =>
    Buffer.concat([
      Buffer.from(json.slice(0, 20)),
      Buffer.from([0xed, 0xa0, 0xbd]),
      Buffer.from(json.slice(20)),
    ]),
  'overlong UTF-8': (json) =>
    Buffer.concat([Buffer.from(json.slice(0, 20)), Buffer.from([0xc0, 0x80]), Buffer.from(json.slice(20))]),
  'with more behind it': (json) => Buffer.from(`${json}${json}`),
  'as a form': (json) => Buffer.from(`payload=${encodeURIComponent(json)}`),
  'in a list': (json) => Buffer.from(`[${json}]`),
}

const encoded: fc.Arbitrary<HostileBody> = fc
  .tuple(honest, fc.constantFrom(...Object.keys(encodings)))
  .map(([piece, name]) => ({ kind: name, bytes: encodings[name]?.(write(piece)) ?? new Uint8Array() }))

const damaged: fc.Arbitrary<HostileBody> = fc
  .tuple(
    honest,
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }),
    fc.option(fc.nat()),
  )
  .map(([piece, flips, cut]) => {
    const bytes = Buffer.from(write(piece))
    for (const [at, byte] of flips) bytes[at % bytes.length] = byte
    return {
      kind: cut === null ? 'with bytes changed' : 'cut',
      bytes: cut === null ? bytes : bytes.subarray(0, cut % bytes.length),
    }
  })

const garbage: fc.Arbitrary<HostileBody> = fc.oneof(
  fc.uint8Array({ maxLength: 400 }).map((bytes) => ({ kind: 'random bytes', bytes })),
  oddValue.map((piece) => ({ kind: 'odd JSON alone', bytes: Buffer.from(write(piece)) })),
  fc.json().map((json) => ({ kind: 'random JSON', bytes: Buffer.from(json) })),
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
    const items = Array.from(
      { length: Math.floor((maxBodyBytes - 300) / (Buffer.byteLength(unit) + 1)) },
      () => unit,
    )
    const isJson = /^["{[\d]/.test(unit)
    const bytes = ofUser(isJson ? `"${field}":[${items.join(',')}]` : `"${field}":"${items.join('')}"`)
    return { kind: `huge ${isJson ? 'list' : 'text'} of ${unit}`, bytes }
  })

const hugeDepth: fc.Arbitrary<HostileBody> = fc.constantFrom('[', '{"a":').map((open) => {
  const levels = Math.floor((maxBodyBytes - 300) / (open.length + 1))
  const nested = `${open.repeat(levels)}${open === '[' ? '' : '1'}${(open === '[' ? ']' : '}').repeat(levels)}`
  return { kind: 'huge depth', bytes: ofUser(`"groups":${nested}`) }
})

const overLimit: fc.Arbitrary<HostileBody> = fc.constantFrom(0, 1, 100_000).map((over) => ({
  kind: over === 0 ? 'just the limit' : 'over the limit',
  bytes: Buffer.alloc(maxBodyBytes + over, 0x20),
}))

/** One in a hundred is huge: they take a hundred times as long. */
const hostileBody: fc.Arbitrary<HostileBody> = fc.oneof(
  { weight: 150, arbitrary: honest.map((piece) => ({ kind: 'honest', bytes: Buffer.from(write(piece)) })) },
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
