/** What is wrong on the Health page now, in words for owners: without names. */
import type { Wrong } from '../../services/digest/judge-alerts.ts'
import type { Arrival } from '../arrival.ts'
import { anybody, runAs } from '../access/visitor.ts'
import { counted, createFormat } from '../text/format.ts'
import { silenceWords } from '../text/silence-words.ts'
import { standingWords } from '../text/standing-words.ts'
import { readingOf } from '../language/language.ts'

export type WatchDeps = { arrival: Pick<Arrival, 'health'>; timeZone: string; clock: () => number }

export async function readWrong({ arrival, timeZone, clock }: WatchDeps): Promise<Wrong> {
  const { standing, silence, ledger, failed } = await runAs(anybody, () => arrival.health())
  const format = createFormat({ locale: readingOf('en').locale, timeZone, now: clock() })
  const failedCount = failed.reasons.reduce((all, { events }) => all + events, 0)
  const { difference } = ledger.all
  return {
    ...(standing.stalled_since !== null && {
      stall:
        `${standingWords(standing, format) ?? ''}${standing.reason === null ? '' : ` The reason: ${standing.reason}`}`.trim(),
    }),
    ...(silence.kind === 'broken' && { silence: silenceWords(silence, format) }),
    ...(difference !== 0 && {
      ledger: `${counted(format, Math.abs(difference), 'acknowledged delivery is', 'acknowledged deliveries are')} not accounted for.`,
    }),
    ...(failedCount > 0 && {
      failed_events: `${counted(format, failedCount, 'delivery', 'deliveries')} could not be used and ${failedCount === 1 ? 'is' : 'are'} in no number.`,
    }),
  }
}
