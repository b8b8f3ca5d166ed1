/** From a list of people to a guide: preview by GET, order by POST, and its record. */
import { sayProblem } from '../../../language/problems.ts'
import { t } from '../../../language/translate.ts'
import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import type { Assigning } from '../../assigning.ts'
import type { GuideOrder } from '../../../services/guide-orders/guide-orders.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { AssignPage, type AssignForm } from './page.tsx'
import { orderHref } from './words.ts'
import { OrderPage } from './order-page.tsx'
import { ProblemPage } from '../../components/plain-page.tsx'
import { filterChips } from '../../scope/filter-words.ts'
import { pageContext, pageRequest } from '../../http/page-request.ts'
import { notFound } from '../../http/problems.ts'
import { toCalendarDate } from '../../../reporting/scope/instants.ts'

const recentOrders = 20
/** Fields of the form that are not filters. */
const formKeys = ['guide', 'guide_id', 'due', 'again']

export function mountAssign(app: Hono, routes: RouteContext, assigning: Assigning): void {
  const { orders } = assigning

  app.get('/assign', async (c) => assignPage(c, routes, assigning))

  app.post('/assign/orders', async (c) => {
    const body = await c.req.parseBody({ all: true })
    const one = (name: string) => [body[name]].flat().find((value) => typeof value === 'string') ?? ''
    const userIds = [body['user']].flat().filter((value) => typeof value === 'string')
    const due = one('due')
    const dueDateMs = toDueDateMs(due)
    if (dueDateMs === undefined) return refuse(c, routes, t('“{due}” is not a day.', { due }))
    const placed = await orders.place({
      orderId: one('order_id'),
      guideId: one('guide'),
      userIds,
      dueDateMs,
      again: one('again') === 'true',
      askedBy: one('asked_by'),
      reason: one('reason'),
    })
    if (!placed.ok) return refuse(c, routes, sayProblem(placed.problem))
    return c.redirect(orderHref(placed.order), 303)
  })

  app.post('/assign/orders/:id/decisions', async (c) => {
    const body = await c.req.parseBody({ all: true })
    const decision = body['decision']
    if (decision !== 'given' && decision !== 'again')
      return refuse(c, routes, t('Choose what is to be done.'))
    return showOrder(c, routes, await orders.decide(c.req.param('id'), decision, toChosen(body['person'])))
  })

  app.post('/assign/orders/:id/withdrawals', async (c) => {
    const body = await c.req.parseBody({ all: true })
    return showOrder(c, routes, await orders.takeBack(c.req.param('id'), toChosen(body['person'])))
  })

  app.get('/assign/orders/:id', async (c) => {
    const order = await orders.get(c.req.param('id'))
    if (order === null) return notFound(c, routes)
    const context = pageContext(c, routes)
    return c.html(OrderPage({ context, order, sample: await assigning.isSample() }))
  })
}

/** As the checkboxes have them: step/id. */
function toChosen(values: unknown): { userId: string; step: number }[] {
  return [values].flat().flatMap((value) => {
    const [, step = '', userId = ''] =
      typeof value === 'string' ? (/^(\d{1,9})\/(.+)$/s.exec(value) ?? []) : []
    return userId === '' ? [] : [{ userId, step: Number(step) }]
  })
}

function showOrder(c: Context, routes: RouteContext, order: GuideOrder | null): Response | Promise<Response> {
  if (order === null) return notFound(c, routes)
  return c.redirect(orderHref(order), 303)
}

async function assignPage(c: Context, routes: RouteContext, assigning: Assigning): Promise<Response> {
  const { orders, peopleOf, isSample } = assigning
  const now = routes.clock()
  const context = pageContext(c, routes, { now })
  const parsed = pageRequest(c, routes, { ignore: formKeys, rows: true })
  const { query, params, notices } = parsed
  // Nobody gets a guide for how things stood earlier: the people are those of now, and the page says so.
  const scope = { ...parsed.scope, asOf: now }
  const form: AssignForm = {
    guideId: (query.get('guide_id') ?? '').trim() || (query.get('guide') ?? ''),
    due: toDueDateMs(query.get('due') ?? '') === undefined ? '' : (query.get('due') ?? ''),
    again: query.get('again') === 'true',
  }
  const [list, frame, guides, areGuidesListed, recent, sample] = await Promise.all([
    peopleOf(scope),
    routes.queries.frame(scope),
    orders.guides(),
    orders.areGuidesListed(),
    orders.recent(recentOrders),
    isSample(),
  ])
  const preview =
    form.guideId === ''
      ? null
      : await orders.preview({ guideId: form.guideId, userIds: list.userIds, again: form.again })
  return c.html(
    AssignPage({
      context,
      params,
      chips: filterChips(params, frame.options, context.format),
      asOf: parsed.scope.asOf,
      list,
      guides,
      areGuidesListed,
      form,
      preview,
      orderId: randomUUID(),
      recent,
      sample,
      notices,
    }),
  )
}

function refuse(c: Context, routes: RouteContext, explanation: string): Response | Promise<Response> {
  c.status(400)
  return c.html(
    ProblemPage({
      context: pageContext(c, routes),
      title: t('Nothing was ordered'),
      explanation,
      retry: { href: '/assign', name: t('Begin again') },
    }),
  )
}

/**
 * Noon UTC of the day: the platform turns it into the end of that day in its own zone, and noon is that day nearly
 * everywhere.
 */
export function toDueDateMs(day: string): number | null | undefined {
  if (day === '') return null
  return toCalendarDate(day) === undefined ? undefined : Date.parse(`${day}T12:00:00Z`)
}
