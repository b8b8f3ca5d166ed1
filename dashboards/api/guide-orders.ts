/** Giving people guides: order and record. */
import { z } from 'zod'
import { sayProblemInEnglish } from '../../language/problems.ts'
import { parseScope } from '../../reporting/scope/parse-scope.ts'
import { toInstant, toInstantOrNull } from '../../schemas/instant.ts'
import { instant } from '../../schemas/answers/values.ts'
import {
  orderOutcomes,
  type GuideOrder,
  type OrderProblem,
} from '../../services/guide-orders/guide-orders.ts'
import { endpoint, offered, refuse, Refusal, toApiProblem, type ApiDeps } from './endpoint.ts'

const recentOrders = 50
const id = z.string().min(1).max(200)
const description = (text: string) => ({ description: text })

const orderRequest = z.strictObject({
  guide_id: id,
  user_ids: z.array(id).max(10_000).optional().meta(description('The people. Or else `filters`.')),
  filters: z
    .string()
    .max(4_000)
    .optional()
    .meta(
      description(
        'The query of /api/assignments that lists them, such as fact=overdue&team=7. Or else `user_ids`.',
      ),
    ),
  again: z.boolean().default(false).meta(description('Also people who had the guide before')),
  order_id: z
    .string()
    .meta(description('Your own id of the order. A second order with the same id returns the first.')),
  due_date: z.iso
    .datetime()
    .nullable()
    .default(null)
    .meta(description('Due at the end of this day, as the platform counts days')),
  asked_by: z.string().max(500).default('').meta(description('Who asks, for the record')),
  reason: z.string().max(500).default(''),
})

const orderAgain = z.strictObject({
  user_ids: z.array(id).max(500).optional().meta(description('Only for these people. Default: all')),
})

const outcome = z.enum(orderOutcomes)

const orderAnswer = z
  .object({
    order_id: z.string(),
    asked_at: instant,
    asked_by: z.string().nullable(),
    reason: z.string(),
    guide: z.object({ id: z.string(), title: z.string() }),
    due_date: instant.nullable(),
    again: z.boolean(),
    done: z.boolean(),
    counts: z.partialRecord(outcome, z.int()),
    people: z.array(
      z.object({
        user_id: z.string(),
        outcome,
        assignment_id: z.string().nullable(),
        last_step_at: instant.nullable(),
        detail: z.string(),
        can_ask_again: z.boolean().meta(description('The call got no answer, and none will come')),
      }),
    ),
  })
  .meta({ id: 'GuideOrder' })

const where = 'Answers 404 where no platform is configured, or where ASSIGN_GUIDES does not allow it.'
const openOrders = ({ assigning }: ApiDeps) =>
  offered(
    assigning,
    'giving guides is not offered here; it needs PLATFORM_URL, and ASSIGN_GUIDES to allow it',
  )

/** The user ids themselves, or those that the filters find. */
async function toUserIds(
  { user_ids, filters }: Pick<z.infer<typeof orderRequest>, 'user_ids' | 'filters'>,
  deps: ApiDeps,
): Promise<string[]> {
  if ((user_ids === undefined) === (filters === undefined))
    return refuse('user_ids', 'or filters must be given, and not both')
  if (filters === undefined) return user_ids ?? []
  const { settings, clock } = deps
  const { scope, problems } = parseScope(new URLSearchParams(filters), { now: clock(), settings })
  const named = problems.map((each) => toApiProblem({ ...each, parameter: `filters: ${each.parameter}` }))
  if (named.length > 0) throw new Refusal(400, ...named)
  const { userIds, isCut } = await openOrders(deps).peopleOf(scope)
  return isCut ? refuse('filters', 'find more people than an order takes') : userIds
}

const parameterOf: Record<OrderProblem['code'], string> = {
  invalid_guide: 'guide_id',
  nobody_to_order_for: 'user_ids',
  too_many_to_order_for: 'user_ids',
  invalid_order_id: 'order_id',
  invalid_due_date: 'due_date',
}

const refuseOrder = (problem: OrderProblem) => refuse(parameterOf[problem.code], sayProblemInEnglish(problem))

function toAnswer(order: GuideOrder | null): z.infer<typeof orderAnswer> {
  if (order === null) throw new Refusal(404, { parameter: 'id', message: 'is not the id of an order' })
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

export const guideOrderCalls = [
  endpoint({
    method: 'post',
    path: '/guide-orders',
    id: 'placeGuideOrder',
    summary: 'Assign a guide',
    description: `Stored before the answer and carried out afterwards, one call per person. ${where}`,
    body: orderRequest,
    answers: orderAnswer,
    canMiss: true,
    async answer({ body, ...deps }) {
      const placed = await openOrders(deps).orders.place({
        orderId: body.order_id,
        guideId: body.guide_id,
        userIds: await toUserIds(body, deps),
        dueDateMs: body.due_date === null ? null : Date.parse(body.due_date),
        again: body.again,
        askedBy: body.asked_by,
        reason: body.reason === '' ? (body.filters ?? '') : body.reason,
      })
      return placed.ok ? toAnswer(placed.order) : refuseOrder(placed.problem)
    },
  }),
  endpoint({
    method: 'post',
    path: '/guide-orders/{id}/again',
    id: 'repeatGuideOrder',
    summary: 'Repeat the calls that got no answer',
    description: `Check the platform first: a guide may then be there twice. ${where}`,
    names: 'Order id',
    body: orderAgain,
    answers: orderAnswer,
    canMiss: true,
    answer: async ({ id, body, ...deps }) =>
      toAnswer(await openOrders(deps).orders.askAgain(id, body.user_ids)),
  }),
  endpoint({
    path: '/guide-orders',
    id: 'listGuideOrders',
    summary: 'The newest orders with their outcomes',
    description: where,
    answers: z.object({ orders: z.array(orderAnswer) }),
    canMiss: true,
    answer: async (deps) => ({
      orders: (await openOrders(deps).orders.recent(recentOrders)).map(toAnswer),
    }),
  }),
  endpoint({
    path: '/guide-orders/{id}',
    id: 'getGuideOrder',
    summary: 'One order with the outcome for each person',
    description: where,
    names: 'Order id',
    answers: orderAnswer,
    canMiss: true,
    answer: async ({ id, ...deps }) => toAnswer(await openOrders(deps).orders.get(id)),
  }),
]
