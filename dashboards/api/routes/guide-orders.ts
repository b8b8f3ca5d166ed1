/** Giving people guides as JSON: preview, order, record. */
import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import type { GuideOrder, OrderProblem } from '../../../services/guide-orders/guide-orders.ts'
import { sayProblemInEnglish } from '../../../language/problems.ts'
import type { Assigning } from '../../assigning.ts'
import { fail, refuse, takeBody, type ApiContext, toApiProblem, type ApiProblem } from '../api-context.ts'
import { orderAgain, orderRequest, orderSelection } from './guide-order-schemas.ts'
import { parseScope } from '../../../reporting/scope/parse-scope.ts'
import { toInstant, toInstantOrNull } from '../../../schemas/instant.ts'

const recentOrders = 50

/** The routes always exist; without `assigning` they answer that it is not offered here. */
export function mountGuideOrders(app: Hono, context: ApiContext, assigning: Assigning | undefined): void {
  const notOffered = (c: Context) => {
    const message = 'giving guides is not offered here; it needs PLATFORM_URL, and ASSIGN_GUIDES to allow it'
    return fail(c, 404, 'NOT_FOUND', [{ parameter: 'path', message }])
  }
  if (assigning === undefined) {
    for (const path of ['/guide-orders', '/guide-orders/:id']) app.get(path, notOffered)
    for (const path of ['', '/preview', '/:id/again']) app.post(`/guide-orders${path}`, notOffered)
    return
  }
  const { orders, peopleOf } = assigning

  /** The user ids themselves, or those that the filters find. */
  async function toUserIds({
    user_ids,
    filters,
  }: z.infer<typeof orderSelection>): Promise<string[] | ApiProblem[]> {
    if ((user_ids === undefined) === (filters === undefined)) {
      return [{ parameter: 'user_ids', message: 'or filters must be given, and not both' }]
    }
    if (filters === undefined) return user_ids ?? []
    const { settings, clock } = context
    const { scope, problems } = parseScope(new URLSearchParams(filters), { now: clock(), settings })
    if (problems.length > 0)
      return problems.map((problem) =>
        toApiProblem({ ...problem, parameter: `filters: ${problem.parameter}` }),
      )
    const { userIds, isCut } = await peopleOf(scope)
    return isCut ? [{ parameter: 'filters', message: `find more people than an order takes` }] : userIds
  }

  app.post(
    '/guide-orders/preview',
    takeBody(orderSelection, async (c, value) => {
      const userIds = await toUserIds(value)
      if (!isIds(userIds)) return refuse(c, userIds)
      const { guide_id: guideId, again } = value
      const preview = await orders.preview({ guideId, userIds, again })
      if (!preview.ok) return refuse(c, [toProblem(preview.problem)])
      const { guide, people, seenAtMs } = preview.preview
      return c.json({
        guide: { id: guide.id, title: guide.title, known: guide.isKnown },
        people: people.map(({ userId: user_id, plan, assignmentId: assignment_id, orderId: order_id }) => {
          return { user_id, plan, assignment_id, order_id }
        }),
        seen_at: toInstantOrNull(seenAtMs),
      })
    }),
  )

  app.post(
    '/guide-orders',
    takeBody(orderRequest, async (c, value) => {
      const userIds = await toUserIds(value)
      if (!isIds(userIds)) return refuse(c, userIds)
      const placed = await orders.place({
        orderId: value.order_id,
        guideId: value.guide_id,
        userIds,
        dueDateMs: value.due_date === null ? null : Date.parse(value.due_date),
        again: value.again,
        askedBy: value.asked_by,
        reason: value.reason === '' ? (value.filters ?? '') : value.reason,
      })
      return placed.ok ? c.json(toAnswer(placed.order)) : refuse(c, [toProblem(placed.problem)])
    }),
  )

  app.post(
    '/guide-orders/:id/again',
    takeBody(orderAgain, async (c, { user_ids }) =>
      answerOrder(c, await orders.askAgain(c.req.param('id') ?? '', user_ids)),
    ),
  )
  app.get('/guide-orders', async (c) => c.json({ orders: (await orders.recent(recentOrders)).map(toAnswer) }))
  app.get('/guide-orders/:id', async (c) => answerOrder(c, await orders.get(c.req.param('id'))))
}

function answerOrder(c: Context, order: GuideOrder | null): Response {
  return order === null
    ? fail(c, 404, 'NOT_FOUND', [{ parameter: 'id', message: 'is not the id of an order' }])
    : c.json(toAnswer(order))
}

function isIds(list: string[] | ApiProblem[]): list is string[] {
  return list.every((one) => typeof one === 'string')
}

const parameterOf: Record<OrderProblem['code'], string> = {
  invalid_guide: 'guide_id',
  nobody_to_order_for: 'user_ids',
  too_many_to_order_for: 'user_ids',
  invalid_order_id: 'order_id',
  invalid_due_date: 'due_date',
}

function toProblem(problem: OrderProblem): ApiProblem {
  return { parameter: parameterOf[problem.code], message: sayProblemInEnglish(problem) }
}

function toAnswer(order: GuideOrder) {
  return {
    order_id: order.orderId,
    asked_at: toInstant(order.askedAtMs),
    asked_by: order.askedBy,
    reason: order.reason,
    guide: { id: order.guideId, title: order.guideTitle },
    due_date: toInstantOrNull(order.dueDateMs),
    again: order.again,
    done: order.isDone,
    counts: order.counts,
    people: order.people.map(({ userId, outcome, assignmentId, lastStepAtMs, detail, canAskAgain }) => ({
      user_id: userId,
      outcome,
      assignment_id: assignmentId,
      last_step_at: toInstantOrNull(lastStepAtMs),
      detail,
      can_ask_again: canAskAgain,
    })),
  }
}
