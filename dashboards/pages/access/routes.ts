/** Roles, tokens and the audit, for the owner. */
import type { Context, Hono } from 'hono'
import { lookUp, t } from '../../../language/translate.ts'
import { toLogin } from '../../../services/config/values/roles.ts'
import { type Entrance, sendPasswordLink, toPasswordLink } from '../../access/entrance.ts'
import { toActor } from '../../access/identify.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { mountForms, type Did } from '../../http/mount-forms.ts'
import { pageContext } from '../../http/page-request.ts'
import { readVersion, type Sent } from '../../http/read-form.ts'
import { AccessPage, type Once } from './page.tsx'

const path = '/access'
const shownEntries = 25

export function mountAccess(app: Hono, routes: RouteContext, entrance: Entrance): void {
  const { access, changes, passwords, mode } = entrance

  async function show(c: Context): Promise<Response> {
    const [people, tokens, audit, left] = await Promise.all([
      access.store.readPeople(),
      access.store.readTokens(),
      access.store.readAudit({ beforeMs: routes.clock() + 60_000, limit: shownEntries }),
      routes.flash.take(c, path),
    ])
    c.header('cache-control', 'no-store')
    return c.html(
      AccessPage({
        context: pageContext(c, routes),
        people,
        tokens,
        audit,
        mode,
        settings: access.settings,
        canMail: passwords?.send !== undefined,
        once: left?.['once'] as Once | undefined,
      }),
    )
  }

  const showOnce = (c: Context, once: Once, problem?: string) =>
    routes.flash.done(c, path, { problem }, { once })

  /** By mail. If it cannot be sent, the owner passes the link on. */
  async function sendLink(c: Context, login: string, isFirst: boolean): Promise<Did> {
    if (passwords === undefined) return c.notFound()
    const link = toPasswordLink(c, passwords, await passwords.links.make(login))
    const { by, address } = toActor(c)
    await access.audit('invitation', by, login, address)
    const outcome = await sendPasswordLink(passwords, { login, link, by: { login: by, isFirst } })
    if (outcome?.state === 'sent')
      return { says: t('A link to set a password was sent to {login}.', { login }) }
    const detail = outcome && lookUp(outcome.detail)
    const problem =
      detail === null ? undefined : t('The mail to {login} was not sent. {detail}', { login, detail })
    return showOnce(c, { kind: 'link', name: login, secret: link }, problem)
  }

  async function changePeople(sent: Sent, c: Context): Promise<Did> {
    const [action, role, login] = [sent('do'), sent('role'), toLogin(sent('login'))]
    const change = { login, version: readVersion(sent('version')), ...toActor(c) }
    if (action === 'remove') {
      const removed = await changes.removePerson(change)
      return removed.ok ? { says: t('{login} was removed.', { login }) } : removed
    }
    if (action === 'sign-out') {
      const ended = await changes.signOutEverywhere(change)
      return ended.ok ? { says: t('{login} is signed out everywhere.', { login }) } : ended
    }
    const isFirst = ((await access.store.readPerson(login))?.password ?? '') === ''
    if (action === 'invite') {
      const known = await changes.checkPerson(login)
      return known.ok ? sendLink(c, login, isFirst) : known
    }
    const fields = { role, names: sent('names') === 'granted', userId: sent('user_id') }
    const set = await changes.setPerson({ ...fields, isNew: action === 'add', ...change })
    if (!set.ok) return set
    const isInvited = passwords !== undefined && role !== 'nobody' && isFirst
    return isInvited ? sendLink(c, login, true) : { says: t('Saved {login}.', { login }) }
  }

  async function changeTokens(sent: Sent, c: Context): Promise<Did> {
    if (sent('do') === 'revoke') {
      const revoked = await changes.revokeToken({ id: sent('id'), ...toActor(c) })
      return revoked.ok ? { says: t('Token revoked.') } : revoked
    }
    const name = sent('name')
    const created = await changes.createToken({
      name,
      role: sent('role'),
      names: sent('names') === 'granted',
      userId: sent('user_id'),
      days: Number(sent('days')),
      ...toActor(c),
    })
    return created.ok ? showOnce(c, { kind: 'token', name, secret: created.value.token }) : created
  }

  const forms = { '/access/people': changePeople, '/access/tokens': changeTokens }
  mountForms(app, routes, { path, show, forms })
}
