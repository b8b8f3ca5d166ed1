/** Compares the fields of a delivery with the specification: what is there and unknown, what is specified and not there. */
import { challengeAssignmentSchema, challengeSchema, userSchema, webhookSchema } from './event.ts'

export type FieldDrift = { kind: 'unknown' | 'missing'; path: string }

const parts: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(webhookSchema.shape),
  user: Object.keys(userSchema.shape),
  challenge: Object.keys(challengeSchema.shape),
  challengeAssignment: Object.keys(challengeAssignmentSchema.shape),
}

/** What real platforms leave out of challenge events, and nobody needs. */
const oftenLeftOut = new Set([
  'user.isDeleted',
  'user.isPermanentlyDeleted',
  'user.groups',
  'user.managers',
  'user.directReports',
])

/** A name that is no identifier may be anything, also somebody's. */
const plainName = /^[A-Za-z_][A-Za-z0-9_-]{0,60}$/
const oddName = '(odd name)'

/** Of a challenge event; `event` is its parsed body. */
export function findFieldDrift(event: Readonly<Record<string, unknown>>): FieldDrift[] {
  return Object.entries(parts).flatMap(([part, known]) => {
    const value = part === '' ? event : event[part]
    // A part that is missing is missing once, with its name.
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    const toPath = (name: string) => (part === '' ? name : `${part}.${name}`)
    const unknown = Object.keys(value)
      .filter((name) => !known.includes(name))
      .map((name) => toPath(plainName.test(name) ? name : oddName))
    const missing = known.map((name) => [name, toPath(name)] as const)
    return [
      ...[...new Set(unknown)].map((path): FieldDrift => ({ kind: 'unknown', path })),
      ...missing
        .filter(([name, path]) => !Object.hasOwn(value, name) && !oftenLeftOut.has(path))
        .map(([, path]): FieldDrift => ({ kind: 'missing', path })),
    ]
  })
}
