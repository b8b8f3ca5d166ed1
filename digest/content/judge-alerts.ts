/** When an alert begins and when it ends: a trouble must stay for a while, and so must its end. */
import { alertNames, type AlertChange, type AlertName, type AlertWords } from '../digest-store.ts'

/** The troubles of now, in words; left out: none. */
export type Wrong = Partial<Record<AlertName, AlertWords>>

/** How long it must have been so. */
const holdMs = 5 * 60_000

export function createAlertJudge(clock: () => number) {
  /** Since when the troubles of now differ from those that are stored. */
  const since = new Map<AlertName, number>()
  return {
    /** The changes that are due now. `latest`: the newest change of each alert, as stored. */
    judge(wrong: Wrong, latest: readonly AlertChange[]): AlertChange[] {
      const now = clock()
      return alertNames.flatMap((alert): AlertChange[] => {
        const last = latest.find((each) => each.alert === alert)
        const isOn = last?.state === 'started'
        const words = wrong[alert]
        if ((words !== undefined) === isOn) {
          since.delete(alert)
          return []
        }
        const from = since.get(alert) ?? now
        // A clock that was set back begins again.
        since.set(alert, Math.min(from, now))
        if (now - from < holdMs) return []
        since.delete(alert)
        const number = (last?.number ?? 0) + 1
        return [
          words === undefined
            ? { alert, number, state: 'ended', atMs: now, words: last?.words ?? { en: '' } }
            : { alert, number, state: 'started', atMs: now, words },
        ]
      })
    },
  }
}
