import fc from 'fast-check'
import { earlyWireInstantArb, instantArb, wireInstantArb } from './instants.ts'
import { newAssignment } from '../../support/data/new-assignment.ts'
import type { Delivery, PulledUser } from '../scope.ts'

/** Few and close together, so that collisions are the rule; lists shrink to their first entry. */
export const assignmentIds = ['1', 'a-2', 'a-3', '04'] as const
export const userIds = ['7', 'u-2', 'u-3', 'u-4'] as const
export const challengeIds = ['c-1', '2', 'c-3'] as const
export const teamIds = ['g-1', '2', 'g-3'] as const

export type History = { deliveries: Delivery[]; pulledUsers: PulledUser[] }

const absent = Symbol('absent')
const mistyped = fc.constantFrom<unknown>('soon', true, 0, -5, [], {}, '2149-01-01', '')

/** Mostly the value, sometimes null, absent or of a type it should not have. */
function sometimes<Value>(value: fc.Arbitrary<Value>, weight = 12): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: value, weight },
    { arbitrary: fc.constantFrom<unknown>(null, absent), weight: 2 },
    { arbitrary: mistyped, weight: 1 },
  )
}

function id(ids: readonly string[]): fc.Arbitrary<unknown> {
  // '7' and 7 are one id; '04' is not a number's shortest text.
  const isNumber = (text: string): boolean => String(Number(text)) === text
  return fc.constantFrom(
    ...ids.flatMap((text): unknown[] => (isNumber(text) ? [text, Number(text)] : [text])),
  )
}

function listOf(ids: readonly string[]): fc.Arbitrary<unknown> {
  const list = fc
    .uniqueArray(id(ids), { maxLength: 2, selector: String })
    .map((found) => found.map((each) => ({ id: each, name: `name of ${String(each)}` })))
  return fc.oneof(
    { arbitrary: fc.constant(absent), weight: 3 },
    { arbitrary: list, weight: 4 },
    { arbitrary: fc.constantFrom<unknown>(null, 'x', [null, 'g-1', { name: 'no id' }]), weight: 1 },
  )
}

const flag = fc.oneof(
  { arbitrary: fc.boolean(), weight: 8 },
  { arbitrary: fc.constantFrom<unknown>(absent, null, 'true', 1), weight: 1 },
)

const userFlag = fc.oneof(
  { arbitrary: fc.constant(absent), weight: 3 },
  { arbitrary: fc.constant(false), weight: 4 },
  { arbitrary: fc.constantFrom<unknown>(true, null, 'true'), weight: 2 },
)

/** Some are not allowed, some do not fit. */
const attributeLists: unknown[] = [
  absent,
  [{ id: '1', apiName: 'country', value: 'DE' }],
  [
    { apiName: 'country', value: 'FR' },
    { apiName: 'site', value: 7 },
  ],
  [{ apiName: 'site', value: true }, { apiName: 'job', value: 'Clerk' }, null],
  [
    { apiName: 'country', value: 'DE' },
    { apiName: 'country', value: 'FR' },
  ],
  [{ apiName: 'country', value: { nested: 'DE' } }, { apiName: 'site', value: '7' }, { value: 'DE' }],
  [
    { apiName: 'country', value: 'DE' },
    { apiName: 'site', value: null },
  ],
  [],
  null,
  'DE',
]

/** Follows from the rest, so that histories of a seed stay the same. */
function withAttributes(user: Record<string, unknown>): Record<string, unknown> {
  const sum = Buffer.from(JSON.stringify(user)).reduce((sofar, byte) => (sofar * 31 + byte) % 65_521, 7)
  return { ...user, customAttributes: attributeLists[sum % attributeLists.length] }
}

const userArb = fc
  .record({
    id: fc.oneof(
      { arbitrary: id(userIds), weight: 14 },
      { arbitrary: fc.constantFrom<unknown>(absent, null, '', true), weight: 1 },
    ),
    isDeleted: userFlag,
    isPermanentlyDeleted: userFlag,
    groups: listOf(teamIds),
    managers: listOf(userIds),
    directReports: listOf(userIds),
  })
  .map(withAttributes)

const { status, ...untouched } = newAssignment

/** Flags and status along the way; single fields are then set against them, as real platforms do. */
const stages = [
  { status },
  { status: 'in_progress', completionPercentage: 40 },
  { status: 'overdue', isOverdue: true },
  { status: 'needs_grading', isSubmitted: true, completionPercentage: 100 },
  { status: 'needs_grading', isSubmitted: true, isPartiallyGraded: true, calculatedGrade: 30 },
  { status: 'in_progress', isSubmitted: true, isFullyGraded: true, calculatedGrade: 55.5 },
  {
    status: 'completed',
    isSubmitted: true,
    isFullyGraded: true,
    isCompleted: true,
    passed: true,
    calculatedGrade: 90,
  },
  { status: 'completed', isSubmitted: true, isFullyGraded: true, isCompleted: true, calculatedGrade: 100 },
  { status: 'completed', isCompleted: true, isCompletedOnTime: true, completionPercentage: 100 },
  { status: 'failed', isSubmitted: true, isFullyGraded: true, calculatedGrade: 10 },
  { status: 'failed' },
]

const oddity = fc.record(
  {
    status: fc.constantFrom<unknown>(
      'completed',
      'failed',
      'needs_grading',
      'Completed',
      'archived',
      null,
      3,
      absent,
    ),
    calculatedGrade: fc.constantFrom<unknown>(0, 9.99, 10, 70, 100, 101, -1, '80', null, absent),
    completionPercentage: fc.constantFrom<unknown>(0, 0.5, 100, -1, '40', null, absent),
    isCompleted: flag,
    isCompletedOnTime: flag,
    isFullyGraded: flag,
    isOverdue: flag,
    isPartiallyGraded: flag,
    isSubmitted: flag,
    passed: flag,
  },
  { requiredKeys: [] },
)

