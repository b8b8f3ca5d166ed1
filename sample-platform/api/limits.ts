/** The call limit of live platforms, without the bursts that they let pass now and then. */
export type LimitOptions = {
  /** Calls in any hour. Default 3,000. */
  callsPerHour?: number
}

const hourMs = 3_600_000

/** Whether the call at this instant is within the limit; if so, it counts. */
export function createLimiter({ callsPerHour = 3_000 }: LimitOptions): (at: number) => boolean {
  const calls: number[] = []
  return (at) => {
    while (calls.length > 0 && (calls[0] as number) <= at - hourMs) calls.shift()
    if (calls.length >= callsPerHour) return false
    calls.push(at)
    return true
  }
}
