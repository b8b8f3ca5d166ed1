/**
 * Whether this process is still the group member that got its partitions. The coordinator decides, but may not reach us:
 * what counts is when it last heard of us, on this machine's clock, which runs while the process is stopped.
 */
import { isMembershipLost, isRebalanceNotice } from '../errors.ts'

export type Membership = {
  /** The partitions have been shared out, in answer to a request of `sentAt`. */
  joined(sentAt: number): void
  /** The coordinator has answered a heartbeat that was sent at `sentAt`. */
  heard(sentAt: number): void
  /** What the coordinator said instead. */
  refused(error: unknown): void
  /** Whether what was assigned is still ours. */
  isLive(): boolean
  /** Set when the group reassigns its partitions: finish the work in progress, then throw this to the client. */
  notice(): unknown
  /** How long nothing has been heard. */
  silentMs(): number
}

export type MembershipOptions = {
  sessionTimeoutMs: number
  rebalanceTimeoutMs: number
  /** How far the clock may be from the coordinator's idea of the session. */
  marginMs: number
  now?: () => number
}

export function createMembership(options: MembershipOptions): Membership {
  const { sessionTimeoutMs, rebalanceTimeoutMs, marginMs, now = Date.now } = options
  let heardAt = now()
  let isMember = false
  let notice: { at: number; error: unknown } | undefined

  return {
    joined(sentAt) {
      isMember = true
      notice = undefined
      heardAt = Math.max(heardAt, sentAt)
    },
    heard(sentAt) {
      heardAt = Math.max(heardAt, sentAt)
    },
    refused(error) {
      if (isMembershipLost(error)) isMember = false
      if (isMembershipLost(error) || isRebalanceNotice(error)) notice ??= { at: now(), error }
    },
    isLive() {
      if (!isMember || now() - heardAt > sessionTimeoutMs - marginMs) return false
      // Members that have not rejoined by the rebalance timeout are removed.
      return notice === undefined || now() - notice.at < rebalanceTimeoutMs / 2
    },
    notice: () => notice?.error,
    silentMs: () => now() - heardAt,
  }
}
