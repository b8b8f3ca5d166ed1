/** From a list of people to a guide: preview by GET, order by POST, and its record. */
import type { Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import type { GuideOrders } from '../../../services/guide-orders/create-guide-orders.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'
import { notFound } from '../../http/problems.ts'
import { readForm } from '../../http/read-form.ts'
import type { OutcomeProps } from '../../page-context.ts'
import { href, pageParams } from '../../scope/page-url.ts'
import { OrderPage, orderHref } from './order-page.tsx'
import { AssignPage } from './page.tsx'
import { readAssign, toDueDateMs } from './read.ts'

export function mountAssign(app: Hono, routes: RouteContext, orders: GuideOrders): void {
  app.get('/assign', async (c) => c.html(AssignPage(await readAssign(c, routes, orders))))

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
