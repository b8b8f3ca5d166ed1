import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toEpochMs } from '../../schemas/webhook/field.ts'
import { isEventId, parseDelivery, toEventId, toLogKey } from '../../schemas/webhook/parse-delivery.ts'
import { costRatio } from '../support/cost.ts'
import { expectNoMarker, marker } from '../support/data/markers.ts'
import { monday, toBody } from '../support/data/records.ts'

const encode = (value: unknown) =>
  Buffer.isBuffer(value) ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))

/** The event that a body is read as; fails the test when it is not usable. */
function readEvent(value: unknown) {
  const delivery = parseDelivery(encode(value))
  if (delivery.outcome !== 'event') throw new Error(JSON.stringify(delivery.problems))
  return delivery
}

const usable = {
  eventType: 'assignmentProgress.challenge',
  timestamp: 1_767_700_000_000,
  challengeAssignment: { id: 'a' },
}

describe('reading times', () => {
  test.each([
    [1466832522351, 1466832522351],
    [1466832522351.831, 1466832522351],
    ['1466832522351', 1466832522351],
    ['2026-01-05', monday],
    ['2026-01-05T00:00:00Z', monday],
    ['2026-01-05T00:00:00.1234567Z', monday + 123],
    ['2026-01-05T01:00:00+01:00', monday],
    ['2026-01-04T19:30-04:30', monday],
    ['2026-01-05T00:00', monday],
    ['2026-01-05T01:00:00+0100', monday],
    ['2026-01-05T02:00+02', monday],
    ['2026-01-05T23:59+23:59', monday],
    ['2026-01-05T23:59:59', monday + 86_399_000],
    ['2026-01-05T00:00:00.5Z', monday + 500],
    ['2026-01-05T01+01:00', undefined],
    ['2026-01-05T10:60', undefined],
    ['2026-01-05T10:00:60', undefined],
    ['2026-03-00', undefined],
    ['2026-01-05 10:00', undefined],
    ['2148-12-31T23:59:59.999Z', Date.UTC(2149, 0, 1) - 1],
    ['2149-01-01', undefined],
    ['0070-06-01', undefined],
    ['1969-12-31', undefined],
    ['1969-12-31T20:00-05:00', 3_600_000],
    [Date.UTC(2149, 0, 1), undefined],
    [0, undefined],
    [-1, undefined],
    ['', undefined],
    ['2026-02-30', undefined],
    ['2026-01-05T24:00', undefined],
    ['on 2026-01-05', undefined],
    ['2026-01-00', undefined],
    ['2026-01-05T00:00+24:00', undefined],
    ['2026-01-05T00:00+00:60', undefined],
    ['yesterday', undefined],
  ])('%j is read as %j', (value, expected) => {
    expect(toEpochMs(value)).toBe(expected)
  })
})

