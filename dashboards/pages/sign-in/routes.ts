/** Signing in and out. Every answer here is of one browser: nothing is stored. */
import { t } from '../../../language/translate.ts'
import { sayProblem } from '../../../language/problems.ts'
import type { Context, Hono } from 'hono'
import { deleteCookie, getCookie } from 'hono/cookie'
import type { Entrance } from '../../access/entrance.ts'
import { remoteAddress, sessionCookie, setSessionCookie } from '../../access/identify.ts'
import { rememberBrowser } from '../../access/known-browser.ts'
import { currentVisitor, runAs, stranger } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { Access } from '../../../services/access/access.ts'
import { createAttempts, type Attempts } from '../../../services/access/attempts.ts'
import { flightSchema, OidcError, type Oidc } from '../../../services/access/oidc.ts'
import { isAddress } from '../../../services/config/values/address.ts'
import { toLogin, type Role } from '../../../services/config/values/roles.ts'
import { pageContext } from '../../http/page-request.ts'
import { sayNoRole } from '../../http/problems.ts'
import { formLimit, readExactForm, toLocalPath } from '../../http/read-form.ts'
import { findLimit, longestLogin, mountPassword, toLimits } from './password-routes.ts'
import { SignedOutPage, SignInPage, type SignInPageProps } from './page.tsx'
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
  if (entrance === undefined || entrance.mode.kind === 'none') {
    app.get('/sign-in', (c) => c.redirect('/', 303))
    return
  }
  const { access } = entrance
  const page = { routes, entrance, access }

  app.get('/sign-in', async (c) => {
    const { via, role } = currentVisitor()
    const back = toBack(c.req.query('back'))
    if (via !== 'stranger' && role !== null) return c.redirect(back, 303)
    const isSet = (await routes.flash.take(c, '/sign-in'))?.['isSet'] === true
    return showPage(c, page, { back, ...(isSet && { says: t('Your password is set. Sign in with it.') }) })
  })
  app.post('/sign-out', (c) => signOut(c, page, false))
  app.post('/sign-out/everywhere', (c) => signOut(c, page, true))
  const { passwords } = entrance
  if (passwords !== undefined) {
    const attempts = createAttempts(access.clock)
    mountEnter(app, { ...page, attempts })
    mountPassword(app, { routes, entrance, passwords, attempts })
  }
  if (entrance.oidc !== undefined) mountOidc(app, page, entrance.oidc)
}

type Parts = { routes: RouteContext; entrance: Entrance; access: Access }

function showPage(c: Context, { routes, entrance }: Parts, props: Omit<SignInPageProps, 'context' | 'kind'>) {
  const { kind } = entrance.mode
  c.header('cache-control', 'no-store')
  const context = pageContext(c, routes)
  return c.html(SignInPage({ context, kind: kind === 'none' ? 'proxy' : kind, ...props }))
}

type SignedIn = { login: string; email: string; role: Role | null; userId: string }

/** A new session, whatever the browser brought. */
async function beginSession(
  c: Context,
  { entrance, access }: Parts,
  person: SignedIn,
  lastEnd?: number,
): Promise<void> {
  c.header('cache-control', 'no-store')
  const session = await access.newSession(person, lastEnd)
  await setSessionCookie(c, entrance, session)
  await access.audit('sign_in', person.login, entrance.mode.kind, remoteAddress(c))
}

