/** Roles, tokens and the audit, for the owner. */
import { type Message, t } from '../../../language/translate.ts'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { remoteAddress } from '../../access/identify.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { Entrance } from '../../access/entrance.ts'
import { createAccessChanges } from '../../../services/access/changes.ts'
import { pageContext } from '../../http/page-request.ts'
import { AccessPage, type AccessPageProps } from './page.tsx'

const shownEntries = 200

const signInWords = {
  none: 'Sign-in is off, so roles have no effect yet.',
  password: 'People sign in with a password. Add one with: rollcall user add <e-mail>',
  oidc: 'People sign in at the OpenID provider of the organisation.',
  proxy: 'People sign in at a proxy before this server.',
} as const satisfies Record<string, Message>

export function accessRoutes(routes: RouteContext, { access, shares, mode }: Entrance): Hono {
  const app = new Hono()
  const changes = createAccessChanges(access, shares)

  async function show(c: Context, more: Pick<AccessPageProps, 'made' | 'problem'> = {}): Promise<Response> {
    const [people, tokens, audit] = await Promise.all([
      access.store.readPeople(),
      access.store.readTokens(),
      access.store.readAudit({ beforeMs: routes.clock() + 60_000, limit: shownEntries }),
    ])
    const context = pageContext(c, routes, { now: routes.clock() })
    c.header('cache-control', 'no-store')
    const signIn = t(signInWords[mode.kind])
    return c.html(AccessPage({ context, people, tokens, audit, signIn, ...more }))
  }

  const who = (c: Context) => ({ by: currentVisitor().login, address: remoteAddress(c) ?? '' })

  app.get('/access', async (c) => {
    const { name, token } = (await routes.flash.take(c, '/access')) ?? {}
    return show(c, typeof name === 'string' && typeof token === 'string' ? { made: { name, token } } : {})
  })

  app.post('/access/people', bodyLimit({ maxSize: 16 * 1024 }), async (c) => {
    const { do: asked, login, role, names, user_id } = await readForm(c)
    const found =
      asked === 'remove'
        ? await changes.removePerson({ login, ...who(c) })
        : asked === 'sign-out'
          ? await changes.signOutEverywhere({ login, ...who(c) })
          : await changes.setPerson({ login, role, names: names === 'granted', userId: user_id, ...who(c) })
    if (found.ok) return c.redirect('/access', 303)
    c.status(400)
    return show(c, { problem: found.problem })
  })

  app.post('/access/tokens', bodyLimit({ maxSize: 16 * 1024 }), async (c) => {
    const { do: asked, id, name, role, names, user_id, days } = await readForm(c)
    if (asked === 'revoke') {
      const found = await changes.revokeToken({ idOrName: id, ...who(c) })
      if (found.ok) return c.redirect('/access', 303)
      c.status(400)
      return show(c, { problem: found.problem })
    }
    const given = { name, role, names: names === 'granted', userId: user_id, days: Number(days) }
    const found = await changes.createToken({ ...given, ...who(c) })
    if (!found.ok) {
      c.status(400)
      return show(c, { problem: found.problem })
    }
    await routes.flash.leave(c, '/access', { name, token: found.value.token })
    return c.redirect('/access', 303)
  })

  return app
}

type Field = 'do' | 'login' | 'role' | 'names' | 'user_id' | 'id' | 'name' | 'days'

/** Single texts; what is missing is empty. */
async function readForm(c: Context): Promise<Record<Field, string>> {
  const body = await c.req.parseBody()
  const one = (name: Field) => (typeof body[name] === 'string' ? body[name].trim() : '')
  const names: Field[] = ['do', 'login', 'role', 'names', 'user_id', 'id', 'name', 'days']
  return Object.fromEntries(names.map((name) => [name, one(name)])) as Record<Field, string>
}
