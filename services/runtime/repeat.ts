/**
 * Does something periodically until the returned function is called. A call is skipped while the one before is under way. It keeps
 * no process alive.
 */
export function repeat(everyMs: number, work: () => void | Promise<void>): () => void {
  let isUnderWay = false
  async function workOnce(): Promise<void> {
    if (isUnderWay) return
    isUnderWay = true
    try {
      await work()
    } finally {
      isUnderWay = false
    }
  }
  const timer = setInterval(() => void workOnce(), everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