describe('reading a delivery', () => {
  test('reads the specification’s payload without drift', () => {
    const { drift, event } = readEvent(toBody('Created', 'a', monday).toString())
    expect(drift).toEqual([])
    expect(event).toMatchObject({
      eventType: 'assignmentCreated.challenge',
      timestamp: monday,
      assignment: { id: 'a', challengeId: 'c1' },
      wire: {
        user: { id: '7' },
        challengeAssignment: { status: 'not_started', completedAt: null, createdAt: monday },
      },
    })
  })

  test('reads numeric ids as their shortest decimal text, empty ids as unknown', () => {
    const { event, drift } = readEvent({
      ...usable,
      user: { id: 7.0 },
      challenge: { id: '' },
      challengeAssignment: { id: 12, challengeId: 1e21 },
    })
    expect(event.assignment).toMatchObject({ id: '12', challengeId: '1000000000000000000000' })
    expect(event.wire.user?.id).toBe('7')
    expect(event.isNumericUserId).toBe(true)
    expect(drift).toEqual([])
    // Which form the platform has decides how people are asked for.
    const text = readEvent({ ...usable, user: { id: '7' }, challengeAssignment: { id: 0.5 } })
    expect([text.event.isNumericUserId, text.event.assignment?.id]).toEqual([false, '0.5'])
  })

  test('falls back to challenge.id where challengeId is unknown', () => {
    const event = { ...usable, challenge: { id: 5 }, challengeAssignment: { id: 'a', challengeId: '' } }
    expect(readEvent(event).event.assignment?.challengeId).toBe('5')
  })

  test('treats a value of another type as unknown and names the field as drift, whatever else is wrong', () => {
    const { event, drift } = readEvent({
      ...usable,
      user: { id: 7, groups: [{ id: 1 }, 'x', { id: 2 }], managers: 'none', isDeleted: 'no' },
      challenge: 'c',
      challengeAssignment: {
        id: 'a',
        status: 'paused',
        isCompleted: 'true',
        dueDate: 'soon',
        calculatedGrade: '88',
        completionPercentage: 40,
      },
    })
    expect(drift).toEqual([
      'challenge',
      'challengeAssignment.calculatedGrade',
      'challengeAssignment.dueDate',
      'challengeAssignment.isCompleted',
      'challengeAssignment.status',
      'user.groups.[]',
      'user.isDeleted',
      'user.managers',
    ])
    expect(event.wire.challengeAssignment).toEqual({ id: 'a', completionPercentage: 40 })
    expect(event.wire.user).toEqual({ id: '7', groups: [{ id: '1' }, null, { id: '2' }] })
  })

  test.each([
    ['calculatedGrade', [-0.001, 88.5, 100.5, 1e300, -1]],
    ['completionPercentage', [-1, 40.5, 101, 1e300, Number.MIN_VALUE]],
    ['numDaysOverdue', [-1, 0.5, -0.5]],
  ])('counts a fraction or an impossible value as drift and keeps it: %s', (field, values) => {
    for (const value of values) {
      const { event, drift } = readEvent({ ...usable, challengeAssignment: { id: 'a', [field]: value } })
      expect(drift).toEqual([`challengeAssignment.${field}`])
      expect(event.wire.challengeAssignment).toEqual({ id: 'a', [field]: value })
    }
  })

  test.each([
    ['{', ['not_json']],
    ['[]', ['not_an_object']],
    ['5', ['not_an_object']],
    ['null', ['not_an_object']],
    ['{}', ['no_event_type', 'no_timestamp']],
    [{ eventType: 7, timestamp: 'x' }, ['no_event_type', 'no_timestamp']],
    [{ ...usable, challengeAssignment: { id: '' } }, ['no_assignment_id']],
    [{ ...usable, timestamp: 0, challengeAssignment: null }, ['no_timestamp', 'no_assignment_id']],
  ])('lists every reason why %j cannot be used', (body, reasons) => {
    const delivery = parseDelivery(encode(body))
    expect(delivery.outcome === 'failed' && delivery.problems.map((problem) => problem.reason)).toEqual(
      reasons,
    )
  })

  test('says of each field that it needs where it is and what it may be', () => {
    const delivery = parseDelivery(encode({ ...usable, timestamp: 0, challengeAssignment: {} }))
    expect(delivery).toMatchObject({
      problems: [
        {
          path: 'timestamp',
          message: 'timestamp must be epoch milliseconds or ISO 8601, after 1970 and before 2149.',
        },
        {
          path: 'challengeAssignment.id',
          message:
            'challengeAssignment.id must be a number or text of at most 320 characters for assignmentProgress.challenge.',
        },
      ],
    })
    expect(parseDelivery(encode({ timestamp: 5 }))).toMatchObject({
      problems: [{ path: 'eventType', message: 'eventType must be text, neither empty nor too long.' }],
    })
    expect(parseDelivery(encode('[]'))).toMatchObject({
      problems: [{ path: '', message: 'The body must be one JSON object, an event.' }],
    })
    expect(parseDelivery(encode('{'))).toMatchObject({ problems: [{ path: '' }] })
  })

  test.each([
    [`${marker.name} <${marker.email}>`, 'something in it does not belong there.'],
    [`{"name": "${marker.name}"`, 'it breaks off at character 29.'],
    ['', 'it ends too early.'],
    [`"${marker.name}\n"`, 'it breaks off at character 19.'],
    [`{"${marker.name}": "\\u${marker.name}"}`, 'it breaks off at character 27.'],
    [`[1,,"${marker.name}"]`, 'something in it does not belong there.'],
    [Buffer.from([0xff, 0xfe]), 'it is not UTF-8 text.'],
  ])('says why a body is not JSON without a word of it: %#', (body, why) => {
    const delivery = parseDelivery(encode(body))
    const [problem] = delivery.outcome === 'failed' ? delivery.problems : []
    expectNoMarker(problem?.message)
    expect(problem?.message).toBe(`The body is not JSON: ${why}`)
  })

  test('reads past a byte order mark, which some senders put first', () => {
    const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), encode(usable)])
    expect(parseDelivery(body)).toMatchObject({ outcome: 'event', drift: [] })
  })

  test('names a delivery by its bytes: the first 32 hex digits of their SHA-256', () => {
    const body = encode(usable)
    expect(toEventId(body)).toBe(createHash('sha256').update(body).digest('hex').slice(0, 32))
    expect(toEventId(encode(`${JSON.stringify(usable)} `))).not.toBe(toEventId(body))
    expect(isEventId(toEventId(body))).toBe(true)
    for (const other of [` ${toEventId(body)}`, `${toEventId(body)}0`, 'a', 'g'.repeat(32)])
      expect(isEventId(other)).toBe(false)
  })

  test('keys the log by assignment, and by the event itself where there is none', () => {
    expect(toLogKey(parseDelivery(encode(usable)), 'id')).toBe('a')
    expect(toLogKey(parseDelivery(encode('{')), 'id')).toBe('id')
    expect(toLogKey(parseDelivery(encode({ ...usable, eventType: 'assignmentCreated.guide' })), 'id')).toBe(
      'id',
    )
  })
})

