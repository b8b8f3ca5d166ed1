import { describe, expect, test } from 'vitest'
import { createMembership } from '../../../services/event-log/kafka/reader/membership.ts'

const refusal = (type: string) => Object.assign(new Error(type), { type })

describe('a membership of a group', () => {
  function open() {
    const clock = { now: 1_000_000, elapsed: 0 }
    const options = { sessionTimeoutMs: 10_000, rebalanceTimeoutMs: 30_000, marginMs: 1_000 }
    const membership = createMembership({ ...options, now: () => clock.now, elapsed: () => clock.elapsed })
    function wait(ms: number): void {
      clock.now += ms
      clock.elapsed += ms
    }
    return { clock, membership, wait }
  }

  test('is not live before it has joined', () => {
    expect(open().membership.isLive()).toBe(false)
  })

  test('ends by the clock when nothing is heard, as in a process that was stopped and continued', () => {
    const { membership, clock, wait } = open()
    membership.joined(clock.now)
    wait(9_000)
    expect(membership.isLive()).toBe(true)
    wait(1)
    expect(membership.isLive()).toBe(false)
  })

  test.each([-50, 50])(
    'ends in time when the wall clock jumps by %i hours, and lasts while heartbeats are answered',
    (hours) => {
      const { membership, clock, wait } = open()
      membership.joined(clock.now)
      clock.now += hours * 3_600_000
      wait(5_000)
      membership.heard(clock.now)
      expect(membership.isLive()).toBe(true)
      wait(9_001)
      expect(membership.isLive()).toBe(false)
    },
  )

  test('knows that the clock is behind the last heartbeat, after which the client sends none', () => {
    const { membership, clock, wait } = open()
    membership.joined(clock.now)
    membership.beat()
    expect(membership.isClockBehind()).toBe(false)
    clock.now += 7_200_000
    expect(membership.isClockBehind()).toBe(false)
    membership.beat()
    clock.now -= 7_200_000
    expect(membership.isClockBehind()).toBe(true)
    wait(7_200_000)
    expect(membership.isClockBehind()).toBe(false)
    // As clocks are corrected every day.
    membership.beat()
    clock.now -= 900
    expect(membership.isClockBehind()).toBe(false)
  })

  test('ends while the machine sleeps, when only the wall clock runs', () => {
    const { membership, clock } = open()
    membership.joined(clock.now)
    clock.now += 9_001
    expect(membership.isLive()).toBe(false)
  })

  test('lasts while heartbeats are answered, counted from when they were sent', () => {
    const { membership, clock, wait } = open()
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

  test.each(['ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID'])('ends at once with %s', (type) => {
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
  })

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
