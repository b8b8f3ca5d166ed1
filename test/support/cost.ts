/** The cost of something, as a ratio: CPU time of this thread, the least of a few runs, whatever else this machine does. */
const runs = 5
/** A lower cost counts as none: a page fault may cost as much. */
const floorMicros = 5_000

export function costRatio(subject: () => unknown, baseline: () => unknown): number {
  return leastCpuMicros(subject) / Math.max(leastCpuMicros(baseline), floorMicros)
}

function leastCpuMicros(use: () => unknown): number {
  const each = Array.from({ length: runs }, () => {
    const before = process.threadCpuUsage()
    use()
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  })
  return Math.min(...each)
}
