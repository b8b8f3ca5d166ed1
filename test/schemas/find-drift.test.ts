import { describe, expect, test } from 'vitest'
import { findFieldDrift } from '../../schemas/webhook/find-drift.ts'
import { monday, toBody } from '../support/data/records.ts'

type Part = Record<string, unknown>
type Sent = { [part: string]: unknown; user: Part; challenge: Part; challengeAssignment: Part }

const toSent = () => JSON.parse(Buffer.from(toBody('Created', 'a', monday)).toString()) as Sent

const optional = [
  'numDaysOverdue',
  'isSubmitted',
  'completedAt',
  'dueDate',
  'firstViewedAt',
  'lastViewedAt',
  'reviewersDueDate',
]
const required = [
  'id',
  'challengeId',
  'calculatedGrade',
  'completionPercentage',
  'status',
  'isCompleted',
  'isCompletedOnTime',
  'isFullyGraded',
  'isOverdue',
  'isPartiallyGraded',
  'passed',
  'createdAt',
  'updatedAt',
]

describe('fields of a delivery', () => {
  test('are as specified where optional ones are absent or null', () => {
    const absent = toSent()
    for (const name of optional) delete absent.challengeAssignment[name]
    expect(findFieldDrift(absent)).toEqual([])
    const unset = toSent()
    for (const name of optional) unset.challengeAssignment[name] = null
    expect(findFieldDrift(unset)).toEqual([])
  })

  test.each(required)('are missing where a required one is null or absent: %s', (name) => {
    const missing = [{ kind: 'missing', path: `challengeAssignment.${name}` }]
    const unset = toSent()
    unset.challengeAssignment[name] = null
    expect(findFieldDrift(unset)).toEqual(missing)
    delete unset.challengeAssignment[name]
    expect(findFieldDrift(unset)).toEqual(missing)
  })

  test('are required of the event and of its challenge; of a user, whose fields are not shown, only the id', () => {
    const sent = toSent()
    sent.challenge = { id: null }
    sent.user = {}
    expect(findFieldDrift(sent)).toEqual([
      { kind: 'missing', path: 'user.id' },
      { kind: 'missing', path: 'challenge.id' },
      { kind: 'missing', path: 'challenge.displayTitle' },
    ])
    expect(findFieldDrift({ eventType: 'x', timestamp: 1, user: null, challenge: {} })).toEqual([
      { kind: 'missing', path: 'user' },
      { kind: 'missing', path: 'challengeAssignment' },
      { kind: 'missing', path: 'challenge.id' },
      { kind: 'missing', path: 'challenge.displayTitle' },
    ])
  })

  test('are no news where real platforms are known to send them', () => {
    const sent = toSent()
    Object.assign(sent.user, {
      isAdmin: false,
      isDeleted: false,
      isPermanentlyDeleted: false,
      createdAt: 1,
      updatedAt: 1,
      groups: [],
      customAttributes: [],
      userIdentifiers: [],
      managers: [],
      directReports: [],
      certifications: [],
    })
    expect(findFieldDrift(sent)).toEqual([])
  })

  test('are news where nothing knows them, without an odd name', () => {
    const sent = toSent()
    Object.assign(sent.user, { badge: 1, 'ada@example.com': 2, status: 'x' })
    Object.assign(sent.challengeAssignment, { customAttributes: [], hasOwnProperty: 1, isPrototypeOf: 1 })
    expect(findFieldDrift(sent)).toEqual([
      { kind: 'unknown', path: 'user.badge' },
      { kind: 'unknown', path: 'user.(odd name)' },
      { kind: 'unknown', path: 'user.status' },
      { kind: 'unknown', path: 'challengeAssignment.customAttributes' },
      { kind: 'unknown', path: 'challengeAssignment.hasOwnProperty' },
      { kind: 'unknown', path: 'challengeAssignment.isPrototypeOf' },
    ])
  })

  test('are missing although the prototype has something of their name', () => {
    const sent = JSON.parse(
      '{"eventType":"x","timestamp":1,"__proto__":{"user":{}},"challenge":[],"challengeAssignment":7}',
    )
    expect(findFieldDrift(sent as Part)).toEqual([
      { kind: 'unknown', path: '__proto__' },
      { kind: 'missing', path: 'user' },
    ])
  })
})
