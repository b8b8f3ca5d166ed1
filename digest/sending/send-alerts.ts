/** Tells owners, and the channel of alerts, what began or ended on the Health page. */
import { createFormat } from '../../language/format.ts'
import { reading, readingOf } from '../../language/language.ts'
import { postMessage } from '../channel.ts'
import { createAlertJudge, readWrong, toAlertContent } from '../content/alerts.ts'
import type { AlertChange } from '../digest-store.ts'
import { printMail } from '../mail/mail-html.tsx'
import { channelRecipient, sendInTurn, sendOnce, toMessageId, toUnsubscribeUrl } from './send.ts'
import type { SendDeps } from './send.ts'

/** An older change is not told any more. */
const alertMs = 86_400_000

export function createSendAlerts(deps: SendDeps): (signal: AbortSignal) => Promise<void> {
  const { store, members, watch, defaults, site, mailer, alertChannelUrl, clock } = deps
  const judge = createAlertJudge(clock)

  const toContent = (
    change: AlertChange,
    { language, timeZone }: { language: string; timeZone: string },
    unsubscribeUrl: string,
  ) => {
    const as = readingOf(language)
    const format = createFormat({ locale: as.locale, timeZone, now: clock() })
    return reading(as, () => toAlertContent({ change, format, site, unsubscribeUrl }))
  }

  async function send(change: AlertChange, signal: AbortSignal): Promise<void> {
    const thing = `${change.alert} ${change.number} ${change.state}`
    if (alertChannelUrl !== undefined) {
      const act = () => postMessage(alertChannelUrl, toContent(change, defaults, ''))
      await sendOnce(deps, { kind: 'alert_channel', recipient: channelRecipient, thing }, async () => ({
        act,
      }))
    }
    if (mailer === undefined) return
    const owners = (await members.list()).filter(({ alerts }) => alerts)
    await sendInTurn(deps, signal, owners, ({ login }) => {
      const key = { kind: 'alert', recipient: login, thing } as const
      return sendOnce(deps, key, async () => {
        // The mails before took a while: this member may have unsubscribed.
        const member = await members.findMember(login)
        if (member === undefined || !member.alerts || member.address === '') return undefined
        const { address: to, language } = member
        const unsubscribeUrl = toUnsubscribeUrl(site, await members.keyOf(login), 'alerts')
        const content = toContent(change, member, unsubscribeUrl)
        const mail = await reading(readingOf(language), () => printMail(content))
        const messageId = toMessageId(key, site)
        return {
          about: { address: to },
          act: () => mailer.send({ ...mail, to, messageId, language, unsubscribeUrl }),
        }
      })
    })
    mailer.rest()
  }

  return async (signal) => {
    if (mailer === undefined && alertChannelUrl === undefined) return
    const wrong = await readWrong(watch)
    for (const change of judge(wrong, await store.readAlerts())) await store.writeAlert(change)
    const now = clock()
    const changes = (await store.readAlerts()).filter(({ atMs }) => Math.abs(now - atMs) < alertMs)
    // The oldest first: what began is told before that it ended.
    for (const change of changes.toReversed()) await send(change, signal)
  }
}
