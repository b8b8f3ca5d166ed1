/** How deliveries arrive at a believable company, with something of everything: for the pages' looks only. */
import type { Arrival } from '../../../dashboards/arrival.ts'
import type { FailedEvent } from '../../../schemas/answers/deliveries.ts'
import type { Health } from '../../../reporting/queries/health.ts'
import type { MemoryStatus } from '../../../reporting/columns/follow.ts'
import { maskBody } from '../../../schemas/webhook/mask-body.ts'
import { filledNow } from '../filled-company.ts'

const minuteMs = 60_000
const ago = (ms: number) => new Date(filledNow - ms).toISOString()
const bars = (count: number, stepMs: number, most: number) =>
  Array.from({ length: count }, (_, at) => ({
    at: ago((count - 1 - at) * stepMs),
    count: Math.round(most * (0.5 + Math.sin(at / 4) / 2)),
  }))

const failed: FailedEvent[] = [
  {
    event_id: 'd41d8cd98f00b204e9800998ecf8427e',
    received_at: ago(12 * minuteMs),
    source: 'workramp',
    reasons: ['no_timestamp'],
    problems: ['timestamp must be epoch milliseconds or ISO 8601, after 1970 and before 2149.'],
    body_bytes: 1_204,
  },
  {
    event_id: '0123456789abcdef0123456789abcdef',
    received_at: ago(200 * minuteMs),
    source: 'workramp',
    reasons: ['not_json'],
    problems: ['The body is not JSON: it breaks off at character 311.'],
    body_bytes: 311,
  },
]
const toReason = (event: FailedEvent, events: number) => ({
  reason: event.reasons[0] ?? '',
  events,
  first_seen: ago(5_000 * minuteMs),
  last_seen: event.received_at,
  sources: [event.source],
})
const body = Buffer.from(
  '{"eventType":"assignmentProgress.challenge","user":{"id":7,"name":"Ada Moreno","badge":99},"challengeAssignment":{"id":"a-1","status":"in_progress"}}',
)

export const healthFixture: Health = {
  as_of: new Date(filledNow).toISOString(),
  standing: {
    complete_through: ago(53 * minuteMs),
    waiting: 412,
    in_spools: 0,
    waiting_reported_at: null,
    stalled_since: ago(53 * minuteMs),
    reason: 'NOT_ENOUGH_SPACE: Cannot reserve 1.00 MiB',
    has_begun: true,
    has_guides: true,
  },
  silence: { kind: 'broken', lastAt: filledNow - 53 * minuteMs, low: 40, high: 60, windowSeconds: 3_180 },
  missing_lists: [],
  minutes: bars(60, minuteMs, 9),
  hours: bars(48, 60 * minuteMs, 420),
  delay: { count: 4_120, p50_ms: 2_100, p90_ms: 9_400 },
  ledger: {
    day: [
      { source: 'reconcile', stored: 41, repeated: 0, failed: 0 },
      { source: 'workramp', stored: 8_001, repeated: 399, failed: 12 },
    ],
    all: {
      given: 204_127,
      waiting: 412,
      stored: 198_300,
      repeated: 5_380,
      failed: 32,
      lost: 3,
      difference: 0,
    },
  },
  failed: {
    total: failed.reduce((sum, _, at) => sum + at + 1, 0),
    reasons: failed.map((event, at) => toReason(event, at + 1)),
    events: failed,
  },
  drift: [
    {
      kind: 'retyped',
      examples: ['0123456789abcdef0123456789abcdef'],
      name: 'challengeAssignment.status',
      events: 14,
      first_seen: ago(9_000 * minuteMs),
      last_seen: ago(40 * minuteMs),
    },
    {
      kind: 'unknown',
      name: 'user.badge',
      examples: [],
      events: 300,
      first_seen: ago(9_000 * minuteMs),
      last_seen: ago(minuteMs),
    },
    {
      kind: 'event_type',
      examples: [],
      name: 'userDeleted',
      events: 4,
      first_seen: ago(9_000 * minuteMs),
      last_seen: ago(300 * minuteMs),
    },
  ],
  contradictions: {
    total: 41,
    lines: [
      {
        name: 'created_not_new',
        text: 'Created, with values that a new assignment does not have',
        events: 40,
        first_seen: ago(9_000 * minuteMs),
        last_seen: ago(40 * minuteMs),
      },
      {
        name: 'two_challenges',
        text: 'challenge.id is another challenge than challengeId',
        events: 3,
        first_seen: ago(900 * minuteMs),
        last_seen: ago(400 * minuteMs),
      },
    ],
  },
  pulls: [],
  reconciled: {
    people: 1_204,
    last_at: ago(600 * minuteMs),
    findings: [{ kind: 'missing', action: 'repaired', count: 12 }],
  },
  sample: false,
  store_version: '25.8.10.7',
}

const fine: Health['standing'] = {
  ...healthFixture.standing,
  complete_through: ago(1_000),
  waiting: 0,
  stalled_since: null,
  reason: null,
}

const heldFixture: MemoryStatus = {
  versions: 61_204,
  bytes: 14.6 * 1024 ** 2,
  heldAt: filledNow - 3 * 86_400_000,
  since: 0,
  isReading: false,
  readQuestions: 4,
  fullReadings: { open_versions: 1, closed_versions: 1, user_versions: 1 },
}

/** Every page says what `isBroken` says. */
export function arrivalFixture({ isBroken }: { isBroken: boolean }): Arrival {
  const silence: Health['silence'] = isBroken
    ? healthFixture.silence
    : { kind: 'arriving', lastAt: filledNow - 8_000 }
  return {
    standing: () => Promise.resolve(isBroken ? healthFixture.standing : fine),
    silence: () => Promise.resolve(silence),
    health: () => Promise.resolve(healthFixture),
    held: () => heldFixture,
    failedEvents: () => Promise.resolve(healthFixture.failed),
    failedEvent(id) {
      const event = failed.find((each) => each.event_id === id)
      const { text, isCut } = maskBody(body)
      return Promise.resolve(
        event === undefined ? null : { ...event, body: text, is_masked: true, is_cut: isCut },
      )
    },
    replay: ({ fix }) =>
      Promise.resolve({
        read: 12,
        usable: fix === undefined ? 0 : 11,
        unfixable: {},
        reasons: { no_timestamp: 1 },
      }),
    disks: () => [{ name: 'the data directory', free_bytes: 41 * 1024 ** 3, total_bytes: 100 * 1024 ** 3 }],
  }
}
