/** The mail with a link to set a password, in the language of the page from which it was asked. */
import { currentReading } from '../../language/language.ts'
import { t } from '../../language/translate.ts'
import type { Mail } from '../sending/mailer.ts'
import { Go, MailFrame, Quiet, Text, Title, toHtml } from './mail-frame.tsx'

/** `invited`: an owner asked for it; `forgotten`: somebody who says that it is theirs. */
export type PasswordMailKind = 'invited' | 'forgotten'

type PasswordMail = { kind: PasswordMailKind; to: string; link: string; site: string; hours: number; messageId: string }

export async function toPasswordMail({ kind, to, link, site, hours, messageId }: PasswordMail): Promise<Mail> {
  const { language } = currentReading()
  const subject = kind === 'invited' ? t('Your access to Rollcall') : t('A new password for Rollcall')
  const why =
    kind === 'invited'
      ? t('You have access to Rollcall at {site}. Sign in there as {login}.', { site, login: to })
      : t('Somebody asked for a new password for {login} at {site}.', { site, login: to })
  const how = t('Set your password with this link. It works once, for {hours} hours.', { hours: String(hours) })
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
