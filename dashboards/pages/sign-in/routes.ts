/** Signing in and out. Every answer here is of one browser: nothing is stored. */
import { t } from '../../../language/translate.ts'
import type { Context, Hono } from 'hono'
import { deleteCookie, getCookie } from 'hono/cookie'
import type { Entrance } from '../../access/entrance.ts'
import { remoteAddress, sessionCookie, setSessionCookie } from '../../access/identify.ts'
import { currentVisitor, runAs, stranger } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { createAttempts, ofLogin, type Attempts } from '../../../services/access/attempts.ts'
import { flightSchema, OidcError, type Oidc } from '../../../services/access/oidc.ts'
import { isAddress } from '../../../services/config/values/address.ts'
import { toLogin, type Role } from '../../../services/config/values/roles.ts'
import { pageContext } from '../../http/page-request.ts'
import { sayNoRole } from '../../http/problems.ts'
import { toLocalPath, type Sent } from '../../http/read-form.ts'
import { setOutcome } from '../../http/frame-first.ts'
import { mountForms, type Did } from '../../http/mount-forms.ts'
import { findLimit, mountPassword, readLogin } from './password-routes.ts'
import { SignedOutPage, SignInPage } from './page.tsx'
import { setOwnCookie } from '../../access/own-cookie.ts'

/** How long the way to the provider and back may take. */
const flightMs = 10 * 60_000
const flightPurpose = 'flight'
/** In one browser, each in a tab. The oldest goes: a server takes 16 KiB of headers. */
const mostFlights = 3
/** A longer address does not fit into a cookie: then back to Home. */
const longestBack = 2_000

export function mountSignIn(app: Hono, routes: RouteContext): void {
  const { entrance } = routes
  if (entrance === undefined || entrance.mode === 'none') {
    app.get('/sign-in', (c) => c.redirect('/', 303))
    return
  }
  const { passwords, oidc, access } = entrance
  const parts = { routes, entrance }

  app.post('/sign-out', (c) => signOut(c, parts))
  async function show(c: Context, sent: Sent): Promise<Response> {
    const { via, role } = currentVisitor()
    const back = toBack(c.req.query('back') ?? sent('back'))
    const isIn = via !== 'stranger' && role !== null
    return isIn && c.req.method === 'GET' ? c.redirect(back, 303) : showPage(c, parts, back, sent('login'))
  }
  const attempts = createAttempts(access.clock)
  const forms = passwords && { '/sign-in': (sent: Sent, c: Context) => enter(c, sent, parts, attempts) }
  mountForms(app, routes, { path: '/sign-in', show, forms: forms ?? {} })
  if (passwords !== undefined) mountPassword(app, { ...parts, passwords, attempts })
  if (oidc !== undefined) mountOidc(app, parts, oidc)
}

type Parts = { routes: RouteContext; entrance: Entrance }

function showPage(c: Context, { routes, entrance }: Parts, back: string, login = '') {
  c.header('cache-control', 'no-store')
  return c.html(SignInPage({ context: pageContext(c, routes), kind: entrance.mode, back, login }))
}

/** A new session, whatever the browser brought. */
async function beginSession(
  c: Context,
  { entrance }: Parts,
  person: { login: string; email: string; role: Role | null; userId: string },
  lastEnd?: number,
): Promise<void> {
  c.header('cache-control', 'no-store')
  await setSessionCookie(c, entrance, await entrance.access.newSession(person, lastEnd))
  await entrance.access.audit('sign_in', person.login, entrance.mode, remoteAddress(c))
}

async function enter(c: Context, sent: Sent, parts: Parts, attempts: Attempts): Promise<Did> {
  const { access } = parts.entrance
  const login = readLogin(sent)
  const address = remoteAddress(c)
  const limits = ofLogin(login, address)
  const limited = findLimit(c, attempts, limits)
  if (limited !== undefined) return limited
  const known = await access.fromPassword(login, sent('password'))
  if (known === null) {
    // A text that is not an e-mail may be a password in the wrong field.
    const detail = isAddress(login) ? `password ${login}` : 'password'
    await access.audit('sign_in_refused', '', detail, address)
    return { problem: t('Email or password is wrong.'), status: 401 }
  }
  attempts.succeed(limits)
  if (known === 'no_role') {
    await access.audit('sign_in_refused', login, 'no role', address)
    return { problem: sayNoRole(), status: 403 }
  }
  const person = { login, email: login.includes('@') ? login : '', role: null, userId: '' }
  await beginSession(c, parts, person, known.lastEnd)
  return c.redirect(toBack(sent('back')), 303)
}

