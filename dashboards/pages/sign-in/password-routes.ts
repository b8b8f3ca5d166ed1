/** How people get a password: by a link that an owner or they themselves asked for, or by the one that they have. */
import type { Context, Hono } from 'hono'
import { deleteCookie } from 'hono/cookie'
import type { Problem } from '../../../language/problems.ts'
import { t } from '../../../language/translate.ts'
import { type AttemptLimit, type Attempts, ofLogin, ofSender } from '../../../services/access/attempts.ts'
import { findPasswordProblem, hashPassword } from '../../../services/access/passwords.ts'
import { currentVisitor, runAs, stranger } from '../../../services/access/visitor.ts'
import { isAddress } from '../../../services/config/values/address.ts'
import { toLogin } from '../../../services/config/values/roles.ts'
import { type Entrance, type Passwords, sendPasswordLink, toPasswordLink } from '../../access/entrance.ts'
import { remoteAddress, sessionCookie } from '../../access/identify.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { mountForms, type Did } from '../../http/mount-forms.ts'
import { pageContext } from '../../http/page-request.ts'
import type { Sent } from '../../http/read-form.ts'
import { notFound } from '../../http/problems.ts'
import { ForgotPage, NoSuchLinkPage, SetPasswordPage } from './page.tsx'

type Parts = { routes: RouteContext; entrance: Entrance; passwords: Passwords; attempts: Attempts }

/** Tries are counted by the login that was typed. */
const longestLogin = 320
/** Mails that one login gets in a quarter of an hour. */
const mostMails = 3

export const readLogin = (sent: Sent) => toLogin(sent('login').slice(0, longestLogin))

/** Where one of the limits is reached. */
export function findLimit(c: Context, attempts: Attempts, limits: readonly AttemptLimit[]): Did | undefined {
  const seconds = attempts.take(limits)
  if (seconds === 0) return undefined
  c.header('retry-after', String(seconds))
  const values = { minutes: String(Math.ceil(seconds / 60)) }
  return { problem: { code: 'too_many_tries', values }, status: 429 }
}

export function mountPassword(app: Hono, parts: Parts): void {
  mountForgot(app, parts)
  mountLink(app, parts)
  mountChange(app, parts)
}

function mountForgot(app: Hono, { routes, entrance, passwords, attempts }: Parts): void {
  const { links } = passwords
  const path = '/sign-in/forgot'

  async function ask(sent: Sent, c: Context): Promise<Did> {
    const login = readLogin(sent)
    const address = remoteAddress(c)
    const limits = [{ key: `forgot:${login}`, most: mostMails }, ofSender(address)]
    const limited = findLimit(c, attempts, limits)
    if (limited !== undefined) return limited
    // The same for a login that nobody has, up to the mail, for which nobody waits.
    const token = await links.make(login)
    const isGood = (await links.find(token)) === login
    // A text that is not an e-mail may be a password in the wrong field.
    await entrance.access.audit('password_asked', '', isAddress(login) ? login : '', address)
    const send = async (link: string) => {
      const outcome = await sendPasswordLink(passwords, { login, link, by: null })
      if (outcome?.state !== 'sent') throw new Error('A link for a new password was not sent')
    }
    if (isGood) {
      const link = toPasswordLink(c, passwords, token)
      setImmediate(() => void send(link).catch((error: unknown) => routes.onError(error)))
    }
    const words =
      'If {login} can sign in here, an email with a link is on its way. It may take a minute.' as const
    return { says: t(words, { login }) }
  }

  const canMail = passwords.send !== undefined
  const show = async (c: Context) => c.html(ForgotPage({ context: toContext(c, routes), canMail }))
  mountForms(app, routes, { path, show, forms: { [path]: ask } })
}

function mountLink(app: Hono, parts: Parts): void {
  const { routes, passwords, attempts } = parts
  const path = '/sign-in/password/:token'
  const tokenOf = (c: Context) => c.req.param('token') ?? ''

  /** Only wrong ones are counted: a right one always opens. */
  function refuse(c: Context) {
    c.status(findLimit(c, attempts, [ofSender(remoteAddress(c))]) === undefined ? 404 : 429)
    return c.html(NoSuchLinkPage({ context: toContext(c, routes) }))
  }

  // Looking at a link does not use it up: mail scanners look.
  async function show(c: Context): Promise<Response> {
    const login = await passwords.links.find(tokenOf(c))
    if (login === undefined) return refuse(c)
    const context = toContext(c, routes)
    return c.html(SetPasswordPage({ context, login, action: c.req.path, asksCurrent: false }))
  }

  async function set(sent: Sent, c: Context): Promise<Did> {
    if ((await passwords.links.find(tokenOf(c))) === undefined) return refuse(c)
    const problem = findProblem(sent)
    if (problem !== undefined) return { problem }
    const hash = await hashPassword(sent('password'))
    return (await passwords.links.use(tokenOf(c), hash, remoteAddress(c))) ? toSignIn(c, parts) : refuse(c)
  }

  mountForms(app, routes, { path, show, forms: { [path]: set } })
}

function mountChange(app: Hono, parts: Parts): void {
  const { routes, entrance, attempts } = parts
  const path = '/password'

  async function show(c: Context): Promise<Response> {
    const { login, via } = currentVisitor()
    // A token has none.
    if (via !== 'session') return notFound(c, routes)
    const context = toContext(c, routes)
    return c.html(SetPasswordPage({ context, login, action: path, asksCurrent: true }))
  }

  async function change(sent: Sent, c: Context): Promise<Did> {
    const { login, via } = currentVisitor()
    if (via !== 'session') return notFound(c, routes)
    // First: a new password that is refused is no try at the one that they have.
    const problem = findProblem(sent)
    if (problem !== undefined) return { problem }
    const address = remoteAddress(c)
    const limits = ofLogin(login, address)
    const limited = findLimit(c, attempts, limits)
    if (limited !== undefined) return limited
    const known = await entrance.access.fromPassword(login, sent('current'))
    if (known !== null && known !== 'no_role') {
      attempts.succeed(limits)
      const password = await hashPassword(sent('password'))
      const { version } = known
      const set = await entrance.changes.setPassword({ login, password, version, by: login, address })
      if (set.ok) return toSignIn(c, parts)
    }
    return { problem: { code: 'wrong_password' } }
  }

  mountForms(app, routes, { path, show, forms: { [path]: change } })
}

function findProblem(sent: Sent): Problem | undefined {
  const differ = sent('password') === sent('again') ? undefined : ({ code: 'passwords_differ' } as const)
  return findPasswordProblem(sent('password')) ?? differ
}

/** Every session has ended, also one of somebody else in this browser. */
async function toSignIn(c: Context, { routes, entrance: { isSecure } }: Parts): Promise<Response> {
  deleteCookie(c, sessionCookie(isSecure), { path: '/', secure: isSecure })
  const says = t('Your password is set. Sign in with it.')
  return runAs(stranger, () => routes.flash.done(c, '/sign-in', { says }))
}

/** Never stored: the address of a page here may be a link that opens. */
function toContext(c: Context, routes: RouteContext) {
  c.header('cache-control', 'no-store')
  return pageContext(c, routes)
}
