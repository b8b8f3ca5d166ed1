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

const lists = /^\/(users|guides|guides\/[^/]+\/assignments|assignments\/guide)$/

export function createCallLog() {
  const calls: ApiCall[] = []
  return {
    /** Records the arrival; the status follows. */
    add: (call: ApiCall) => void calls.push(call),
    /** Oldest first. */
    list: (): readonly ApiCall[] => calls,
    /** List reads without a page size: live platforms block callers for that. */
    unpaged: () =>
      calls.filter(
        ({ method, path, query }) => method === 'GET' && lists.test(path) && !/(limit|per_page)=/.test(query),
      ),
    clear: () => void calls.splice(0),
  }
}
