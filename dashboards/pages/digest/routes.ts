/** The mails of a reader: to choose, to see before, to end without signing in; for owners also those that were sent. */
import type { Context, Hono } from 'hono'
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
import { isLanguage } from '../../../language/language.ts'
import type { OwnerView } from './owner-tables.tsx'

/** Mail programs are not ours: colours are inline. Nothing is loaded, nothing runs. */
const previewPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const choices: readonly string[] = [...frequencies, 'off', '']
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
    const [all, sends, alerts] = await Promise.all([members.list(), digest.sends(), digest.alerts()])
    return { members: all, sends, alerts }
  }

  async function show(c: Context, more: { problem?: string; says?: string } = {}): Promise<Response> {
    const login = ownLogin()
    const [member, settings, owner, isUnreminded] = await Promise.all([
      findOwn(),
      login === '' ? null : members.settingsOf(login),
      ownerView(),
      login !== '' && digest.reminders.isOwnOff(login),
    ])
    const context = pageContext(c, routes)
    c.header('cache-control', 'no-store')
    return c.html(DigestPage({ context, digest, member, settings, owner, isUnreminded, ...more }))
  }

  const refuse = (c: Context, problem: string) => {
    c.status(400)
    return show(c, { problem })
  }

  app.get('/digest', async (c) => show(c, await routes.flash.takeTexts(c, '/digest')))

  app.post('/digest', formLimit, async (c) => {
    const login = ownLogin()
    if (login === '') return refuse(c, t('Sign in as a person: only people have a digest.'))
    const one = await readForm(c)
    const frequency = one('frequency')
    const [weekday, hour] = [Number(one('weekday')), Number(one('hour'))]
    const timeZone = one('time_zone')
    if (!isChoice(frequency)) return refuse(c, t('It comes daily, weekly, or not at all.'))
    if (!Number.isInteger(weekday) || weekday < 1 || weekday > 7)
      return refuse(c, t('Choose a day of the week.'))
    if (!Number.isInteger(hour) || hour < 0 || hour > 23) return refuse(c, t('Choose an hour from 0 to 23.'))
    const parsed = timeZone === '' ? { success: true as const, data: '' } : zone.safeParse(timeZone)
    if (!parsed.success)
      return refuse(c, t('Write the time zone as in the tz database, such as Europe/Berlin.'))
    const language = one('language') || undefined
    if (language !== undefined && !isLanguage(language))
      return refuse(c, t('Choose a language from the list.'))
    const isOwner = currentVisitor().role === 'owner'
    const before = await members.settingsOf(login)
    const alerts = isOwner ? one('alerts') === 'on' : before.alerts
    await members.choose(login, {
      frequency,
      weekday,
      hour,
      time_zone: parsed.data,
      language: language ?? before.language,
      alerts,
    })
    await members.note(currentVisitor())
    return c.redirect('/digest', 303)
  })

  app.post('/digest/reminders', formLimit, async (c) => {
    const login = ownLogin()
    if (login !== '') await digest.reminders.turnOwnOn(login)
    return c.redirect('/digest', 303)
  })

  app.post('/digest/test', formLimit, async (c) => {
    const member = await findOwn()
    if (member === undefined || member.address === '')
      return refuse(c, t('There is no e-mail address that it could go to.'))
    const now = routes.clock()
    if (Math.abs(now - (tested.get(member.login) ?? -testEveryMs)) < testEveryMs) {
      // Not shown here: loading the page again later would send one.
      await routes.flash.leave(c, '/digest', {
        problem: t('One was sent less than a minute ago. Wait a moment.'),
      })
      return c.redirect('/digest', 303)
    }
    tested.set(member.login, now)
    const outcome = await digest.sendTest(member)
    const message =
      outcome.state === 'sent'
        ? { says: t('Sent to {address}.', { address: member.address }) }
        : { problem: t('It was not sent. {detail}', { detail: lookUp(outcome.detail) }) }
    await routes.flash.leave(c, '/digest', message)
    return c.redirect('/digest', 303)
  })

  app.get('/digest/preview', async (c) => {
    const login = c.req.query('login') ?? ''
    // The owner of it decides its content: only an owner may look at another one's.
    const isOther = login !== '' && currentVisitor().role === 'owner'
    const composed = isOther ? await digest.previewOf(login) : await digest.preview()
    if (composed === null) return notFound(c, routes)
    c.header('cache-control', 'no-store')
    c.header('content-security-policy', previewPolicy)
    return c.req.query('part') === 'text' ? c.text(composed.text) : c.html(composed.html)
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

function isChoice(text: string): text is 'daily' | 'weekly' | 'off' | '' {
  return choices.includes(text)
}
