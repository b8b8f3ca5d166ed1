/**
 * Whether this process is still the group member that got its partitions. The coordinator decides, but may not reach us:
 * what counts is when it last heard of us. Two clocks tell, and the longer time counts: the wall clock, which runs while the
 * machine sleeps, and the steady one, which nobody can set back.
 */
import { isMembershipLost, isRebalanceNotice } from '../errors.ts'

export type Membership = {
  /** The partitions have been shared out, in answer to a request of `sentAt`. */
  joined(sentAt: number): void
  /** The coordinator has answered a heartbeat that was sent at `sentAt`. */
  heard(sentAt: number): void
  /** What the coordinator said instead. */
  refused(error: unknown): void
  /** `false`: the coordinator has said so. What was assigned is somebody else's, who also says what waits there. */
  isMember(): boolean
  /** Whether what was assigned is still ours. */
  isLive(): boolean
  /** Set when the group reassigns its partitions: finish the work in progress, then throw this to the client. */
  notice(): unknown
  /** How long nothing has been heard. */
  silentMs(): number
  /** The client has sent a heartbeat. */
  beat(): void
  /** The wall clock is before the last heartbeat: the client counts by it, and sends no other until it is there again. */
  isClockBehind(): boolean
}

export type MembershipOptions = {
  sessionTimeoutMs: number
  rebalanceTimeoutMs: number
  /** How far the clock may be from the coordinator's idea of the session. */
  marginMs: number
  /** Wall clock, epoch ms. */
  now?: () => number
  /** Steady clock, ms. */
  elapsed?: () => number
}

type Moment = { at: number; tick: number }

export function createMembership(options: MembershipOptions): Membership {
  const { sessionTimeoutMs, rebalanceTimeoutMs, marginMs } = options
  const { now = Date.now, elapsed = () => performance.now() } = options
  let heard: Moment = { at: now(), tick: elapsed() }
  let beatAt = now()
  let isMember = false
  let notice: { since: Moment; error: unknown } | undefined

  const toAgeMs = ({ at, tick }: Moment) => Math.max(now() - at, elapsed() - tick)

  function hear(sentAt: number): void {
    const moment = { at: sentAt, tick: elapsed() - Math.max(0, now() - sentAt) }
    if (moment.tick >= heard.tick) heard = moment
  }

  return {
    joined(sentAt) {
      isMember = true
      notice = undefined
      hear(sentAt)
    },
    heard: hear,
    refused(error) {
      if (isMembershipLost(error)) isMember = false
      if (isMembershipLost(error) || isRebalanceNotice(error))
        notice ??= { since: { at: now(), tick: elapsed() }, error }
    },
    isMember: () => isMember,
    isLive() {
      if (!isMember || toAgeMs(heard) > sessionTimeoutMs - marginMs) return false
      // Members that have not rejoined by the rebalance timeout are removed.
      return notice === undefined || toAgeMs(notice.since) < rebalanceTimeoutMs / 2
    },
    notice: () => notice?.error,
    silentMs: () => toAgeMs(heard),
    beat: () => void (beatAt = now()),
    isClockBehind: () => now() < beatAt - marginMs,
  }
}
