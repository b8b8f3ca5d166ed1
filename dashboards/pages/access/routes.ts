/** Roles, tokens and the audit, for the owner. */
import { lookUp, t } from '../../../language/translate.ts'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { remoteAddress } from '../../access/identify.ts'
import type { Entrance, Passwords } from '../../access/entrance.ts'
import { sendPasswordLink, toPasswordLink } from '../../access/send-password-link.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { toLogin } from '../../../services/config/values/roles.ts'
import type { Changed } from '../../../services/access/changes.ts'
import { pageContext } from '../../http/page-request.ts'
import { AccessPage, type AccessPageProps } from './page.tsx'

const shownEntries = 200

/** What the page says once, after what a form has done. */
type Said = Pick<AccessPageProps, 'made' | 'says' | 'problem'>

export function accessRoutes(routes: RouteContext, { access, changes, passwords, mode }: Entrance): Hono {
  const app = new Hono()

  async function show(c: Context, said: Said): Promise<Response> {
    const [people, tokens, audit] = await Promise.all([
      access.store.readPeople(),
      access.store.readTokens(),
      access.store.readAudit({ beforeMs: routes.clock() + 60_000, limit: shownEntries }),
    ])
    const context = pageContext(c, routes, { now: routes.clock() })
    c.header('cache-control', 'no-store')
    const canMail = passwords?.send !== undefined
    return c.html(AccessPage({ context, people, tokens, audit, mode: mode.kind, canMail, ...said }))
  }

  const who = (c: Context) => ({ by: currentVisitor().login, address: remoteAddress(c) ?? '' })

  async function answer<Value>(c: Context, changed: Changed<Value>, toSaid: (value: Value) => Promise<Said> | Said) {
    if (!changed.ok) {
      c.status(400)
      return show(c, { problem: changed.problem })
    }
    const said = await toSaid(changed.value)
    if (Object.keys(said).length > 0) await routes.flash.leave(c, '/access', said)
    return c.redirect('/access', 303)
  }

  /** A mail to somebody who cannot sign in yet, or has forgotten how; without one the owner passes the link on. */
  async function invite(c: Context, given: string, { links, ...rest }: Passwords): Promise<Said> {
    const login = toLogin(given)
    const link = toPasswordLink(c, { links, ...rest }, await links.make(login))
    const { by, address } = who(c)
    await access.audit('invitation', by, login, address)
    const outcome = await sendPasswordLink({ links, ...rest }, { login, link, kind: 'invited' })
    if (outcome?.state === 'sent') return { says: t('A link to set a password was sent to {login}.', { login }) }
    const made = { kind: 'link', name: login, secret: link } as const
    if (outcome === null) return { made }
    return { made, problem: t('The mail to {login} was not sent. {detail}', { login, detail: lookUp(outcome.detail) }) }
  }

  const hasPassword = async (login: string) =>
    (await access.store.readPeople()).some((person) => person.login === toLogin(login) && person.password !== '')

  app.get('/access', async (c) => show(c, (await routes.flash.take(c, '/access')) ?? {}))

  app.post('/access/people', bodyLimit({ maxSize: 16 * 1024 }), async (c) => {
    const { do: asked, login, role, names, user_id } = await readForm(c)
    const nothing = () => ({})
    if (asked === 'remove') return answer(c, await changes.removePerson({ login, ...who(c) }), nothing)
    if (asked === 'sign-out') return answer(c, await changes.signOutEverywhere({ login, ...who(c) }), nothing)
    if (asked === 'invite') {
      return answer(c, await changes.checkPerson(login), () =>
        passwords === undefined ? {} : invite(c, login, passwords),
      )
    }
    const set = await changes.setPerson({ login, role, names: names === 'granted', userId: user_id, ...who(c) })
    return answer(c, set, async () =>
      passwords === undefined || role === 'nobody' || (await hasPassword(login)) ? {} : invite(c, login, passwords),
    )
  })

  app.post('/access/tokens', bodyLimit({ maxSize: 16 * 1024 }), async (c) => {
    const { do: asked, id, name, role, names, user_id, days } = await readForm(c)
    if (asked === 'revoke') return answer(c, await changes.revokeToken({ idOrName: id, ...who(c) }), () => ({}))
    const given = { name, role, names: names === 'granted', userId: user_id, days: Number(days) }
    return answer(c, await changes.createToken({ ...given, ...who(c) }), ({ token }) => ({
      made: { kind: 'token', name, secret: token },
    }))
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
