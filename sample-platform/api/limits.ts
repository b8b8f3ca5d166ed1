/** The call limit. Live platforms allow about 3,000 an hour continuously, and up to 13,000 in one hour now and then. */
export type LimitOptions = {
  /** Calls an hour, continuously. Default 3,000. */
  callsPerHour?: number
  /** Calls within one hour after a quiet time. Default 13,000; with `callsPerHour` given, the same number: no bursts. */
  burstCallsPerHour?: number
}

/** Whether the call at this instant is within the limit; if so, it counts. */
export type Limiter = (at: number) => boolean

const hourMs = 3_600_000

export function createLimiter(options: LimitOptions): Limiter {
  const { callsPerHour = 3_000 } = options
  const burst = options.burstCallsPerHour ?? (options.callsPerHour === undefined ? 13_000 : callsPerHour)
  if (burst < callsPerHour) throw new RangeError('a burst cannot be less than what is allowed for long')
  return burst === callsPerHour ? createWindow(callsPerHour) : createBucket(callsPerHour, burst - callsPerHour)
}

/** At most this many in any hour. */
function createWindow(most: number): Limiter {
  const calls: number[] = []
  return (at) => {
    while (calls.length > 0 && (calls[0] as number) <= at - hourMs) calls.shift()
    if (calls.length >= most) return false
    calls.push(at)
    return true
  }
}

/** A token bucket: within an hour it passes what it holds plus what flows in. */
function createBucket(perHour: number, holds: number): Limiter {
  let level = holds
  let filledAt: number | undefined
  return (at) => {
    level = Math.min(holds, level + ((at - (filledAt ?? at)) * perHour) / hourMs)
    filledAt = at
    if (level < 1) return false
    level--
    return true
  }
}
