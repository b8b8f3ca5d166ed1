import type { Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { matchedRoutes } from 'hono/route'
import { routePolicy, toRouteKey } from '../access/route-policy.ts'
import { currentVisitor } from '../../services/access/visitor.ts'
import type { RouteContext } from '../dashboards-deps.ts'
import type { PageContext, Theme } from '../page-context.ts'
import { currentReading, isLanguage } from '../../language/language.ts'
import { createFormat } from '../../language/format.ts'
import { toAttribute } from '../../reporting/scope/filters.ts'
import { pageParams, type PageKey } from '../scope/page-url.ts'
import { frameOf } from './frame-first.ts'
import { parsePage, type ParsePageOptions } from '../scope/parse-page.ts'
import { t } from '../../language/translate.ts'
import { languageCookie } from '../../language/read-in-language.ts'
import { formLimit, toLocalPath } from './read-form.ts'
import type { Overview } from '../../reporting/metrics/overview.ts'
import { createScope } from '../../reporting/scope/parse-scope.ts'

const themes: readonly string[] = ['auto', 'light', 'dark'] satisfies Theme[]

const themeCookie = 'rollcall_theme'

function isTheme(value: unknown): value is Theme {
  return typeof value === 'string' && themes.includes(value)
}

type ContextOptions = { now?: number; timeZone?: string; dueZone?: string } & Partial<
  Pick<PageContext, 'params' | 'idle' | 'idleKeys' | 'rows'>
>

/** The reader of a request: language, theme and the state in the URL. `params`: the part of it that is in force. */
export function pageContext(
  c: Context,
  { settings, assets, entrance, clock }: RouteContext,
  { now = clock(), timeZone = settings.timeZone, dueZone = settings.dueZone, ...shown }: ContextOptions = {},
): PageContext {
  const theme = getCookie(c, themeCookie)
  const url = new URL(c.req.url)
  const visitor = currentVisitor()
  return {
    path: url.pathname,
    address: toAddress(c, url),
    params: url.searchParams,
    idleKeys: [],
    format: createFormat({ locale: currentReading().locale, timeZone, dueZone, now }),
    settings,
    theme: isTheme(theme) ? theme : 'auto',
    assets: assets.urls,
    ...frameOf(c),
    visitor,
    hasPassword: visitor.via === 'session' && entrance?.passwords !== undefined,
    ...shown,
  }
}

/** Where to come back to. A form may be sent to an address that has no page: then to the page that it was on. */
function toAddress(c: Context, { host, pathname, search }: URL): string {
  const isPage = ({ path }: { path: string }) => toRouteKey({ method: 'GET', path }) in routePolicy
  if (c.req.method !== 'POST' || matchedRoutes(c).some(isPage)) return `${pathname}${search}`
  const from = URL.parse(c.req.header('referer') ?? '')
  // A form that was refused before is at the same address.
  return from?.host === host && from.pathname !== pathname ? `${from.pathname}${from.search}` : '/'
}

/** Each link of a page repeats every filter. More values of one would be most of the page. */
export const mostValues = 50

type PageRequestOptions = Pick<ParsePageOptions, 'ignore' | 'rows'> & {
  /** Maximum values of one parameter; others are ignored with a notice. Default: `mostValues`. */
  most?: number
  query?: URLSearchParams
  /** Whether the page compares with an earlier moment. Default: yes. */
  compares?: boolean
  /** Filters that mean nothing on this page; where `team` is none, no attribute of people is. Default: none. */
  idle?: readonly PageKey[]
}

/** A request for a page, parsed. `context`: the part that every page receives; `asOf` where it has rows behind its numbers. */
export function pageRequest(
  c: Context,
  routes: RouteContext,
  {
    query: address = new URL(c.req.url).searchParams,
    compares = true,
    most = mostValues,
    idle: idleKeys = [],
    ...options
  }: PageRequestOptions = {},
) {
  const { query, notices } = limitValues(address, most)
  const isIdle = ([key]: [string, string]) =>
    (idleKeys as readonly string[]).includes(toAttribute(key) === undefined ? key : 'team')
  const idle = pageParams(new URLSearchParams([...query].filter(isIdle)))
  const isUsed = (each: [string, string]) => !isIdle(each) && (compares || each[0] !== 'compare')
  const inForce = new URLSearchParams([...query].filter(isUsed))
  const parsed = parsePage(inForce, { now: routes.clock(), settings: routes.settings, ...options })
  const { params, rowParams } = parsed
  const { now, timeZone, dueZone } = parsed.scope
  const context = (asOf?: string) =>
    pageContext(c, routes, {
      now,
      timeZone,
      dueZone,
      params,
      idle,
      idleKeys,
      ...(asOf !== undefined && { rows: { params: rowParams, asOf } }),
    })
  return { ...parsed, notices: [...notices, ...parsed.notices], query, idle, context }
}

function limitValues(address: URLSearchParams, most: number): { query: URLSearchParams; notices: string[] } {
  const counts = new Map<string, number>()
  const kept = [...address].filter(([key]) => {
    const n = (counts.get(key) ?? 0) + 1
    counts.set(key, n)
    return n <= most
  })
  const notices = [...counts].flatMap(([key, n]) =>
    n <= most ? [] : [t('Only the first {most} of {n} values of “{key}” are used.', { most, n, key })],
  )
  return { query: new URLSearchParams(kept), notices }
}

/** Theme and language are cookies, so that the first byte of a page already has the right ones. */
export function mountPreferences(app: Hono): void {
  async function choose(
    c: Context,
    name: string,
    cookie: string,
    isKnown: (value: unknown) => value is string,
  ) {
    const { [name]: value, back } = await c.req.parseBody()
    if (isKnown(value)) setCookie(c, cookie, value, { path: '/', sameSite: 'Lax', maxAge: 34_560_000 })
    return c.redirect(toLocalPath(back), 303)
  }
  app.post('/theme', formLimit, (c) => choose(c, 'theme', themeCookie, isTheme))
  app.post('/language', formLimit, (c) => choose(c, 'language', languageCookie, isLanguage))
}

/** Names for the filters of saved views: of teams, challenges and people, with the rights of the reader. */
export async function readNames(
  { queries, clock, settings }: RouteContext,
  addresses: readonly URLSearchParams[],
): Promise<Overview['options'] | undefined> {
  if (addresses.length === 0) return undefined
  const people = ['manager', 'user'].flatMap((key) => addresses.flatMap((query) => query.getAll(key)))
  return (await queries.frame({ ...createScope(clock(), settings), user: [...new Set(people)] })).options
}
