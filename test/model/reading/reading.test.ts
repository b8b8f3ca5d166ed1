import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readInstant, readDeliveries, readEvent } from './reading.ts'
import { at, delivery, event } from '../by-hand/hand.ts'

describe('a time on the wire', () => {
  const noon = Date.UTC(2026, 2, 29, 12)
  test.each<[unknown, number | undefined]>([
    [noon, noon],
    [noon + 0.999, noon],
    [String(noon), noon],
    ['2026-03-29', noon - 12 * 3_600_000],
    ['2026-03-29T12:00', noon],
    ['2026-03-29T12:00:00Z', noon],
    ['2026-03-29T12:00:00.1239', noon + 123],
    ['2026-03-29T12:00:00.5Z', noon + 500],
    ['2026-03-29T14:00:00+02', noon],
    ['2026-03-29T17:30+0530', noon],
    ['2026-03-29T08:30:00-03:30', noon],
    // 2149 is out of reach, its eve is not
    [Date.UTC(2149, 0, 1) - 1, Date.UTC(2149, 0, 1) - 1],
    [Date.UTC(2149, 0, 1), undefined],
    ['2149-01-01', undefined],
    [0, undefined],
    [0.9, undefined],
    ['0', undefined],
    [-1, undefined],
    ['-5', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['soon', undefined],
    ['2026-02-30', undefined],
    ['2026-03-29T24:00', undefined],
    ['2026-03-29T12', undefined],
    ['2026-03-29 12:00', undefined],
    ['2026-03-29Z', undefined],
    [null, undefined],
    [true, undefined],
    [undefined, undefined],
  ])('%j is %j', (value, expected) => {
    expect(readInstant(value)).toBe(expected)
  })
})

test('an event is named by the first half of the hash of its bytes', () => {
  const body = '{"eventType":"userCreated","timestamp":1}'
  expect(readEvent(body)?.eventId).toBe(createHash('sha256').update(body).digest('hex').slice(0, 32))
})

test('the same bytes are one event, the same content in other bytes is another', () => {
  const once = delivery('{"eventType":"userCreated","timestamp":5}')
  expect(readDeliveries([once, once])).toHaveLength(1)
  expect(readDeliveries([once, delivery('{"eventType":"userCreated", "timestamp":5}')])).toHaveLength(2)
})

test('an event without type, readable timestamp or (of the four) assignment id cannot be used', () => {
  expect(readEvent('not json')).toBeUndefined()
  expect(readEvent('[]')).toBeUndefined()
  expect(readEvent(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined()
  expect(readEvent('{"timestamp":5}')).toBeUndefined()
  expect(readEvent('{"eventType":7,"timestamp":5}')).toBeUndefined()
  expect(readEvent('{"eventType":"userCreated","timestamp":"soon"}')).toBeUndefined()
  expect(readEvent('{"eventType":"assignmentCreated.challenge","timestamp":5}')).toBeUndefined()
  const emptyId = '{"eventType":"assignmentCreated.challenge","timestamp":5,"challengeAssignment":{"id":""}}'
  expect(readEvent(emptyId)).toBeUndefined()
  // Other families need no assignment, and make none.
  expect(readEvent('{"eventType":"assignmentCreated.guide","timestamp":5}')?.assignment).toBeUndefined()
  expect(readEvent('{"eventType":"assignmentCreated.guide","timestamp":5}')?.timestamp).toBe(5)
})

test('takes the last value of a repeated key', () => {
  expect(readEvent('{"eventType":"userCreated","timestamp":5,"timestamp":6}')?.timestamp).toBe(6)
})

test('ids are text, numbers by their shortest decimal text; the challenge may stand beside the assignment', () => {
  const numeric = readEvent(event('Created', '2026-03-01', { id: 7, challengeId: null }, { id: 9 }).body)
  expect(numeric?.assignment?.id).toBe('7')
  expect(numeric?.assignment?.payload.userId).toBe('9')
  expect(numeric?.assignment?.payload.challengeId).toBe('c')
  expect(readEvent(event('Created', '2026-03-01', { id: 7.0 }).body)?.assignment?.id).toBe('7')
  const both = readEvent(event('Created', '2026-03-01', { challengeId: 'd' }).body)
  expect(both?.assignment?.payload.challengeId).toBe('d')
})

test('a field of another type is unknown, and an unknown flag is not true', () => {
  const payload = readEvent(
    event('Progress', '2026-03-01', {
      isCompleted: 'true',
      isOverdue: 1,
      status: 'archived',
      calculatedGrade: '80',
      dueDate: true,
      createdAt: at('2026-02-01'),
    }).body,
  )?.assignment?.payload
  expect(payload).toMatchObject({ isCompleted: false, createdAt: at('2026-02-01') })
  for (const field of ['isOverdue', 'status', 'calculatedGrade', 'dueDate'] as const) {
    expect(payload?.[field]).toBeUndefined()
  }
})
