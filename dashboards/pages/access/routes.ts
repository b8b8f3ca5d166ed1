/** Roles, tokens and the audit, for the owner. */
import { lookUp, t } from '../../../language/translate.ts'
import type { Context, Hono } from 'hono'
import { toActor } from '../../access/identify.ts'
import { type Entrance, type Passwords, sendPasswordLink, toPasswordLink } from '../../access/entrance.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { toLogin } from '../../../services/config/values/roles.ts'
import type { Changed } from '../../../services/access/changes.ts'
import { pageContext } from '../../http/page-request.ts'
import { formLimit, readForm } from '../../http/read-form.ts'
import { AccessPage, type AccessPageProps } from './page.tsx'

const shownEntries = 200

/** The message that the page shows once, after a form. */
type News = Pick<AccessPageProps, 'once' | 'says' | 'problem'>

export function mountAccess(app: Hono, routes: RouteContext, entrance: Entrance): void {
  const { access, changes, passwords, mode } = entrance

  async function show(c: Context, news: News): Promise<Response> {
    const [people, tokens, audit] = await Promise.all([
      access.store.readPeople(),
      access.store.readTokens(),
      access.store.readAudit({ beforeMs: routes.clock() + 60_000, limit: shownEntries }),
    ])
    const context = pageContext(c, routes)
    c.header('cache-control', 'no-store')
    const canMail = passwords?.send !== undefined
    const { settings } = access
    return c.html(AccessPage({ context, people, tokens, audit, mode: mode.kind, settings, canMail, ...news }))
  }

  async function answer<Value>(
    c: Context,
    changed: Changed<Value>,
    toNews: (value: Value) => Promise<News> | News,
  ) {
    if (!changed.ok) {
      c.status(400)
      return show(c, { problem: changed.problem })
    }
    const news = await toNews(changed.value)
    if (Object.keys(news).length > 0) await routes.flash.leave(c, '/access', news)
    return c.redirect('/access', 303)
  }

  /** A mail to somebody who cannot sign in yet, or has forgotten how; without one the owner passes the link on. */
  async function invite(c: Context, text: string, sender: Passwords, isFirst: boolean): Promise<News> {
    const login = toLogin(text)
    const link = toPasswordLink(c, sender, await sender.links.make(login))
    const { by, address } = toActor(c)
    await access.audit('invitation', by, login, address)
    const outcome = await sendPasswordLink(sender, { login, link, by: { login: by, isFirst } })
    if (outcome?.state === 'sent')
      return { says: t('A link to set a password was sent to {login}.', { login }) }
    const once = { kind: 'link', name: login, secret: link } as const
    if (outcome === null) return { once }
    return {
      once,
      problem: t('The mail to {login} was not sent. {detail}', { login, detail: lookUp(outcome.detail) }),
    }
  }

  const hasPassword = async (login: string) =>
    (await access.store.readPeople()).some(
      (person) => person.login === toLogin(login) && person.password !== '',
    )

  app.get('/access', async (c) => show(c, (await routes.flash.take(c, '/access')) ?? {}))

  app.post('/access/people', formLimit, async (c) => {
    const text = await readForm(c)
    const [action, login, role] = [text('do'), text('login'), text('role')]
    const nothing = () => ({})
    if (action === 'remove') return answer(c, await changes.removePerson({ login, ...toActor(c) }), nothing)
    if (action === 'sign-out')
      return answer(c, await changes.signOutEverywhere({ login, ...toActor(c) }), nothing)
    if (action === 'invite') {
      return answer(c, await changes.checkPerson(login), async () =>
        passwords === undefined ? {} : invite(c, login, passwords, !(await hasPassword(login))),
      )
    }
    const set = {
      login,
      role,
      names: text('names') === 'granted',
      userId: text('user_id'),
      isNew: action === 'add',
    }
    return answer(c, await changes.setPerson({ ...set, ...toActor(c) }), async () =>
      passwords === undefined || role === 'nobody' || (await hasPassword(login))
        ? {}
        : invite(c, login, passwords, true),
    )
  })

  app.post('/access/tokens', formLimit, async (c) => {
    const text = await readForm(c)
    if (text('do') === 'revoke') {
      return answer(c, await changes.revokeToken({ idOrName: text('id'), ...toActor(c) }), () => ({}))
    }
    const created = await changes.createToken({
      name: text('name'),
      role: text('role'),
      names: text('names') === 'granted',
      userId: text('user_id'),
      days: Number(text('days')),
      ...toActor(c),
    })
    return answer(c, created, ({ token }) => ({ once: { kind: 'token', name: text('name'), secret: token } }))
  })
}
