/** Reminders: who would get one by GET, asking for them by POST. Rollcall sends them soon after. */
import type { Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { forbidden } from '../../http/problems.ts'
import { limitBody, readForm } from '../../http/read-form.ts'
import { href, pageParams } from '../../scope/page-url.ts'
import { RemindPage } from './page.tsx'
import { readPeople, readRemind, toSending } from './read.ts'

const maxBodyBytes = 512 * 1024

export function mountRemind(app: Hono, routes: RouteContext): void {
  app.get('/remind', async (c) => {
    c.header('cache-control', 'no-store')
    return c.html(RemindPage(await readRemind(c, routes)))
  })

  app.post('/remind', limitBody(maxBodyBytes), async (c) => {
    const reminders = routes.digest?.reminders
    if (reminders === undefined || toSending(routes) !== 'rollcall') return forbidden(c, routes)
    const sent = await readForm(c)
    const { people, plan } = await readPeople(routes, [...new Set(sent.all('user'))])
    const users = people.map(({ user_id }) => user_id).filter((id) => plan.get(id) === 'send')
    const back = new URLSearchParams(sent('back'))
    const to = href('/remind', pageParams(back), { ticked: back.get('ticked') === 'true' ? 'true' : null })
    const n = users.length
    if (n === 0) return routes.flash.done(c, to, { problem: t('No one here can be reminded right now.') })
    await reminders.ask(currentVisitor(), users)
    const words = '{n, plural, one {# reminder goes} other {# reminders go}} out within a minute.' as const
    return routes.flash.done(c, to, { says: t(words, { n }) })
  })
}
