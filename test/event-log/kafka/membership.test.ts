import { describe, expect, test } from 'vitest'
import { createMembership } from '../../../services/event-log/kafka/reader/membership.ts'

const refusal = (type: string) => Object.assign(new Error(type), { type })

describe('a membership of a group', () => {
  function open() {
    const clock = { now: 1_000_000 }
    const options = { sessionTimeoutMs: 10_000, rebalanceTimeoutMs: 30_000, marginMs: 1_000 }
    const membership = createMembership({ ...options, now: () => clock.now })
    const wait = (ms: number) => void (clock.now += ms)
    return { clock, membership, wait }
  }

  test('lasts while heartbeats are answered, counted from when they were sent', () => {
    const { membership, clock, wait } = open()
    expect(membership.isLive()).toBe(false)
    membership.joined(clock.now)
    for (let beat = 0; beat < 10; beat++) {
      const sentAt = clock.now
      wait(5_000)
      membership.heard(sentAt)
      expect(membership.isLive()).toBe(true)
    }
    wait(4_001)
    expect(membership.isLive()).toBe(false)
  })

  test.each(['ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID'])(
    'ends at once with %s',
    (type) => {
      const { membership, clock } = open()
      membership.joined(clock.now)
      membership.refused(refusal(type))
      expect(membership.isLive()).toBe(false)
      expect(membership.isMember()).toBe(false)
      membership.heard(clock.now)
      expect(membership.isLive()).toBe(false)
      membership.joined(clock.now)
      expect(membership.isLive()).toBe(true)
      expect(membership.notice()).toBeUndefined()
    },
  )

  test('survives the notice of a rebalance for as long as the group waits, and no longer', () => {
    const { membership, clock, wait } = open()
    membership.joined(clock.now)
    const notice = refusal('REBALANCE_IN_PROGRESS')
    membership.refused(notice)
    expect(membership.isLive()).toBe(true)
    expect(membership.notice()).toBe(notice)
    for (let beat = 0; beat < 2; beat++) {
      wait(8_000)
      membership.heard(clock.now)
    }
    expect(membership.isLive()).toBe(false)
  })

  test('is not ended by a broker that is away, until its time is over', () => {
    const { membership, clock, wait } = open()
    membership.joined(clock.now)
    membership.refused(new Error('connect ECONNREFUSED'))
    expect(membership.isLive()).toBe(true)
    wait(9_001)
    expect(membership.isLive()).toBe(false)
    // Nobody has said that it is somebody else's: what waits is still this one's to report.
    expect(membership.isMember()).toBe(true)
  })
})
