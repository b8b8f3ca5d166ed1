/** How people get a password: by a link that an owner or they themselves asked for, or by the one that they have. */
import type { Context, Hono } from 'hono'
import { deleteCookie } from 'hono/cookie'
import type { Problem } from '../../../language/problems.ts'
import { type AttemptLimit, type Attempts, ofLogin, ofSender } from '../../../services/access/attempts.ts'
import { findPasswordProblem, hashPassword } from '../../../services/access/passwords.ts'
import { currentVisitor, runAs, stranger } from '../../../services/access/visitor.ts'
import { isAddress } from '../../../services/config/values/address.ts'
import { toLogin } from '../../../services/config/values/roles.ts'
import { type Entrance, type Passwords, sendPasswordLink, toPasswordLink } from '../../access/entrance.ts'
import { remoteAddress, sessionCookie } from '../../access/identify.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'
import { formLimit, readExactForm } from '../../http/read-form.ts'
import { notFound } from '../../http/problems.ts'
import { ForgotPage, NoSuchLinkPage, SetPasswordPage } from './page.tsx'

type Parts = { routes: RouteContext; entrance: Entrance; passwords: Passwords; attempts: Attempts }

/** Tries are counted by the login that was typed. */
export const longestLogin = 320
/** Mails that one login gets in a quarter of an hour. */
const mostMails = 3

/** Where one of the limits is reached. */
export function findLimit(
  c: Context,
  attempts: Attempts,
  limits: readonly AttemptLimit[],
): Problem | undefined {
  const seconds = attempts.take(limits)
  if (seconds === 0) return undefined
  c.status(429)
  c.header('retry-after', String(seconds))
  return { code: 'too_many_tries', values: { minutes: String(Math.ceil(seconds / 60)) } }
}

export function mountPassword(app: Hono, parts: Parts): void {
  mountForgot(app, parts)
  mountLink(app, parts)
  mountChange(app, parts)
}

function mountForgot(app: Hono, { routes, entrance, passwords, attempts }: Parts): void {
  const { links } = passwords
  const path = '/sign-in/forgot'

  const show = (c: Context, more: { login?: string; problem?: Problem } = {}) =>
    c.html(ForgotPage({ context: toContext(c, routes), canMail: passwords.send !== undefined, ...more }))

  app.get(path, async (c) => show(c, await routes.flash.takeTexts(c, path)))

  app.post(path, formLimit, async (c) => {
    const login = toLogin((await readExactForm(c))('login').slice(0, longestLogin))
    const address = remoteAddress(c)
    const limits = [{ key: `forgot:${login}`, most: mostMails }, ofSender(address)]
    const problem = findLimit(c, attempts, limits)
    if (problem !== undefined) return show(c, { problem })
    // The same for a login that nobody has, up to the mail, for which nobody waits.
    const token = await links.make(login)
    const isGood = (await links.find(token)) === login
    // A text that is not an e-mail may be a password in the wrong field.
    await entrance.access.audit('password_asked', '', isAddress(login) ? login : '', address)
    await routes.flash.leave(c, path, { login })
    if (isGood) {
      const link = toPasswordLink(c, passwords, token)
      setImmediate(() => {
        sendPasswordLink(passwords, { login, link, by: null })
          .then((outcome) => {
            if (outcome?.state !== 'sent') throw new Error('A link for a new password was not sent')
          })
          .catch((error: unknown) => routes.onError(error))
      })
    }
    return c.redirect(path, 303)
  })
}

function mountLink(app: Hono, parts: Parts): void {
  const { routes, passwords, attempts } = parts
  const path = '/sign-in/password/:token'
  const tokenOf = (c: Context) => c.req.param('token') ?? ''

  function form(c: Context, login: string, problem?: Problem) {
    const context = toContext(c, routes)
    return c.html(SetPasswordPage({ context, login, action: c.req.path, asksCurrent: false, problem }))
  }

  /** Only wrong ones are counted: a right one always opens. */
  function refuse(c: Context) {
    c.status(404)
    findLimit(c, attempts, [ofSender(remoteAddress(c))])
    return c.html(NoSuchLinkPage({ context: toContext(c, routes) }))
  }

  // Looking at a link does not use it up: mail scanners look.
  app.get(path, async (c) => {
    const login = await passwords.links.find(tokenOf(c))
    return login === undefined ? refuse(c) : form(c, login)
  })

  app.post(path, formLimit, async (c) => {
    const login = await passwords.links.find(tokenOf(c))
    if (login === undefined) return refuse(c)
    const answer = await readNewPassword(c)
    if (!answer.ok) return form(c, login, answer.problem)
    const hash = await hashPassword(answer.password)
    return (await passwords.links.use(tokenOf(c), hash, remoteAddress(c))) ? toSignIn(c, parts) : refuse(c)
  })
}

function mountChange(app: Hono, parts: Parts): void {
  const { routes, entrance, attempts } = parts
  const path = '/password'

  function form(c: Context, problem?: Problem) {
    const { login, via } = currentVisitor()
    // A token has none.
    if (via !== 'session') return notFound(c, routes)
    const context = toContext(c, routes)
    return c.html(SetPasswordPage({ context, login, action: path, asksCurrent: true, problem }))
  }

  app.get(path, (c) => form(c))

  app.post(path, formLimit, async (c) => {
    const { login, via } = currentVisitor()
    if (via !== 'session') return form(c)
    // First: a new password that is refused is no try at the one that they have.
    const answer = await readNewPassword(c)
    if (!answer.ok) return form(c, answer.problem)
    const address = remoteAddress(c)
    const limits = ofLogin(login, address)
    const problem = findLimit(c, attempts, limits)
    if (problem !== undefined) return form(c, problem)
    const known = await entrance.access.fromPassword(login, answer.current)
    if (known !== null && known !== 'no_role') {
      attempts.succeed(limits)
      const password = await hashPassword(answer.password)
      const { version } = known
      const set = await entrance.changes.setPassword({ login, password, version, by: login, address })
      if (set.ok) return toSignIn(c, parts)
    }
    c.status(400)
    return form(c, { code: 'wrong_password' })
  })
}

type NewPassword = { ok: true; current: string; password: string } | { ok: false; problem: Problem }

async function readNewPassword(c: Context): Promise<NewPassword> {
  const text = await readExactForm(c)
  const password = text('password')
  const problem: Problem | undefined =
    findPasswordProblem(password) ?? (password === text('again') ? undefined : { code: 'passwords_differ' })
  if (problem === undefined) return { ok: true, current: text('current'), password }
  c.status(400)
  return { ok: false, problem }
}

/** Every session has ended, also one of somebody else in this browser. */
async function toSignIn(c: Context, { routes, entrance: { isSecure } }: Parts): Promise<Response> {
  deleteCookie(c, sessionCookie(isSecure), { path: '/', secure: isSecure })
  await runAs(stranger, () => routes.flash.leave(c, '/sign-in', { isSet: true }))
  return c.redirect('/sign-in', 303)
}

/** Never stored: the address of a page here may be a link that opens. */
function toContext(c: Context, routes: RouteContext) {
  c.header('cache-control', 'no-store')
  return pageContext(c, routes)
}
