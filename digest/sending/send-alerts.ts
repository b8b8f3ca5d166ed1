/** Tells owners, and the channel of alerts, what began or ended on the Health page. */
import type { AlertChange, SendKey, SendKind } from '../digest-store.ts'
import { createAlertJudge, readWrong, toAlertContent } from '../content/alerts.ts'
import { postMessage } from '../channel.ts'
import { toMessageId } from './send-once.ts'
import { createFormat } from '../../language/format.ts'
import { toText } from '../mail/mail-content.ts'
import { toHtml } from '../mail/mail-html.tsx'
import type { Member } from '../members.ts'
import { reading, readingOf } from '../../language/language.ts'
import type { DigesterDeps, Outbox } from './outbox.ts'

export type SendAlertsDeps = DigesterDeps & {
  outbox: Outbox
  zoneOf: (member: Member) => string
  unsubscribeUrl: (login: string) => Promise<string>
}

export const channelRecipient = 'channel'
/** An older change is not told any more. */
const alertMs = 86_400_000

export function createSendAlerts(deps: SendAlertsDeps): () => Promise<void> {
  const { store, outbox, members, watch, defaults, site, mailer, alertChannelUrl, clock } = deps
  const judge = createAlertJudge(clock)
  const host = new URL(site).hostname

  async function sendToChannel(change: AlertChange, key: SendKey): Promise<void> {
    if (alertChannelUrl === undefined || !(await outbox.mayBegin(key))) return
    const { locale } = readingOf(defaults.language)
    const format = createFormat({ locale, timeZone: defaults.timeZone, now: clock() })
    const message = reading(readingOf(defaults.language), () =>
      toAlertContent({ change, format, site, unsubscribeUrl: '' }),
    )
    const send = () => postMessage(alertChannelUrl, message)
    await outbox.begin({ ...key, send })
  }

  async function sendMails(change: AlertChange, toKey: (login: string) => SendKey): Promise<void> {
    if (mailer === undefined) return
    for (const { login, alerts: wantedBefore } of await members.list()) {
      const key = toKey(login)
      if (!wantedBefore || !(await outbox.mayBegin(key))) continue
      // The mails before took a while: this member may have unsubscribed.
      const member = await members.findMember(login)
      if (member === undefined || !member.alerts || member.address === '') continue
      const { address, language } = member
      const unsubscribeUrl = await deps.unsubscribeUrl(login)
      const as = readingOf(language)
      const format = createFormat({ locale: as.locale, timeZone: deps.zoneOf(member), now: clock() })
      const view = { change, format, site, unsubscribeUrl }
      const messageId = toMessageId(key, host)
      const mail = await reading(as, async () => {
        const content = toAlertContent(view)
        return { subject: content.subject, text: toText(content), html: await toHtml(content) }
      })
      const send = () => mailer.send({ ...mail, to: address, messageId, language, unsubscribeUrl })
      const outcome = await outbox.begin({ ...key, address, messageId, send })
      // Neither would the next one go.
      if (outcome.state === 'not_sent' && outcome.isAway) break
    }
    mailer.rest()
  }

  return async () => {
    if (mailer === undefined && alertChannelUrl === undefined) return
    const wrong = await readWrong(watch)
    for (const change of judge.judge(wrong, await store.readLatestAlerts())) await store.writeAlert(change)
    const now = clock()
    const changes = (await store.readAlerts(100)).filter(({ atMs }) => Math.abs(now - atMs) < alertMs)
    // The oldest first: what began is told before that it ended.
    for (const change of changes.toReversed()) {
      const period = `${change.alert} ${change.number} ${change.state}`
      const toKey = (kind: SendKind, recipient: string): SendKey => ({ kind, recipient, period })
      await sendToChannel(change, toKey('alert_channel', channelRecipient))
      await sendMails(change, (login) => toKey('alert', login))
    }
  }
}
