/** What many requests read, asked for once in a few seconds. What this process changes holds at once; other processes follow. */
export function hold<Value>(read: () => Promise<Value>, clock: () => number, maxAgeMs = 3_000) {
  let held: { at: number; value: Promise<Value> } | undefined
  return {
    read(): Promise<Value> {
      const now = clock()
      if (held !== undefined && Math.abs(now - held.at) <= maxAgeMs) return held.value
      const entry = { at: now, value: read() }
      held = entry
      entry.value.catch(() => {
        if (held === entry) held = undefined
      })
      return entry.value
    },
    /** After a change. */
    forget(): void {
      held = undefined
    },
  }
}
