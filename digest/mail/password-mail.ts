/** The mail with a link to set a password, in the language of the page from which it was asked. */
import { currentReading } from '../../language/language.ts'
import { t } from '../../language/translate.ts'
import { toText, type MailContent } from './mail-content.ts'
import { toHtml } from './mail-html.tsx'

/** The owner who asked for it; `null`: somebody who says that it is theirs. */
export type InvitedBy = string | null

type PasswordMail = {
  invitedBy: InvitedBy
  to: string
  link: string
  site: string
  hours: number
  messageId: string
}

export async function toPasswordMail({ invitedBy, to, link, site, hours, messageId }: PasswordMail) {
  const { language } = currentReading()
  const subject = invitedBy === null ? t('A new password for Rollcall') : t('Your access to Rollcall')
  const why =
    invitedBy === null
      ? t('Somebody asked for a new password for {login} at {site}.', { site, login: to })
      : t(
          '{by} has given you access to Rollcall, which shows how training goes in your organisation: {site}. Sign in there as {login}.',
          { by: invitedBy, site, login: to },
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
    foot: [{ text: t('If you did not expect this mail, ignore it: nothing changes.') }],
  }
  return { to, subject, text: toText(content), html: await toHtml(content), messageId, language }
}
