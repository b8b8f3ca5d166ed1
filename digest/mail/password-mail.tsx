/** The mail with a link to set a password, in the language of the page from which it was asked. */
import { currentReading } from '../../language/language.ts'
import { t } from '../../language/translate.ts'
import { Go, MailFrame, Quiet, Text, Title, toHtml } from './mail-frame.tsx'

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
  const ignore = t('If you did not expect this mail, ignore it: nothing changes.')
  const html = await toHtml(
    <MailFrame title={subject}>
      <Title>{subject}</Title>
      <Text>
        {why} {how}
      </Text>
      <Go href={link}>{t('Set your password')}</Go>
      <Quiet>{ignore}</Quiet>
    </MailFrame>,
  )
  return { to, subject, text: [why, how, '', link, '', ignore, ''].join('\n'), html, messageId, language }
}