describe('a body of the largest size', () => {
  const maxBytes = 1_048_576
  const toEvent = (user: string) =>
    Buffer.from(`{${JSON.stringify(usable).slice(1, -1)},"user":{"id":7,${user}}}`)
  const fill = (item: string, bytes = maxBytes - 400) =>
    Array.from({ length: bytes / (item.length + 1) }, () => item).join(',')
  test.each([
    ['teams with ids that are none', `"groups":[${fill('{"id":[],"name":1}')}]`, ['user.groups']],
    [
      'just as many teams as are read, none of them right',
      `"groups":[${fill('{"id":[],"name":1}', 19_000)}]`,
      ['user.groups.[].id', 'user.groups.[].name'],
    ],
    [
      'three lists',
      ['groups', 'managers', 'directReports'].map((list) => `"${list}":[${fill('1', 300_000)}]`).join(','),
      ['user.directReports', 'user.groups', 'user.managers'],
    ],
    ['a deep list', `"groups":${'['.repeat(500_000)}${']'.repeat(500_000)}`, ['user.groups.[]']],
    ['a long name', `"name":"${'a'.repeat(maxBytes - 400)}"`, ['user.name']],
    ['fields that nobody knows', `"name":1,${fill('"x":1')}`, ['user.name']],
  ])('costs a few times what JSON.parse makes of it, or nearly nothing: %s', (_name, user, drift) => {
    const body = toEvent(user)
    expect(body.byteLength).toBeLessThanOrEqual(maxBytes)
    expect(parseDelivery(body)).toMatchObject({ outcome: 'event', drift })
    expect(
      costRatio(
        () => parseDelivery(body),
        () => JSON.parse(body.toString()),
      ),
    ).toBeLessThan(10)
  })
})

describe('limits', () => {
  test('a list of up to 1,000 is read, item by item; a longer one is unknown', () => {
    const toUser = (length: number) => ({
      ...usable,
      user: { id: 7, groups: Array.from({ length }, (_, id) => ({ id })) },
    })
    expect(readEvent(toUser(1_000)).event.wire.user?.groups).toHaveLength(1_000)
    expect(readEvent(toUser(1_001))).toMatchObject({
      drift: ['user.groups'],
      event: { wire: { user: { id: '7' } } },
    })
    expect(readEvent(toUser(1_001)).event.wire.user).not.toHaveProperty('groups')
  })

  test('of a reference that does not fit, the part that does is read', () => {
    const groups = [
      { id: 1, name: 5 },
      { id: {}, name: 'Sales' },
      { id: '', name: null },
      [],
      null,
      { id: 'x'.repeat(321) },
    ]
    const { event, drift } = readEvent({ ...usable, user: { groups } })
    expect(event.wire.user?.groups).toEqual([{ id: '1' }, { name: 'Sales' }, { name: null }, null, null, {}])
    expect(drift).toEqual(['user.groups.[]', 'user.groups.[].id', 'user.groups.[].name'])
  })

  test('longer ids, names and titles are unknown', () => {
    const { event, drift } = readEvent({
      ...usable,
      user: { id: 'x'.repeat(321), name: 'x'.repeat(1_001), email: 'x'.repeat(1_000) },
      challenge: { id: 'x'.repeat(320), displayTitle: 'x'.repeat(1_001) },
    })
    expect(drift).toEqual(['challenge.displayTitle', 'user.id', 'user.name'])
    expect(event.wire.user).toEqual({ email: 'x'.repeat(1_000) })
    expect(event.assignment?.challengeId).toBe('x'.repeat(320))
    const long = { ...usable, eventType: 'x'.repeat(1_001), challengeAssignment: { id: 'x'.repeat(321) } }
    expect(parseDelivery(encode(long))).toMatchObject({ problems: [{ reason: 'no_event_type' }] })
    expect(parseDelivery(encode({ ...long, eventType: usable.eventType }))).toMatchObject({
      problems: [{ reason: 'no_assignment_id' }],
    })
  })
})
