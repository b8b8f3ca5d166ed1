import { expect, test } from 'vitest'
import { assignmentFieldList } from '../../schemas/webhook/event.ts'
import { findFieldDrift } from '../../schemas/webhook/find-drift.ts'
import { monday, toBody } from '../support/data/records.ts'

type Part = Record<string, unknown>
type Sent = { [part: string]: unknown; user: Part; challenge: Part; challengeAssignment: Part }

const toSent = () => JSON.parse(Buffer.from(toBody('Created', 'a', monday)).toString()) as Sent

test.each(assignmentFieldList)(
  '%s is missing if it is absent or null, unless it is optional',
  (name, field) => {
    const missing = field.isOptional ? [] : [{ kind: 'missing', path: `challengeAssignment.${name}` }]
    const sent = toSent()
    sent.challengeAssignment[name] = null
    expect(findFieldDrift(sent)).toEqual(missing)
    delete sent.challengeAssignment[name]
    expect(findFieldDrift(sent)).toEqual(missing)
  },
)

test('requires the parts of an event and of its challenge, and of a user only the id', () => {
  expect(findFieldDrift({ ...toSent(), challenge: { id: null }, user: {} })).toEqual([
    { kind: 'missing', path: 'user.id' },
    { kind: 'missing', path: 'challenge.id' },
    { kind: 'missing', path: 'challenge.displayTitle' },
  ])
  // Also where the prototype has something of that name.
  const odd = '{"eventType":"x","timestamp":1,"__proto__":{"user":{}},"challenge":[],"challengeAssignment":7}'
  expect(findFieldDrift(JSON.parse(odd) as Part)).toEqual([
    { kind: 'unknown', path: '__proto__' },
    { kind: 'missing', path: 'user' },
  ])
})

test('names unknown fields, except those that real platforms send, and hides odd names', () => {
  const sent = toSent()
  Object.assign(sent.user, { isAdmin: false, certifications: [], userIdentifiers: [], managers: [] })
  expect(findFieldDrift(sent)).toEqual([])
  Object.assign(sent.user, { badge: 1, 'ada@example.com': 2 })
  Object.assign(sent.challengeAssignment, { customAttributes: [], hasOwnProperty: 1 })
  expect(findFieldDrift(sent)).toEqual([
    { kind: 'unknown', path: 'user.badge' },
    { kind: 'unknown', path: 'user.(odd name)' },
    { kind: 'unknown', path: 'challengeAssignment.customAttributes' },
    { kind: 'unknown', path: 'challengeAssignment.hasOwnProperty' },
  ])
})
