/** Roles, tokens and the audit, for the owner. */
import { lookUp, t } from '../../../language/translate.ts'
import type { Context, Hono } from 'hono'
import { toActor } from '../../access/identify.ts'
import { type Entrance, type Passwords, sendPasswordLink, toPasswordLink } from '../../access/entrance.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { toLogin } from '../../../services/config/values/roles.ts'
import type { Changed } from '../../../services/access/changes.ts'
import { pageContext } from '../../http/page-request.ts'
import { formLimit, readForm, readVersion, statusOf } from '../../http/read-form.ts'
import { AccessPage, type AccessPageProps } from './page.tsx'

const shownEntries = 25

/** What the page shows once, after a form. */
type News = Pick<AccessPageProps, 'once' | 'problem'> & { says?: string }

function createAnswers(routes: RouteContext, { access, passwords, mode }: Entrance) {
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
      c.status(statusOf(changed.problem))
      return show(c, { problem: changed.problem })
    }
    const news = await toNews(changed.value)
    if (news.once === undefined) return routes.flash.done(c, '/access', news)
    await routes.flash.leave(c, '/access', news)
    return c.redirect('/access', 303)
  }

  /** By mail. If it cannot be sent, the owner passes the link on. */
  async function sendLink(c: Context, login: string, sender: Passwords, isFirst: boolean): Promise<News> {
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

  return { show, answer, sendLink }
}

export function mountAccess(app: Hono, routes: RouteContext, entrance: Entrance): void {
  const { access, changes, passwords } = entrance
  const { show, answer, sendLink } = createAnswers(routes, entrance)

  const hasPassword = async (login: string) => ((await access.store.readPerson(login))?.password ?? '') !== ''

  app.get('/access', async (c) => show(c, (await routes.flash.take(c, '/access')) ?? {}))

  app.post('/access/people', formLimit, async (c) => {
    const text = await readForm(c)
    const [action, role] = [text('do'), text('role')]
    const login = toLogin(text('login'))
    const change = { login, version: readVersion(text('version')), ...toActor(c) }
    if (action === 'remove')
      return answer(c, await changes.removePerson(change), () => ({
        says: t('{login} was removed.', { login }),
      }))
    if (action === 'sign-out')
      return answer(c, await changes.signOutEverywhere(change), () => ({
        says: t('{login} is signed out everywhere.', { login }),
      }))
    const isFirst = !(await hasPassword(login))
    if (action === 'invite') {
      return answer(c, await changes.checkPerson(login), () =>
        passwords === undefined ? {} : sendLink(c, login, passwords, isFirst),
      )
    }
    const set = { role, names: text('names') === 'granted', userId: text('user_id'), isNew: action === 'add' }
    return answer(c, await changes.setPerson({ ...set, ...change }), () =>
      passwords === undefined || role === 'nobody' || !isFirst
        ? { says: t('Saved {login}.', { login }) }
        : sendLink(c, login, passwords, true),
    )
  })

  app.post('/access/tokens', formLimit, async (c) => {
    const text = await readForm(c)
    if (text('do') === 'revoke') {
      return answer(c, await changes.revokeToken({ idOrName: text('id'), ...toActor(c) }), () => ({
        says: t('Token revoked.'),
      }))
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
