/** Reminders: who would get one by GET, asking for them by POST. Rollcall sends them soon after. */
import type { Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import { readReminded } from '../../components/remind.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageRequest } from '../../http/page-request.ts'
import { forbidden } from '../../http/problems.ts'
import { limitBody } from '../../http/read-form.ts'
import { href, pageParams } from '../../scope/page-url.ts'
import { RemindPage, type Sending } from './page.tsx'

/** More at once are too many for a page, and for a look at each. */
const mostPeople = 2_000
const mostAssignments = 1_000
const maxBodyBytes = 512 * 1024

export function mountRemind(app: Hono, routes: RouteContext): void {
  const { queries, digest, settings, clock, flash } = routes
  const reminders = digest?.reminders

  /** Only people who signed in can send: answers go to them, and the mail names them. */
  function toSending(): Sending {
    const { via } = currentVisitor()
    if (via !== 'session' && via !== 'proxy') return 'nobody'
    return reminders?.canSend === true ? 'rollcall' : 'off'
  }

  /** Now, by the due rules of the settings, without any filter: what the mails list. */
  const scopeOf = (users: readonly string[]): Scope => ({
    ...createScope(clock(), settings),
    user: [...users],
  })

  /** Everything overdue of these people, also what the filters of the list leave out. */
  async function readPeople(users: readonly string[]) {
    const wanted = users.filter(Boolean).slice(0, mostPeople)
    const { people } = wanted.length === 0 ? { people: [] } : await queries.overdue(scopeOf(wanted))
    return { people, plan: (await reminders?.plan(people)) ?? new Map<string, never>() }
  }

  app.get('/remind', async (c) => {
    const request = pageRequest(c, routes, {
      ignore: ['ticked'],
      rows: true,
      most: mostPeople,
      idle: ['as_of', 'compare', 'due_zone', 'due_end'],
    })
    const { query, scope, notices } = request
    const isTicked = query.get('ticked') === 'true'
    const nobodyTicked = isTicked && scope.user.length === 0
    const list = await queries.overdue(nobodyTicked ? { ...scope, user: [''] } : scope)
    const found = list.people.map(({ user_id }) => user_id).filter(Boolean)
    const missing = isTicked ? scope.user.length - found.length : 0
    if (nobodyTicked) notices.push(t('No one is selected.'))
    else if (missing > 0)
      notices.push(
        t('{n, plural, one {# selected person has} other {# selected people have}} nothing overdue.', {
          n: missing,
        }),
      )
    if (found.length > mostPeople)
      notices.push(
        t('These are the {n} longest overdue of {all} people.', { n: mostPeople, all: found.length }),
      )
    const { people, plan } = await readPeople(found)
    const users = people.map(({ user_id }) => user_id)
    const first = people.find(({ user_id }) => plan.get(user_id) === 'send')
    const [reminded, late] = await Promise.all([
      readReminded(routes, users),
      first === undefined
        ? []
        : queries.lateAssignments(scopeOf([first.user_id]), [first.user_id], mostAssignments),
    ])
    const { options, freshness } = list
    const sending = toSending()
    c.header('cache-control', 'no-store')
    const context = request.context()
    return c.html(
      RemindPage({
        context,
        people,
        plan,
        first,
        late,
        reminded,
        sending,
        isTicked,
        options,
        notices,
        sample: freshness.sample,
      }),
    )
  })

  app.post('/remind', limitBody(maxBodyBytes), async (c) => {
    if (reminders === undefined || toSending() !== 'rollcall') return forbidden(c, routes)
    const form = await c.req.parseBody({ all: true })
    const texts = (name: string) => [form[name]].flat().filter((value) => typeof value === 'string')
    const { people, plan } = await readPeople([...new Set(texts('user'))])
    const users = people.map(({ user_id }) => user_id).filter((id) => plan.get(id) === 'send')
    const back = new URLSearchParams(texts('back')[0] ?? '')
    const ticked = back.get('ticked') === 'true' ? 'true' : null
    const to = href('/remind', pageParams(back), { ticked })
    if (users.length === 0) return flash.done(c, to, { problem: t('No one here can be reminded right now.') })
    await reminders.ask(currentVisitor(), users)
    const says = t('{n, plural, one {# reminder goes} other {# reminders go}} out within a minute.', {
      n: users.length,
    })
    return flash.done(c, to, { says })
  })
}
