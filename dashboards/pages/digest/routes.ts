/** The mails of a reader: to choose, to see before, to end without signing in; for owners also those that were sent. */
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { DigestPages } from '../../../digest/open-digest.ts'
import type { Member } from '../../../digest/members.ts'
import { frequencies } from '../../../digest/schedule.ts'
import { zone } from '../../../services/config/setting.ts'
import { pageContext } from '../../http/page-request.ts'
import { formLimit, readForm } from '../../http/read-form.ts'
import { notFound } from '../../http/problems.ts'
import { DigestPage, UnsubscribePage, type Unsubscribed } from './page.tsx'
import { lookUp, t } from '../../../language/translate.ts'
import { languages } from '../../../language/language.ts'
import type { OwnerView } from './owner-tables.tsx'

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

  /** The login of a person who signed in themselves: a token, or nobody, has no mailbox. */
  function ownLogin(): string {
    const { login, via } = currentVisitor()
    return via === 'session' || via === 'proxy' ? login : ''
  }

  const findOwn = (): Promise<Member | undefined> => members.findMember(ownLogin())

  async function ownerView(): Promise<OwnerView | null> {
    if (currentVisitor().role !== 'owner') return null
    const [all, sends] = await Promise.all([members.list(), digest.sends()])
    return { members: all, sends }
  }

  async function show(c: Context, problem?: string): Promise<Response> {
    const login = ownLogin()
    const [member, settings, owner] = await Promise.all([
      findOwn(),
      login === '' ? null : members.settingsOf(login),
      ownerView(),
    ])
    const context = pageContext(c, routes)
    c.header('cache-control', 'no-store')
    return c.html(DigestPage({ context, digest, member, settings, owner, problem }))
  }

  const refuse = (c: Context, problem: string) => {
    c.status(400)
    return show(c, problem)
  }

  app.get('/digest', (c) => show(c))

  app.post('/digest', formLimit, async (c) => {
    const login = ownLogin()
    if (login === '') return refuse(c, t('Sign in as a person: only people have a digest.'))
    const one = await readForm(c)
    const before = await members.settingsOf(login)
    const asked = Object.fromEntries(Object.keys(choices.shape).map((name) => [name, one(name)]))
    const parsed = choices.safeParse({ ...asked, language: asked.language || before.language })
    if (!parsed.success) {
      const isOfZone = parsed.error.issues.some(({ path }) => path[0] === 'time_zone')
      return refuse(
        c,
        isOfZone
          ? t('Write the time zone as in the tz database, such as Europe/Berlin.')
          : t('Choose a value from each list.'),
      )
    }
    const alerts = currentVisitor().role === 'owner' ? one('alerts') === 'on' : before.alerts
    await members.choose(login, { ...parsed.data, alerts })
    await members.note(currentVisitor())
    return routes.flash.done(c, '/digest', { says: t('Saved.') })
  })

  app.post('/digest/test', formLimit, async (c) => {
    const member = await findOwn()
    if (member === undefined || member.address === '')
      return refuse(c, t('Your account has no email address.'))
    const now = routes.clock()
    if (Math.abs(now - (tested.get(member.login) ?? -testEveryMs)) < testEveryMs) {
      // Not shown here: loading the page again later would send one.
      const problem = t('One was sent less than a minute ago. Wait a moment.')
      return routes.flash.done(c, '/digest', { problem })
    }
    tested.set(member.login, now)
    const outcome = await digest.sendTest(member)
    return routes.flash.done(
      c,
      '/digest',
      outcome.state === 'sent'
        ? { says: t('Sent to {address}.', { address: member.address }) }
        : { problem: t('It was not sent. {detail}', { detail: lookUp(outcome.detail) }) },
    )
  })

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
    const form = await c.req.parseBody()
    const isOn = of === 'reminders' && form['again'] === 'true'
    const done =
      of === 'reminders' ? await digest.reminders.turn(key, isOn) : await members.unsubscribe(key, of)
    if (!done) return notFound(c, routes)
    // RFC 8058: programs follow no redirect.
    if (form['List-Unsubscribe'] !== undefined) return c.text('Unsubscribed.')
    if (!isOn) await routes.flash.leave(c, unsubscribe, { isDone: true })
    return c.redirect(`${unsubscribe}${new URL(c.req.url).search}`, 303)
  })
}

function ofQuery(c: Context): Unsubscribed {
  const text = c.req.query('of')
  return text === 'alerts' || text === 'reminders' ? text : 'digest'
}
