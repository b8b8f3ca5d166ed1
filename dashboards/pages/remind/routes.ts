/** Reminders: who would get one by GET, asking for them by POST. Rollcall sends them soon after. */
import type { Context, Hono } from 'hono'
import { mostUnasked, type Plan, type Reminders } from '../../../digest/reminders.ts'
import { currentVisitor, type Visitor } from '../../../services/access/visitor.ts'
import type { LateAssignment, LatePerson } from '../../../reporting/statements/overdue.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import { readReminded } from '../../components/remind.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext, pageRequest, readNames } from '../../http/page-request.ts'
import { filtersInWords } from '../../scope/filter-words.ts'
import { forbidden } from '../../http/problems.ts'
import { limitBody } from '../../http/read-form.ts'
import { href, pageParams } from '../../scope/page-url.ts'
import type { Format } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'
import { readRuns } from './runs.ts'
import { RemindPage, type Sending } from './page.tsx'

/** More at once are too many for a page, and for a look at each. */
const mostPeople = 2_000
const mostAssignments = 1_000
const maxBodyBytes = 512 * 1024

type Shown = { people: LatePerson[]; back: URLSearchParams; notices: string[]; isHeld?: boolean }

export function mountRemind(app: Hono, routes: RouteContext): void {
  const { queries } = routes
  const reminders = routes.digest?.reminders

  app.get('/remind', async (c) => {
    const { query, left } = byOwnRules(new URL(c.req.url).searchParams, routes)
    const request = pageRequest(c, routes, {
      query,
      ignore: ['ticked'],
      rows: true,
      compares: false,
      most: mostPeople,
    })
    const { scope } = request
    const notices = [
      ...request.notices,
      ...left.map((key) =>
        t('Reminders go by the due rules of the settings, so “{key}” was ignored.', { key }),
      ),
    ]
    const back = toBack(query)
    const isTicked = query.get('ticked') === 'true'
    if (isTicked && scope.user.length === 0)
      return show(c, routes, { people: [], back, notices: [...notices, t('No one is selected.')] })
    // Reminders are about now, whatever the moment of the list.
    const { people } = await queries.overdue({ ...scope, asOf: scope.now })
    const late = people.filter(({ user_id }) => user_id !== '')
    const missing = isTicked ? new Set(scope.user).size - late.length : 0
    if (missing > 0)
      notices.push(
        t('{n, plural, one {# selected person has} other {# selected people have}} nothing overdue.', {
          n: missing,
        }),
      )
    if (late.length > mostPeople)
      notices.push(
        t('These are the {n} longest overdue of {all} people.', { n: mostPeople, all: late.length }),
      )
    return show(c, routes, { people: late.slice(0, mostPeople), back, notices })
  })

  app.post('/remind', limitBody(maxBodyBytes), async (c) => {
    const visitor = currentVisitor()
    if (reminders === undefined || toSending(visitor, reminders) !== 'rollcall') return forbidden(c, routes)
    const form = await c.req.parseBody({ all: true })
    const texts = (name: string) => [form[name]].flat().filter((value) => typeof value === 'string')
    const users = [...new Set(texts('user'))].slice(0, mostPeople)
    const back = toBack(new URLSearchParams(texts('back')[0] ?? ''))
    const { people } = users.length === 0 ? { people: [] } : await queries.overdue(scopeOf(routes, users))
    const plan = await reminders.plan(people)
    const chosen = people.filter(({ user_id }) => user_id !== '' && plan.get(user_id) === 'send')
    const confirmed = Number(texts('confirmed')[0] ?? '')
    const isUnusual = (await reminders.countAsked(visitor.login)) + chosen.length > mostUnasked
    if (chosen.length > 0 && isUnusual && confirmed !== chosen.length) {
      c.status(409)
      return show(c, routes, { people, back, notices: [], isHeld: true })
    }
    const work = await readLate(routes, chosen)
    const targets = chosen.flatMap(({ user_id }) => {
      const assignments = (work.get(user_id) ?? []).map(({ assignment_id }) => assignment_id)
      return assignments.length === 0 ? [] : [{ user_id, assignments }]
    })
    if (targets.length > 0) await reminders.ask(visitor, targets)
    const says =
      targets.length === 0
        ? t('No one here can be reminded right now.')
        : t('{n, plural, one {# reminder goes} other {# reminders go}} out within a minute.', {
            n: targets.length,
          })
    return routes.flash.done(c, href('/remind', back), targets.length === 0 ? { problem: says } : { says })
  })
}

