/** From a list of people to a guide: preview by GET, order by POST, and its record. */
import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import { toCalendarDate } from '../../../schemas/metrics/calendar.ts'
import type { Queries } from '../../../reporting/queries/queries.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { GuideOrders } from '../../../services/guide-orders/create-guide-orders.ts'
import { maxPeoplePerOrder } from '../../../services/guide-orders/guide-orders.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext, pageRequest } from '../../http/page-request.ts'
import { notFound } from '../../http/problems.ts'
import { readForm } from '../../http/read-form.ts'
import type { OutcomeProps } from '../../page-context.ts'
import { href, pageParams } from '../../scope/page-url.ts'
import { OrderPage, orderHref } from './order-page.tsx'
import { AssignPage } from './page.tsx'

const recentOrders = 20
/** Fields of the form that are not filters. */
const formKeys = ['guide', 'due', 'again']

export function mountAssign(app: Hono, routes: RouteContext, orders: GuideOrders): void {
  app.get('/assign', async (c) => c.html(AssignPage(await readPage(c, routes, orders))))

  app.post('/assign/orders', async (c) => {
    const sent = await readForm(c)
    const [due, reason] = [sent('due'), sent('reason')]
    const refuse = (problem: OutcomeProps['problem']) =>
      routes.flash.done(c, href('/assign', pageParams(new URLSearchParams(reason))), { problem })
    const dueDateMs = toDueDateMs(due)
    if (dueDateMs === undefined) return refuse(t('“{due}” is not a day.', { due }))
    const placed = await orders.place({
      orderId: sent('order_id'),
      guideId: sent('guide'),
      userIds: sent.all('user'),
      dueDateMs,
      again: sent('again') === 'true',
      askedBy: currentVisitor().login,
      reason,
    })
    return placed.ok ? c.redirect(orderHref(placed.order), 303) : refuse(placed.problem)
  })

  app.post('/assign/orders/:id/again', async (c) => {
    const people = (await readForm(c)).all('person')
    const order = await orders.askAgain(c.req.param('id'), people.length === 0 ? undefined : people)
    return order === null ? notFound(c, routes) : c.redirect(orderHref(order), 303)
  })

  app.get('/assign/orders/:id', async (c) => {
    const order = await orders.get(c.req.param('id'))
    if (order === null) return notFound(c, routes)
    const context = pageContext(c, routes)
    return c.html(OrderPage({ context, order, sample: await routes.queries.isSample() }))
  })
}

export type AssignView = Awaited<ReturnType<typeof readPage>>

async function readPage(c: Context, routes: RouteContext, orders: GuideOrders) {
  const { queries } = routes
  const now = routes.clock()
  const { query, params, notices, scope } = pageRequest(c, routes, { ignore: formKeys, rows: true })
  const guideId = (query.get('guide') ?? '').trim()
  const [due, again] = [query.get('due') ?? '', query.get('again') === 'true']
  const [list, guides, recent, sample] = await Promise.all([
    // The people of now, whatever the moment of the page that led here.
    findPeople(queries, { ...scope, asOf: now }),
    orders.guides(),
    orders.recent(recentOrders),
    queries.isSample(),
  ])
  const { userIds } = list
  const tried = guideId === '' ? null : await orders.preview({ guideId, userIds, again })
  const context = pageContext(c, routes, { now })
  return {
    context: tried?.ok === false ? { ...context, outcome: tried } : context,
    /** The filters in force. */
    params,
    list,
    guides,
    /** The form's values so far. */
    form: { guideId, due: toDueDateMs(due) === undefined ? '' : due, again },
    /** `null` until a guide is chosen that can be ordered. */
    preview: tried?.ok === true ? tried.preview : null,
    /** The id of an order placed from this page: pressing twice is one order. */
    orderId: randomUUID(),
    recent,
    sample,
    notices,
  }
}

/** The people behind the assignments of a list, each once. `isCut`: more than an order allows. */
async function findPeople(queries: Pick<Queries, 'allAssignments'>, scope: Scope) {
  const userIds = new Set<string>()
  let assignments = 0
  for await (const rows of await queries.allAssignments(scope)) {
    for (const { user_id } of rows) if (user_id !== null) userIds.add(user_id)
    assignments += rows.length
    if (userIds.size > maxPeoplePerOrder) break
  }
  const isCut = userIds.size > maxPeoplePerOrder
  return { userIds: [...userIds].slice(0, maxPeoplePerOrder), assignments, isCut }
}

/**
 * Noon UTC of the day: the platform turns it into the end of that day in its own zone, and noon is that day nearly
 * everywhere.
 */
export function toDueDateMs(day: string): number | null | undefined {
  if (day === '') return null
  return toCalendarDate(day) === undefined ? undefined : Date.parse(`${day}T12:00:00Z`)
}
