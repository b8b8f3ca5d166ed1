/** The calls to the API and their answers, as the platform's owner would see them. */
export type ApiCall = {
  /** Real time, epoch ms. */
  at: number
  method: string
  /** Without `/api/v1` and the query. */
  path: string
  query: string
  /** The answered status; 0 = the connection was cut, `null` = still running. */
  status: number | null
}

export type CallLog = ReturnType<typeof createCallLog>

const hourMs = 3_600_000
const lists = /^\/(users|guides|guides\/[^/]+\/assignments|assignments\/guide)$/

export function createCallLog() {
  const calls: ApiCall[] = []
  return {
    /** Records the arrival; the status follows. */
    add: (call: ApiCall) => void calls.push(call),
    /** Oldest first. */
    list: (): readonly ApiCall[] => calls,
    byStatus() {
      const counts: Record<number, number> = {}
      for (const { status } of calls) if (status !== null) counts[status] = (counts[status] ?? 0) + 1
      return counts
    },
    /** The most calls that passed (not 429) within any hour. */
    mostInAnHour() {
      const times = calls.filter(({ status }) => status !== 429).map(({ at }) => at)
      let most = 0
      let first = 0
      for (let last = 0; last < times.length; last++) {
        while ((times[first] as number) <= (times[last] as number) - hourMs) first++
        most = Math.max(most, last - first + 1)
      }
      return most
    },
    /** List reads without a page size: live platforms block callers for that. */
    unpaged: () =>
      calls.filter(
        ({ method, path, query }) => method === 'GET' && lists.test(path) && !/(limit|per_page)=/.test(query),
      ),
    clear: () => void calls.splice(0),
  }
}