function mountEnter(app: Hono, parts: Parts & { attempts: Attempts }): void {
  const { access, attempts } = parts

  app.post('/sign-in', formLimit, async (c) => {
    const text = await readExactForm(c)
    const login = toLogin(text('login').slice(0, longestLogin))
    const back = toBack(text('back'))
    const limits = await toLimits(c, parts.entrance, login)
    const problem = findLimit(c, attempts, limits)
    if (problem !== undefined) return showPage(c, parts, { back, login, problem: sayProblem(problem) })
    const known = await access.fromPassword(login, text('password'))
    if (known === null) {
      c.status(401)
      // A text that is not an e-mail may be a password in the wrong field.
      await access.audit(
        'sign_in_refused',
        '',
        isAddress(login) ? `password ${login}` : 'password',
        remoteAddress(c),
      )
      return showPage(c, parts, { back, login, problem: t('Email or password is wrong.') })
    }
    attempts.succeed(limits)
    if (known === 'no_role') {
      c.status(403)
      await access.audit('sign_in_refused', login, 'no role', remoteAddress(c))
      return showPage(c, parts, { back, login, problem: sayNoRole() })
    }
    const person = { login, email: login.includes('@') ? login : '', role: null, userId: '' }
    await beginSession(c, parts, person, known.lastEnd)
    await rememberBrowser(c, parts.entrance, login)
    return c.redirect(back, 303)
  })
}

function mountOidc(app: Hono, parts: Parts, oidc: Oidc): void {
  const { access, entrance } = parts
  const prefix = entrance.isSecure ? '__Host-rollcall_flight_' : 'rollcall_flight_'
  const toFlightCookie = (state: string) => `${prefix}${state.replaceAll(/[^\w-]/g, '').slice(0, 16)}`
  const drop = (c: Context, name: string) => deleteCookie(c, name, { path: '/', secure: entrance.isSecure })

  /** States that came back once; a flight lives ten minutes, so this stays small. */
  const landed = new Map<string, number>()
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

  app.get('/sign-in/callback', async (c) => {
    const flightCookie = toFlightCookie(c.req.query('state') ?? '')
    const opened = await access.seals.open(flightPurpose, getCookie(c, flightCookie) ?? '')
    const { data: flight } = flightSchema.safeParse(opened)
    drop(c, flightCookie)
    if (flight === undefined || hasLanded(flight.state)) {
      return refused(c, new OidcError('refused', 'This sign-in was not begun here, or took too long'), '/')
    }
    try {
      const { subject, email, groups, userId } = await oidc.finish(new URL(c.req.url), flight)
      // Apart from e-mails: a provider may let people choose a subject that looks like one.
      const login = toLogin(email === '' ? `sub:${subject}` : email)
      const role = access.ruledRole(groups)
      await beginSession(c, parts, { login, email: toLogin(email), role, userId })
      return c.redirect(toBack(flight.back), 303)
    } catch (error) {
      return refused(c, error, flight.back)
    }
  })

  /** Also of a copied cookie: a state is good for one landing in this process, its code for one at the provider. */
  function hasLanded(state: string): boolean {
    const now = access.clock()
    for (const [each, at] of landed) if (now - at > flightMs) landed.delete(each)
    if (landed.has(state)) return true
    landed.set(state, now)
    return false
  }

  async function refused(c: Context, error: unknown, back: string): Promise<Response> {
    const isAway = error instanceof OidcError && error.code === 'away'
    parts.routes.onError(error)
    c.status(isAway ? 503 : 401)
    if (!isAway) await access.audit('sign_in_refused', '', entrance.mode.kind, remoteAddress(c))
    const problem = isAway
      ? t('The sign-in provider of your organisation does not answer just now. Try again in a moment.')
      : t('The sign-in did not succeed. Try again; if it happens again, ask an owner of this Rollcall.')
    return showPage(c, parts, { back, problem })
  }
}

async function signOut(
  c: Context,
  { routes, entrance, access }: Parts,
  isEverywhere: boolean,
): Promise<Response> {
  const { session, login } = currentVisitor()
  deleteCookie(c, sessionCookie(entrance.isSecure), { path: '/', secure: entrance.isSecure })
  if (session !== undefined) {
    await (isEverywhere ? access.endSessionsOf(login) : access.endSession(session))
    await access.audit(isEverywhere ? 'sign_out_everywhere' : 'sign_out', login, '', remoteAddress(c))
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
