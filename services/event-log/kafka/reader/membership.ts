/**
 * Whether this process is still the group member that got its partitions. The coordinator decides, but may not reach us:
 * what counts is when it last heard of us. Two clocks tell, and the longer time counts: the wall clock, which runs while the
 * machine sleeps, and the steady one, which nobody can set back.
 */
import { isMembershipLost, isRebalanceNotice } from '../errors.ts'

export type Membership = ReturnType<typeof createMembership>

type MembershipOptions = {
  sessionTimeoutMs: number
  rebalanceTimeoutMs: number
  /** How far the clock may be from the coordinator's idea of the session. */
  marginMs: number
  now?: () => number
  elapsed?: () => number
}

type Moment = { at: number; tick: number }

export function createMembership(options: MembershipOptions) {
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
    /** The partitions have been shared out, in answer to a request of `sentAt`. */
    joined(sentAt: number): void {
      isMember = true
      notice = undefined
      hear(sentAt)
    },
    /** The coordinator has answered a heartbeat that was sent at `sentAt`. */
    heard: hear,
    /** The coordinator answered with an error instead. */
    refused(error: unknown): void {
      if (isMembershipLost(error)) isMember = false
      if (isMembershipLost(error) || isRebalanceNotice(error))
        notice ??= { since: { at: now(), tick: elapsed() }, error }
    },
    /** `false`: the coordinator has said so. Our partitions are somebody else's, who also says what waits there. */
    isMember: () => isMember,
    /** Whether the assigned partitions are still ours. */
    isLive(): boolean {
      if (!isMember || toAgeMs(heard) > sessionTimeoutMs - marginMs) return false
      // Members that have not rejoined by the rebalance timeout are removed.
      return notice === undefined || toAgeMs(notice.since) < rebalanceTimeoutMs / 2
    },
    /** Set when the group reassigns its partitions: finish the work in progress, then throw this to the client. */
    notice: () => notice?.error,
    /** How long nothing has been heard. */
    silentMs: () => toAgeMs(heard),
    /** The client has sent a heartbeat. */
    beat: () => void (beatAt = now()),
    /** The wall clock is before the last heartbeat: the client counts by it, and sends no other until it is there again. */
    isClockBehind: () => now() < beatAt - marginMs,
  }
}
