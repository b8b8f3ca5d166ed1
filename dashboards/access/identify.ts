/** Finds out who asks: by a token, by a trusted proxy's header, or by a session cookie. */
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Entrance } from './entrance.ts'
import type { Network } from '../../services/config/networks.ts'
import { createSenderFinder, toAddress, toMatcher } from '../../services/runtime/http/allow-list.ts'
import { tokenPrefix } from '../../services/access/access.ts'
import { anybody, currentVisitor, toVisitor, type Visitor } from '../../services/access/visitor.ts'
import { setOwnCookie } from './own-cookie.ts'
import type { Session } from '../../services/access/session-cookie.ts'

/** `null`: nobody that we know. */
export type Identify = (c: Context) => Promise<Visitor | null>

/** Without an entrance nobody signs in. */
export function createIdentify(entrance: Entrance | undefined): Identify {
  if (entrance === undefined || entrance.mode === 'none') {
    return (c) => Promise.resolve(insideVisitor(c) ?? anybody)
  }
  const { mode, access, audiences, isSecure, headers } = entrance
  const isProxy = toMatcher(entrance.trustedProxies)

  return async (c) => {
    const inside = insideVisitor(c)
    if (inside !== undefined) return inside
    const token = readToken(c)
    if (token !== undefined) {
      const identity = await access.fromToken(token)
      return identity === null ? null : toVisitor(identity, 'token', audiences)
    }
    if (mode === 'proxy') {
      const address = toAddress(socketAddress(c))
      const login = c.req.header(headers.user)?.trim() ?? ''
      if (address === undefined || !isProxy(address) || login === '' || login.includes(',')) return null
      const groups = (c.req.header(headers.groups) ?? '').split(',').map((group) => group.trim())
      const email = login.includes('@') ? login : ''
      const identity = await access.fromClaims({ login, email, groups, userId: '' })
      return toVisitor(identity, 'proxy', audiences)
    }
    const cookie = getCookie(c, sessionCookie(isSecure))
    const holder = cookie === undefined ? null : await access.fromCookie(cookie)
    if (holder === null) return null
    return { ...toVisitor(holder.identity, 'session', audiences), session: holder.session }
  }
}

/** A key that no request can bring: a request of a page from within is asked as its visitor, however that one is known. */
const insideKey = Symbol('visitor of a request from within')

export function toInsideEnv(env: unknown, visitor: Visitor): Record<string | symbol, unknown> {
  // What fails within is an error to the page that asked. It does not break the page's connection.
  return { ...(env as object), outgoing: undefined, [insideKey]: visitor }
}

function insideVisitor(c: Context): Visitor | undefined {
  return ((c.env ?? {}) as { [insideKey]?: Visitor })[insideKey]
}

/** With `__Host-`, browsers accept it from https and for this host only. */
export function sessionCookie(isSecure: boolean): string {
  return isSecure ? '__Host-rollcall_session' : 'rollcall_session'
}

export async function setSessionCookie(
  c: Context,
  entrance: Pick<Entrance, 'access' | 'isSecure'>,
  session: Session,
): Promise<void> {
  const { access, isSecure } = entrance
  const leftMs = session.signedInAt + access.settings.sessionMs - access.clock()
  setOwnCookie(c, sessionCookie(isSecure), await access.seal(session), leftMs, isSecure)
}

/** As a bearer, or where ClickHouse's tools put a password. What a proxy that signs people in passes on there is none. */
function readToken(c: Context): string | undefined {
  const header = c.req.header('authorization') ?? ''
  const bearer = /^Bearer +(\S+)$/i.exec(header)?.[1]
  const basic = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(header)?.[1]
  const password =
    basic === undefined ? undefined : /^[^:]*:(.*)$/s.exec(Buffer.from(basic, 'base64').toString())?.[1]
  return [bearer, c.req.header('x-clickhouse-key'), password].find((text) => text?.startsWith(tokenPrefix))
}

const addressKey = 'address of the sender'

/** Notes who sends, for limits and the audit: a trusted proxy says for whom it asks. */
export function noteSender(trustedProxies: readonly Network[]): MiddlewareHandler {
  const findSender = createSenderFinder(trustedProxies)
  return (c, next) => {
    c.set(addressKey, findSender(socketAddress(c), c.req.header('x-forwarded-for')))
    return next()
  }
}

/** Empty: a request from within, or a proxy that forwards no address. */
export function remoteAddress(c: Context): string {
  return (c.get(addressKey) as string | undefined) ?? ''
}

export function toActor(c: Context): { by: string; address: string } {
  return { by: currentVisitor().login, address: remoteAddress(c) }
}

/** The socket's address: headers can be forged. */
function socketAddress(c: Context): string | undefined {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress
}
