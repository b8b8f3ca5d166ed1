/** Compares the fields of a delivery with the specification: unknown ones that are there, required ones that are not. */
import { assignmentFieldList, challengeSchema, userSchema, webhookSchema } from './event.ts'

export type FieldDrift = { kind: 'unknown' | 'missing'; path: string }

/** Sent by real platforms, and read by nobody here. */
const unreadOfUser = ['createdAt', 'updatedAt', 'isAdmin', 'userIdentifiers', 'certifications']

const envelope = Object.keys(webhookSchema.shape)
const ofChallenge = Object.keys(challengeSchema.shape)

const parts: Readonly<Record<string, { fields: readonly string[]; required: readonly string[] }>> = {
  '': { fields: envelope, required: envelope },
  // The specification does not show a user's fields; without an id nobody is counted.
  user: { fields: [...Object.keys(userSchema.shape), ...unreadOfUser], required: ['id'] },
  challenge: { fields: ofChallenge, required: ofChallenge },
  challengeAssignment: {
    fields: assignmentFieldList.map(([name]) => name),
    required: assignmentFieldList.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name])),
  },
}

/** A name that is not an identifier may be anything, also somebody's. */
const plainName = /^[A-Za-z_][A-Za-z0-9_-]{0,60}$/
const oddName = '(odd name)'

/** The drift of a challenge event; `event` is its parsed body. */
export function findFieldDrift(event: Readonly<Record<string, unknown>>): FieldDrift[] {
  return Object.entries(parts).flatMap(([part, { fields, required }]) => {
    const value = part === '' ? event : event[part]
    // A part that is missing is missing once, with its name.
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    const toPath = (name: string) => (part === '' ? name : `${part}.${name}`)
    const unknown = Object.keys(value)
      .filter((name) => !fields.includes(name))
      .map((name) => toPath(plainName.test(name) ? name : oddName))
    return [
      ...[...new Set(unknown)].map((path): FieldDrift => ({ kind: 'unknown', path })),
      ...required
        .filter((name) => !Object.hasOwn(value, name) || (value as Record<string, unknown>)[name] === null)
        .map((name): FieldDrift => ({ kind: 'missing', path: toPath(name) })),
    ]
  })
}
