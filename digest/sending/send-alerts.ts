/** Tells owners, and the channel of alerts, what began or ended on the Health page. */
import { createFormat } from '../../language/format.ts'
import { reading, readingOf } from '../../language/language.ts'
import { postMessage } from '../channel.ts'
import { createAlertJudge, readWrong, toAlertContent } from '../content/alerts.ts'
import type { AlertChange } from '../digest-store.ts'
import type { MailContent } from '../mail/mail-content.ts'
import { printMail } from '../mail/mail-html.tsx'
import { channelRecipient, toAttempt, toMessageId, toUnsubscribeUrl } from './send.ts'
import type { SendDeps, SendKey } from './send.ts'

/** An older change is not told any more. */
const alertMs = 86_400_000

export function createSendAlerts(deps: SendDeps): () => Promise<void> {
  const { store, once, members, watch, defaults, site, mailer, alertChannelUrl, clock } = deps
  const judge = createAlertJudge(clock)

  function toContent(
    change: AlertChange,
    { language, timeZone, unsubscribeUrl }: { language: string; timeZone: string; unsubscribeUrl: string },
  ): MailContent {
    const as = readingOf(language)
    const format = createFormat({ locale: as.locale, timeZone, now: clock() })
    return reading(as, () => toAlertContent({ change, format, site, unsubscribeUrl }))
  }

  async function sendToChannel(change: AlertChange, thing: string): Promise<void> {
    if (alertChannelUrl === undefined) return
    const key: SendKey = { kind: 'alert_channel', recipient: channelRecipient, thing }
    const content = toContent(change, { ...defaults, unsubscribeUrl: '' })
    await once.once(...toAttempt(key), () =>
      Promise.resolve({ act: () => postMessage(alertChannelUrl, content) }),
    )
  }

  async function sendMails(change: AlertChange, thing: string): Promise<void> {
    if (mailer === undefined) return
    for (const { login, alerts: wantedBefore } of await members.list()) {
      if (!wantedBefore) continue
      const key: SendKey = { kind: 'alert', recipient: login, thing }
      const result = await once.once(...toAttempt(key), async () => {
        // The mails before took a while: this member may have unsubscribed.
        const member = await members.findMember(login)
        if (member === undefined || !member.alerts || member.address === '') return undefined
        const { address, language, subscription } = member
        const unsubscribeUrl = await toUnsubscribeUrl(deps, login, 'alerts')
        const timeZone = subscription?.time_zone || defaults.timeZone
        const content = toContent(change, { language, timeZone, unsubscribeUrl })
        const mail = await reading(readingOf(language), () => printMail(content))
        const to = address
        const messageId = toMessageId(key, site)
        return {
          about: { address },
          act: () => mailer.send({ ...mail, to, messageId, language, unsubscribeUrl }),
        }
      })
      // Neither would the next one go.
      if (result?.state === 'not_sent' && result.isAway) break
    }
    mailer.rest()
  }

  return async () => {
    if (mailer === undefined && alertChannelUrl === undefined) return
    const wrong = await readWrong(watch)
    for (const change of judge.judge(wrong, await store.readAlerts())) await store.writeAlert(change)
    const now = clock()
    const changes = (await store.readAlerts()).filter(({ atMs }) => Math.abs(now - atMs) < alertMs)
    // The oldest first: what began is told before that it ended.
    for (const change of changes.toReversed()) {
      const thing = `${change.alert} ${change.number} ${change.state}`
      await sendToChannel(change, thing)
      await sendMails(change, thing)
    }
  }
}
