/** The mail with a link to set a password, in the language of the page from which it was asked. */
import { currentReading } from '../../language/language.ts'
import { t } from '../../language/translate.ts'
import type { MailContent } from './mail-content.ts'
import { printMail } from './mail-html.tsx'

/** The owner who sends it, and whether the person has no password yet. `null`: someone asked for it at the sign-in. */
export type SentBy = { login: string; isFirst: boolean } | null

type PasswordMail = {
  by: SentBy
  to: string
  link: string
  site: string
  hours: number
  messageId: string
}

export async function toPasswordMail({ by, to, link, site, hours, messageId }: PasswordMail) {
  const { language } = currentReading()
  const isFirst = by?.isFirst === true
  const subject = isFirst ? t('Your access to Rollcall') : t('A new password for Rollcall')
  const words = { by: by?.login ?? '', login: to, site }
  const why = isFirst
    ? t(
        '{by} has given you access to Rollcall, which shows how training is going in your organisation: {site}. Your login is {login}.',
        words,
      )
    : by === null
      ? t('Someone asked for a new password for {login} at {site}.', words)
      : t(
          '{by} has sent you a link to set a new password for Rollcall: {site}. Your login is {login}.',
          words,
        )
  const how = t('Set your password with this link. It works once, for {hours} hours.', {
    hours: String(hours),
  })
  const content: MailContent = {
    subject,
    parts: [
      { kind: 'title', text: subject },
      { kind: 'text', text: `${why} ${how}` },
    ],
    go: { text: t('Set your password'), href: link },
    foot: [{ text: t('If you did not expect this email, ignore it. Nothing will change.') }],
  }
  return { ...(await printMail(content)), to, messageId, language }
}
