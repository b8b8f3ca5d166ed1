/** A value that many requests read, asked for once in a few seconds. A change by this process holds at once; other processes follow. */
export function hold<Value>(read: () => Promise<Value>, clock: () => number, maxAgeMs = 3_000) {
  let last: { at: number; value: Promise<Value> } | undefined
  return {
    read(): Promise<Value> {
      const now = clock()
      if (last !== undefined && Math.abs(now - last.at) <= maxAgeMs) return last.value
      const entry = { at: now, value: read() }
      last = entry
      entry.value.catch(() => {
        if (last === entry) last = undefined
      })
      return entry.value
    },
    /** After a change. */
    forget(): void {
      last = undefined
    },
  }
}
