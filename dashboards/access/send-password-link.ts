/** Makes a link to set a password, and sends it by mail where there is a mail server. */
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { toPasswordMail, type PasswordMailKind } from '../../digest/mail/password-mail.tsx'
import type { MailOutcome } from '../../digest/sending/mailer.ts'
import { linkHours } from '../../services/access/password-links.ts'
import { isAddress } from '../../services/config/values/address.ts'
import type { Passwords } from './entrance.ts'

/** With the configured address of the dashboards: that of a request may be forged. Without one there is no mail either. */
export function toPasswordLink(c: Context, { site }: Passwords, token: string): string {
  return `${site ?? new URL(c.req.url).origin}/sign-in/password/${token}`
}

/** `null`: there is no mail server, or the login is not an address. */
export async function sendPasswordLink(
  { send, site }: Passwords,
  { login, link, kind }: { login: string; link: string; kind: PasswordMailKind },
): Promise<MailOutcome | null> {
  if (send === undefined || site === undefined || !isAddress(login)) return null
  const messageId = `<${randomUUID()}@${new URL(site).hostname}>`
  return send(await toPasswordMail({ kind, to: login, link, site, hours: linkHours, messageId }))
}