function mountOidc(app: Hono, parts: Parts, oidc: Oidc): void {
  const { entrance } = parts
  const { access } = entrance
  const prefix = entrance.isSecure ? '__Host-rollcall_flight_' : 'rollcall_flight_'
  const toFlightCookie = (state: string) => `${prefix}${state.replaceAll(/[^\w-]/g, '').slice(0, 16)}`
  const drop = (c: Context, name: string) => deleteCookie(c, name, { path: '/', secure: entrance.isSecure })

  app.get('/sign-in/start', async (c) => {
    const back = toBack(c.req.query('back'))
    try {
      const { url, flight } = await oidc.start(back.length > longestBack ? '/' : back)
      const sealed = await access.seals.seal(flightPurpose, flight, access.clock() + flightMs)
      const begun = Object.keys(getCookie(c)).filter((name) => name.startsWith(prefix))
      for (const name of begun.slice(0, 1 - mostFlights)) drop(c, name)
      setOwnCookie(c, toFlightCookie(flight.state), sealed, flightMs, entrance.isSecure)
      c.header('cache-control', 'no-store')
      return c.redirect(url.href, 303)
    } catch (error) {
      return refused(c, error, back)
    }
  })

  // A state is good for one landing: its cookie goes, and the provider takes its code once.
  app.get('/sign-in/callback', async (c) => {
    const flightCookie = toFlightCookie(c.req.query('state') ?? '')
    const opened = await access.seals.open(flightPurpose, getCookie(c, flightCookie) ?? '')
    const { data: flight } = flightSchema.safeParse(opened)
    drop(c, flightCookie)
    try {
      if (flight === undefined)
        throw new OidcError('refused', 'This sign-in was not begun here, or took too long')
      const { subject, email, groups, userId } = await oidc.finish(new URL(c.req.url), flight)
      // Apart from e-mails: a provider may let people choose a subject that looks like one.
      const login = toLogin(email === '' ? `sub:${subject}` : email)
      const role = access.ruledRole(groups)
      await beginSession(c, parts, { login, email: toLogin(email), role, userId })
      return c.redirect(toBack(flight.back), 303)
    } catch (error) {
      return refused(c, error, flight?.back ?? '/')
    }
  })

  async function refused(c: Context, error: unknown, back: string): Promise<Response> {
    const isAway = error instanceof OidcError && error.code === 'away'
    parts.routes.onError(error)
    c.status(isAway ? 503 : 401)
    if (!isAway) await access.audit('sign_in_refused', '', entrance.mode, remoteAddress(c))
    const problem = isAway
      ? t('The sign-in provider of your organisation does not answer just now. Try again in a moment.')
      : t('The sign-in did not succeed. Try again; if it happens again, ask an owner of this Rollcall.')
    setOutcome(c, { problem })
    return showPage(c, parts, back)
  }
}

async function signOut(c: Context, { routes, entrance }: Parts): Promise<Response> {
  const { session, login } = currentVisitor()
  deleteCookie(c, sessionCookie(entrance.isSecure), { path: '/', secure: entrance.isSecure })
  if (session !== undefined) {
    await entrance.access.endSession(session)
    await entrance.access.audit('sign_out', login, '', remoteAddress(c))
  }
  c.header('cache-control', 'no-store')
  // Pages that the browser kept hold names.
  c.header('clear-site-data', '"cache"')
  // Away or not: here the session has ended.
  const there = session === undefined ? null : await entrance.oidc?.signOutUrl().catch(routes.onError)
  if (there === undefined || there === null) return c.redirect('/sign-in', 303)
  // No redirect: browsers hold a form's redirects to the policy, which knows this server only.
  c.header('refresh', `0;url=${there.href}`)
  const context = runAs(stranger, () => pageContext(c, routes))
  return c.html(SignedOutPage({ context, there: there.href }))
}

function toBack(text: string | undefined): string {
  const path = toLocalPath(text)
  return path.startsWith('/sign-') ? '/' : path
}