/** The mails go by the due rules of the settings, so the list does, too. `left`: the rules of the address that are others. */
function byOwnRules(address: URLSearchParams, { settings: { dueZone, dueEnd } }: RouteContext) {
  const rules = new Map<string, string>([
    ['due_zone', dueZone],
    ['due_end', dueEnd],
  ])
  const query = new URLSearchParams([...address].filter(([key]) => !rules.has(key)))
  const left = [...rules].filter(([key, own]) => (address.get(key) || own) !== own).map(([key]) => key)
  return { query, left }
}

/** Now, without any filter: these people. */
function scopeOf({ clock, settings }: RouteContext, users: readonly string[]): Scope {
  return { ...createScope(clock(), settings), user: [...users] }
}

/** Everything overdue, by person: also assignments that the filters of the list leave out. */
async function readLate(
  routes: RouteContext,
  people: readonly LatePerson[],
): Promise<ReadonlyMap<string, LateAssignment[]>> {
  const users = people.map(({ user_id }) => user_id)
  const late = await routes.queries.lateAssignments(scopeOf(routes, users), users, mostAssignments)
  return Map.groupBy(late, ({ user_id }) => user_id)
}

async function show(
  c: Context,
  routes: RouteContext,
  { people, back, notices, isHeld = false }: Shown,
): Promise<Response> {
  const visitor = currentVisitor()
  const reminders = routes.digest?.reminders
  const users = people.map(({ user_id }) => user_id)
  const [plan, reminded, work, runs] = await Promise.all([
    reminders === undefined ? new Map<string, Plan>() : reminders.plan(people),
    readReminded(routes, users),
    readLate(routes, people),
    reminders === undefined ? [] : readRuns(routes, reminders, visitor),
  ])
  c.header('cache-control', 'no-store')
  const context = { ...pageContext(c, routes, { params: back }), address: href('/remind', back) }
  return c.html(
    RemindPage({
      context,
      people: people.map((person) => {
        const { user_id: id } = person
        return { person, plan: plan.get(id), reminded: reminded.get(id), late: work.get(id) ?? [] }
      }),
      sending: toSending(visitor, reminders),
      everyDays: reminders?.everyDays ?? 0,
      runs,
      back,
      words: back.has('ticked') ? undefined : await listWords(routes, back, context.format),
      isHeld,
      notices,
      sample: await routes.queries.isSample(),
    }),
  )
}

/** The filters of the list, if it has any, in words. Reminders are of now, whatever the address says. */
async function listWords(
  routes: RouteContext,
  back: URLSearchParams,
  format: Format,
): Promise<string | undefined> {
  const filters = new URLSearchParams(back)
  filters.delete('as_of')
  return filters.size === 0 ? undefined : filtersInWords(filters, format, await readNames(routes, [filters]))
}

/** Only a person who signed in: answers go there, and the mail says who asked. */
function toSending({ via }: Visitor, reminders: Reminders | undefined): Sending {
  if (via !== 'session' && via !== 'proxy') return 'nobody'
  return reminders?.canSend === true ? 'rollcall' : 'off'
}

/** The list, as an address of this page. */
function toBack(query: URLSearchParams): URLSearchParams {
  const back = pageParams(query)
  if (query.get('ticked') === 'true') back.set('ticked', 'true')
  return back
}
