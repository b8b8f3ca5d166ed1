/**
 * Whether this process is still the group member that got its partitions. The coordinator decides, but may not reach us:
 * what counts is when it last heard of us. The wall clock tells, because it runs while the machine sleeps.
 */
import { isMembershipLost, isRebalanceNotice } from '../errors.ts'

export type Membership = ReturnType<typeof createMembership>

type MembershipOptions = {
  sessionTimeoutMs: number
  rebalanceTimeoutMs: number
  /** How far the clock may be from the coordinator's idea of the session. */
  marginMs: number
  now?: () => number
}

export function createMembership(options: MembershipOptions) {
  const { sessionTimeoutMs, rebalanceTimeoutMs, marginMs, now = Date.now } = options
  let heardAt = now()
  let isMember = false
  let notice: { since: number; error: unknown } | undefined

  const hear = (sentAt: number): void => void (heardAt = Math.max(heardAt, sentAt))

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
      if (isMembershipLost(error) || isRebalanceNotice(error)) notice ??= { since: now(), error }
    },
    /** `false`: the coordinator has said so. Our partitions are somebody else's, who also says what waits there. */
    isMember: () => isMember,
    /** Whether the assigned partitions are still ours. */
    isLive(): boolean {
      if (!isMember || now() - heardAt > sessionTimeoutMs - marginMs) return false
      // Members that have not rejoined by the rebalance timeout are removed.
      return notice === undefined || now() - notice.since < rebalanceTimeoutMs / 2
    },
    /** Set when the group reassigns its partitions: finish the work in progress, then throw this to the client. */
    notice: () => notice?.error,
    /** How long nothing has been heard. */
    silentMs: () => now() - heardAt,
  }
}
