/** What the page of reminders reads: the people of a list, and who of them gets an email. */
import type { Context } from 'hono'
import { t } from '../../../language/translate.ts'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import { readReminded } from '../../components/remind.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageRequest } from '../../http/page-request.ts'

/** More at once are too many for a page, and for a look at each. */
const mostPeople = 2_000
const mostAssignments = 1_000

export type RemindView = Awaited<ReturnType<typeof readRemind>>

export async function readRemind(c: Context, routes: RouteContext) {
  const { query, scope, notices, context } = pageRequest(c, routes, {
    ignore: ['ticked'],
    rows: true,
    most: mostPeople,
    idle: ['as_of', 'compare', 'due_zone', 'due_end'],
  })
  /** Whether people were selected. Else the filters are the list. */
  const isTicked = query.get('ticked') === 'true'
  const nobodyTicked = isTicked && scope.user.length === 0
  const list = await routes.queries.overdue(nobodyTicked ? { ...scope, user: [''] } : scope)
  const found = list.people.map(({ user_id }) => user_id).filter(Boolean)
  const n = isTicked ? scope.user.length - found.length : 0
  if (nobodyTicked) notices.push(t('No one is selected.'))
  else if (n > 0)
    notices.push(
      t('{n, plural, one {# selected person has} other {# selected people have}} nothing overdue.', { n }),
    )
  const values = { n: mostPeople, all: found.length }
  if (found.length > mostPeople) notices.push(t('These are the {n} longest overdue of {all} people.', values))
  const { people, plan } = await readPeople(routes, found)
  const users = people.map(({ user_id }) => user_id)
  /** Of the people who get an email. */
  const first = people.find(({ user_id }) => plan.get(user_id) === 'send')
  const [reminded, late] = await Promise.all([
    readReminded(routes, users),
    first === undefined ? [] : readLate(routes, first.user_id),
  ])
  const { options, freshness } = list
  const { sample } = freshness
  const parts = { people, plan, reminded, first, late, isTicked, options, notices, sample }
  return { ...parts, sending: toSending(routes), context: context() }
}

/** Now, by the due rules of the settings, without any filter: what the mails list. */
const scopeOf = ({ clock, settings }: RouteContext, user: string[]) => ({
  ...createScope(clock(), settings),
  user,
})

const readLate = (routes: RouteContext, user: string) =>
  routes.queries.lateAssignments(scopeOf(routes, [user]), user, mostAssignments)

/** Everything overdue of these people, also what the filters of the list leave out. `plan`: of each, if Rollcall sends mails here. */
export async function readPeople(routes: RouteContext, users: readonly string[]) {
  const wanted = users.filter(Boolean).slice(0, mostPeople)
  const { people } =
    wanted.length === 0 ? { people: [] } : await routes.queries.overdue(scopeOf(routes, wanted))
  return { people, plan: (await routes.digest?.reminders.plan(people)) ?? new Map<string, never>() }
}

/** Who sends: Rollcall, or only the reader, because it is off or because they have not signed in: answers go to who sends. */
export function toSending({ digest }: RouteContext): 'rollcall' | 'off' | 'nobody' {
  const { via } = currentVisitor()
  if (via !== 'session' && via !== 'proxy') return 'nobody'
  return digest?.reminders.canSend === true ? 'rollcall' : 'off'
}