const assignmentArb = fc
  .record({
    // The open ones come first and twice: only they can be overdue.
    stage: fc.constantFrom(...stages.slice(0, 3), ...stages),
    odd: fc.oneof({ arbitrary: fc.constant({}), weight: 3 }, { arbitrary: oddity, weight: 1 }),
    id: fc.oneof(
      { arbitrary: id(assignmentIds), weight: 25 },
      { arbitrary: fc.constantFrom<unknown>(absent, null, '', true), weight: 1 },
    ),
    challengeId: sometimes(id(challengeIds)),
    createdAt: sometimes(earlyWireInstantArb),
    updatedAt: sometimes(wireInstantArb),
    dueDate: sometimes(wireInstantArb, 20),
    reviewersDueDate: sometimes(wireInstantArb, 3),
    completedAt: sometimes(wireInstantArb, 4),
    firstViewedAt: sometimes(wireInstantArb, 2),
  })
  .map(({ stage, odd, ...fields }) => ({ ...untouched, ...stage, ...fields, ...odd }))

const eventType = fc.oneof(
  { arbitrary: fc.constant<unknown>('assignmentCreated.challenge'), weight: 7 },
  { arbitrary: fc.constant<unknown>('assignmentProgress.challenge'), weight: 14 },
  { arbitrary: fc.constant<unknown>('assignmentCompleted.challenge'), weight: 5 },
  { arbitrary: fc.constant<unknown>('assignmentDeleted.challenge'), weight: 3 },
  {
    arbitrary: fc.constantFrom<unknown>('userCreated', 'userDeleted', 'assignmentCreated.guide', 'new.kind'),
    weight: 4,
  },
  { arbitrary: fc.constantFrom<unknown>(absent, null, 5), weight: 1 },
)

const eventArb = fc.record({
  eventType,
  timestamp: fc.oneof({ arbitrary: wireInstantArb, weight: 25 }, { arbitrary: mistyped, weight: 1 }),
  user: fc.oneof(
    { arbitrary: userArb, weight: 14 },
    { arbitrary: fc.constantFrom<unknown>(absent, null, 7), weight: 1 },
  ),
  challenge: sometimes(fc.record({ id: id(challengeIds), displayTitle: fc.constant('A challenge') })),
  challengeAssignment: fc.oneof(
    { arbitrary: assignmentArb, weight: 25 },
    { arbitrary: fc.constantFrom<unknown>(absent, null, []), weight: 1 },
  ),
})

type GeneratedEvent = { [key: string]: unknown }

function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAbsent)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== absent)
      .map(([key, field]) => [key, withoutAbsent(field)]),
  )
}

function toBody(event: GeneratedEvent, writing: 'plain' | 'spaced' | 'reversed'): string {
  const cleaned = withoutAbsent(event) as object
  if (writing === 'spaced') return JSON.stringify(cleaned, null, 1)
  if (writing === 'reversed') return JSON.stringify(Object.fromEntries(Object.entries(cleaned).toReversed()))
  return JSON.stringify(cleaned)
}

/** The event once, and sometimes again: in the same bytes (one event), or the same content in other bytes (another). */
const bodiesArb = fc
  .record({
    event: eventArb,
    writings: fc.oneof(
      { arbitrary: fc.constant(['plain'] as const), weight: 6 },
      {
        arbitrary: fc.constantFrom(
          ['plain', 'plain'] as const,
          ['plain', 'spaced'] as const,
          ['reversed', 'plain', 'plain'] as const,
        ),
        weight: 1,
      },
    ),
  })
  .map(({ event, writings }) => writings.map((writing) => toBody(event, writing)))

const uselessBodies: (string | Uint8Array)[] = [
  '',
  'not json',
  '[]',
  'null',
  '{"eventType":"userCreated"}',
  '{"eventType":"assignmentCreated.challenge","timestamp":1774742400000}',
  Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
]

/** Pulls give one answer for a user at one instant: what two different ones at once would mean is not defined. */
const pulledUsersArb: fc.Arbitrary<PulledUser[]> = fc.uniqueArray(
  fc.record({ observedAt: instantArb, user: userArb.map(withoutAbsent) }),
  {
    maxLength: 4,
    selector: ({ observedAt, user }) => `${observedAt} ${String((user as { id?: unknown }).id)}`,
  },
)

/** A history in no particular order of arrival, and the pulls beside it. */
export function historyArb(options: { maxEvents?: number } = {}): fc.Arbitrary<History> {
  const useful = fc
    .array(bodiesArb, { maxLength: options.maxEvents ?? 14, size: 'max' })
    .map((bodies) => bodies.flat())
  const useless = fc.oneof(
    { arbitrary: fc.constant<(string | Uint8Array)[]>([]), weight: 9 },
    { arbitrary: fc.subarray(uselessBodies), weight: 1 },
  )
  return fc
    .tuple(useful, useless, fc.oneof(fc.constant<PulledUser[]>([]), pulledUsersArb))
    .map(([usefulBodies, uselessOnes, pulledUsers]) => ({
      deliveries: [...usefulBodies, ...uselessOnes].map((body, index) => ({
        body,
        receivedAt: 1_774_742_400_000 + index,
      })),
      pulledUsers,
    }))
}
