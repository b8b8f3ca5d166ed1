/** Makes, lists and revokes share links. */
import type { Context, Hono } from 'hono'
import { toActor } from '../../access/identify.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import { readNames, pageContext } from '../../http/page-request.ts'
import { formLimit, readForm } from '../../http/read-form.ts'
import { mountOpenShare, type ShareParts } from './open-share.ts'
import { SharePage, type SharePageProps } from './page.tsx'
import { readPage, toLockedQuery } from '../../components/shareable.ts'

export function mountShare(app: Hono, parts: ShareParts): void {
  const { routes } = parts
  const { shares: links } = parts.entrance
  mountOpenShare(app, parts)

  app.get('/share', async (c) => {
    const page = readPage(c.req.query('page'), currentVisitor().role)
    return show(c, { page, ...(await routes.flash.takeTexts(c, '/share')) })
  })

  app.post('/share', formLimit, async (c) => {
    const text = await readForm(c)
    const visitor = currentVisitor()
    const { role } = visitor
    const page = readPage(text('page'), role)
    // A token would live on in its links.
    if (visitor.via === 'token' || role === null) return c.text('A link is made by a person, not by a token.', 403)
    if (page === null) return fail(c, { page, problem: { code: 'not_shareable' } })
    // Rounded numbers are of now or of a day, and of no other moment.
    const at = text('moment') === 'fixed' && visitor.audience.persons ? toMoment(text('moment_ms')) : null
    const result = await links.make({
      path: page.path,
      query: toLockedQuery(page.shareable, page.params, at),
      names: text('names') === 'yes' && visitor.audience.names,
      files: text('files') === 'yes',
      days: Number(text('days')),
      login: visitor.login,
      role,
      claim: visitor.claim ?? { email: '', role: null, userId: '' },
      address: toActor(c).address,
    })
    if (!result.ok) return fail(c, { page, problem: result.problem })
    const origin = parts.entrance.url ?? new URL(c.req.url).origin
    await routes.flash.leave(c, '/share', { address: new URL(`/s/${result.token}`, origin).href })
    return c.redirect('/share', 303)
  })

  app.post('/share/revoke', formLimit, async (c) => {
    const body = await c.req.parseBody()
    const { login, role } = currentVisitor()
    const by = toActor(c)
    const isOwner = role === 'owner'
    const [id, all] = [body['id'], body['all_of']]
    if (typeof all === 'string' && (isOwner || all === login)) await links.revokeAllOf({ login: all, ...by })
    // For everybody but owners, the link of somebody else does not exist.
    else if (typeof id === 'string' && !(await links.revoke({ id, ...by, ...(!isOwner && { of: login }) }))) {
      return fail(c, { page: null, problem: { code: 'unknown_link' } })
    }
    return c.redirect('/share', 303)
  })

  /** The moment that the form showed: it may have stood open for an hour. */
  function toMoment(text: string): number {
    const [moment, now] = [Number(text), routes.clock()]
    return moment > 0 && moment < now ? moment : now
  }

  async function show(c: Context, props: Pick<SharePageProps, 'page' | 'address' | 'problem'>): Promise<Response> {
    const { login, role, audience, via } = currentVisitor()
    const live = via === 'token' ? [] : await links.readLive()
    const shares = role === 'owner' ? live : live.filter((share) => share.login === login)
    c.header('cache-control', 'no-store')
    const context = pageContext(c, routes)
    const { longestDays } = links
    const addresses = [
      ...shares.map(({ query }) => new URLSearchParams(query)),
      ...(props.page === null ? [] : [props.page.params]),
    ]
    const options = await readNames(parts.routes, addresses)
    return c.html(SharePage({ context, shares, options, longestDays, mayName: audience.names, ...props }))
  }

  function fail(c: Context, props: Pick<SharePageProps, 'page' | 'problem'>): Promise<Response> {
    c.status(400)
    return show(c, props)
  }
}
