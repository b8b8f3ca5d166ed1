/** The mails of a reader: to choose, to see before, to end without signing in; for owners also those that were sent. */
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { DigestPages } from '../../../digest/open-digest.ts'
import { frequencies } from '../../../digest/schedule.ts'
import { zone } from '../../../services/config/setting.ts'
import { pageContext } from '../../http/page-request.ts'
import { mountForms, type Did } from '../../http/mount-forms.ts'
import { formLimit, readForm, type Sent } from '../../http/read-form.ts'
import { notFound } from '../../http/problems.ts'
import { DigestPage, UnsubscribePage, type Unsubscribed } from './page.tsx'
import { ownLogin, readDigest } from './read.ts'
import { lookUp, t } from '../../../language/translate.ts'
import { languages } from '../../../language/language.ts'

/** Mail programs are not ours: colours are inline. Nothing is loaded, nothing runs. */
const previewPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const choices = z.object({
  frequency: z.enum([...frequencies, 'off', '']),
  weekday: z.coerce.number().int().min(1).max(7),
  hour: z.coerce.number().int().min(0).max(23),
  time_zone: z.literal('').or(zone),
  language: z.enum(languages),
})
const testEveryMs = 60_000
const unsubscribe = '/digest/unsubscribe'

export function mountDigest(app: Hono, routes: RouteContext, digest: DigestPages): void {
  const { members } = digest
  const tested = new Map<string, number>()

  async function show(c: Context): Promise<Response> {
    c.header('cache-control', 'no-store')
    return c.html(DigestPage({ context: pageContext(c, routes), ...(await readDigest(digest)) }))
  }

  async function choose(sent: Sent): Promise<Did> {
    const login = ownLogin()
    if (login === '') return { problem: t('Sign in as a person: only people have a digest.') }
    const before = await members.settingsOf(login)
    const asked = Object.fromEntries(Object.keys(choices.shape).map((name) => [name, sent(name)]))
    const parsed = choices.safeParse({ ...asked, language: asked['language'] || before.language })
    if (!parsed.success) {
      const isOfZone = parsed.error.issues.some(({ path }) => path[0] === 'time_zone')
      return {
        problem: isOfZone
          ? t('Write the time zone as in the tz database, such as Europe/Berlin.')
          : t('Choose a value from each list.'),
      }
    }
    const alerts = currentVisitor().role === 'owner' ? sent('alerts') === 'on' : before.alerts
    await members.choose(login, { ...parsed.data, alerts })
    await members.note(currentVisitor())
    return { says: t('Saved.') }
  }

  async function sendTest(_: Sent, c: Context): Promise<Did> {
    const member = await members.findMember(ownLogin())
    if (member === undefined || member.address === '')
      return { problem: t('Your account has no email address.') }
    // A problem is not shown here: loading the page again later would send one.
    const refuse = (problem: string) => routes.flash.done(c, '/digest', { problem })
    const now = routes.clock()
    if (Math.abs(now - (tested.get(member.login) ?? -testEveryMs)) < testEveryMs)
      return refuse(t('One was sent less than a minute ago. Wait a moment.'))
    tested.set(member.login, now)
    const { state, detail } = await digest.sendTest(member)
    return state === 'sent'
      ? { says: t('Sent to {address}.', { address: member.address }) }
      : refuse(t('It was not sent. {detail}', { detail: lookUp(detail) }))
  }

  mountForms(app, routes, { path: '/digest', show, forms: { '/digest': choose, '/digest/test': sendTest } })

  app.get('/digest/preview', async (c) => {
    const login = c.req.query('login') ?? ''
    // The owner of it decides its content: only an owner may look at another one's.
    const isOther = login !== '' && currentVisitor().role === 'owner'
    const composed = isOther ? await digest.previewOf(login) : await digest.preview()
    if (composed === null) return notFound(c, routes)
    c.header('cache-control', 'no-store')
    c.header('content-security-policy', previewPolicy)
    const back = `<nav style="margin: 12px"><a href="/digest">← ${t('Digest')}</a></nav>`
    return c.html(composed.html.replace(/<body[^>]*>/, (body) => `${body}${back}`))
  })

  // Programs that look at mails follow links, so that looking changes nothing; the button and RFC 8058 post.
  app.get(unsubscribe, async (c) => {
    const key = c.req.query('key') ?? ''
    const of = ofQuery(c)
    const isReminded = of === 'reminders' ? await digest.reminders.isOn(key) : undefined
    const isDone = (await routes.flash.take(c, unsubscribe))?.['isDone'] === true || isReminded === false
    const address =
      of === 'reminders'
        ? isReminded !== undefined && t('the address of this link')
        : await members.addressOf(key)
    const context = pageContext(c, routes)
    c.header('cache-control', 'no-store')
    return c.html(UnsubscribePage({ context, key, of, address: address || null, isDone }))
  })

  app.post(unsubscribe, formLimit, async (c) => {
    const key = c.req.query('key') ?? ''
    const of = ofQuery(c)
    const sent = await readForm(c)
    const isOn = of === 'reminders' && sent('again') === 'true'
    const done =
      of === 'reminders' ? await digest.reminders.turn(key, isOn) : await members.unsubscribe(key, of)
    if (!done) return notFound(c, routes)
    // RFC 8058: programs follow no redirect.
    if (sent('List-Unsubscribe') !== '') return c.text('Unsubscribed.')
    return routes.flash.done(c, `${unsubscribe}${new URL(c.req.url).search}`, {}, { isDone: !isOn })
  })
}

function ofQuery(c: Context): Unsubscribed {
  const text = c.req.query('of')
  return text === 'alerts' || text === 'reminders' ? text : 'digest'
}
