/**
 * Opens a share link. The page is asked from within as a visitor with the rights of who made it, so it passes the same guard and
 * the same narrowed statements as theirs. Nothing of the request's address is used but the token and the name of a file.
 */
import type { Context, Hono } from 'hono'
import type { Entrance } from '../../access/entrance.ts'
import { remoteAddress, toInsideEnv } from '../../access/identify.ts'
import { isAllowed, toRight } from '../../access/route-policy.ts'
import { anybody, toVisitor, type Visitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { AccessShare } from '../../../services/access/access-store.ts'
import { createAttempts, mostPerAddress } from '../../../services/access/attempts.ts'
import { toShareRole } from '../../../services/sharing/shares.ts'
import { languageHeaders } from '../../../language/read-in-language.ts'
import { href } from '../../scope/page-url.ts'
import type { Ask } from '../../http/ask-inside.ts'
import { pageContext } from '../../http/page-request.ts'
import { DataUnavailableError } from '../../../reporting/errors.ts'
import { NoSuchSharePage } from './page.tsx'
import { toFileAddress, toShareable } from '../../components/shareable.ts'

export type ShareParts = { routes: RouteContext; entrance: Entrance; ask: Ask }

export function mountOpenShare(app: Hono, parts: ShareParts): void {
  const { routes, entrance } = parts
  const { shares } = entrance
  const attempts = createAttempts(entrance.access.clock)

  /** A right link always opens: only wrong ones are counted, so nobody can close the links of others by guessing. */
  async function open(
    c: Context,
    show: (share: AccessShare, visitor: Visitor) => Promise<Response | null>,
  ): Promise<Response> {
    secure(c)
    try {
      const share = await shares.find(c.req.param('token') ?? '')
      if (share === undefined) {
        const limits = [{ key: `address:${remoteAddress(c)}`, most: mostPerAddress }]
        const waitSeconds = attempts.take(limits)
        if (waitSeconds > 0) c.header('retry-after', String(waitSeconds))
        return await noSuchShare(c, routes, waitSeconds > 0 ? 429 : 404)
      }
      const visitor = await toShareVisitor(parts, share, `/s/${c.req.param('token')}`)
      return (visitor && (await show(share, visitor))) ?? (await noSuchShare(c, routes, 404))
    } catch (error) {
      routes.onError(error)
      return await noSuchShare(c, routes, error instanceof DataUnavailableError ? 503 : 500)
    }
  }

  app.get('/s/:token', (c) =>
    open(c, async (share, visitor) => {
      const answer = await askPage(c, parts, share, visitor)
      if (answer?.status === 200) await shares.countOpening(share, remoteAddress(c))
      return answer
    }),
  )

  app.get('/s/:token/:file', (c) => open(c, (share, visitor) => askFile(c, parts, share, visitor, c.req.param('file'))))
}

/** The rights of a reader of a link: those of its maker now, and never more than then. `null`: nobody. */
async function toShareVisitor({ entrance }: ShareParts, share: AccessShare, base: string): Promise<Visitor | null> {
  const maker = await toMaker(entrance, share)
  const role = maker === null ? null : toShareRole(share.role, maker.role)
  const shareable = toShareable(share.path)
  if (maker === null || role === null || shareable === undefined || !isAllowed(role, toRight(shareable.route))) {
    return null
  }
  const files = share.files ? shareable.files.filter(({ route }) => isAllowed(role, toRight(route))) : []
  return {
    login: `share:${share.id}`,
    role,
    audience: { ...maker.audience, names: maker.audience.names && share.names },
    via: 'share',
    share: {
      expiresAtMs: share.expires_at_ms,
      files: files.map(({ file, name }) => ({ name, href: `${base}/${file}` })),
    },
  }
}

/** The audience of the maker, by the lesser of their roles. */
async function toMaker({ mode, access, audiences }: Entrance, share: AccessShare): Promise<Visitor | null> {
  // Made where nobody signs in: it opens for as long as nobody does.
  if (share.login === '') return mode.kind === 'none' ? anybody : null
  const identity = await access.fromShare(share)
  if (identity === null) return null
  const role = toShareRole(share.role, identity.role)
  const rights = toVisitor({ ...identity, role }, 'share', audiences)
  return {
    ...rights,
    role: identity.role,
    audience: { ...rights.audience, names: rights.audience.names && identity.names },
  }
}

async function askPage(c: Context, parts: ShareParts, share: AccessShare, visitor: Visitor): Promise<Response | null> {
  const answer = await askInside(c, parts, visitor, href(share.path, new URLSearchParams(share.query)))
  if (answer?.status !== 200) return answer
  // A start does without its parser.
  const { onlyToRead } = await import('./only-to-read.ts')
  const base = `/s/${c.req.param('token')}`
  return c.html(onlyToRead(await answer.text(), (link) => link.startsWith(`${base}/`)))
}

async function askFile(
  c: Context,
  parts: ShareParts,
  share: AccessShare,
  visitor: Visitor,
  fileName: string,
): Promise<Response | null> {
  const offered = visitor.share?.files.some((each) => each.href.endsWith(`/${fileName}`)) ?? false
  const file = toShareable(share.path)?.files.find((each) => each.file === fileName)
  if (file === undefined || !offered) return null
  const { clock, settings } = parts.routes
  const answer = await askInside(c, parts, visitor, toFileAddress(file, share, { now: clock(), settings }))
  if (answer?.status !== 200) return answer
  // Nothing else of the answer leaves: no cookie, and no other name.
  const headers = ['content-type', 'content-disposition'].flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return c.body(answer.body ?? '', 200, Object.fromEntries(headers))
}

/** Its answer with status 200, the page for missing numbers, or `null`: there is nothing to show. */
async function askInside(
  c: Context,
  { routes, ask }: ShareParts,
  visitor: Visitor,
  address: string,
): Promise<Response | null> {
  const url = new URL(c.req.url)
  // Language of the reader; no other cookie, no token, and no encoding, because the page is changed before it leaves.
  const headers = new Headers({ host: c.req.header('host') ?? url.host, ...languageHeaders(c) })
  const answer = await ask(new Request(new URL(address, url.origin), { headers }), toInsideEnv(c.env, visitor))
  if (answer.status === 200) return answer
  if (answer.status < 500) return null
  const retryAfter = answer.headers.get('retry-after')
  if (retryAfter !== null) c.header('retry-after', retryAfter)
  return noSuchShare(c, routes, answer.status === 503 ? 503 : 500)
}

/** The same page for a link that never was, one whose time is over, one that was taken back, and one that would show nothing. */
function noSuchShare(c: Context, routes: RouteContext, status: 404 | 429 | 500 | 503): Response | Promise<Response> {
  c.status(status)
  return c.html(NoSuchSharePage({ context: pageContext(c, routes), status }))
}

/** The address is a secret: it goes into no other site's log, no index and no cache. */
function secure(c: Context): void {
  c.header('referrer-policy', 'no-referrer')
  c.header('x-robots-tag', 'noindex, nofollow')
  c.header('cache-control', 'private, no-store')
}
