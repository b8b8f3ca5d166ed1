/** Tells the team channel how reminders ended, in numbers: one for those that were asked for together, when all of them are over. */
import { reading } from '../../language/language.ts'
import { postMessage } from '../channel/post-message.ts'
import { toSummary } from '../content/reminder-text.ts'
import { wordsOf } from '../content/words.ts'
import type { SendKey } from '../digest-store.ts'
import type { DigesterDeps, Outbox } from './outbox.ts'
import { channelRecipient } from './send-alerts.ts'
import { isUnderWay, triedMs } from './send-reminders.ts'
import { unknownAfterMs } from './send-once.ts'

export function createSendSummaries(deps: DigesterDeps, outbox: Outbox): () => Promise<void> {
  const { store, defaults, site, channel, clock } = deps
  return async () => {
    if (channel === undefined) return
    const now = clock()
    // Those that are not tried any more are over: a day is left to say so.
    const reminders = await store.readReminders({ fromMs: now - triedMs - 86_400_000 })
    for (const [askedAtMs, run] of Map.groupBy(reminders, ({ asked_at_ms }) => asked_at_ms)) {
      const isBegun = run.some(({ state, at_ms }) => state === 'intended' && now - at_ms <= unknownAfterMs)
      const period = new Date(askedAtMs).toISOString()
      const key: SendKey = { kind: 'reminder_channel', recipient: channelRecipient, period }
      if (isBegun || run.some((each) => isUnderWay(each, now)) || !(await outbox.mayBegin(key))) continue
      const message = reading(wordsOf(defaults.language).as, () => toSummary(run, site))
      const send = () => postMessage(channel.url, message)
      await outbox.begin({ ...key, send })
    }
  }
}
