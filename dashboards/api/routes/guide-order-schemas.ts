/** Orders to assign guides, as the API takes and answers them. */
import { z } from 'zod'
import { orderOutcomes } from '../../../services/guide-orders/guide-orders.ts'
import { get, post, type Operation } from '../openapi.ts'

const id = z.string().min(1).max(200)
const instant = z.iso.datetime()

export const orderSelection = z.strictObject({
  guide_id: id,
  user_ids: z.array(id).max(10_000).optional().meta({ description: 'The people. Or else `filters`.' }),
  filters: z.string().max(4_000).optional().meta({
    description:
      'The query of /api/assignments that lists them, such as fact=overdue&team=7. Or else `user_ids`.',
  }),
  again: z.boolean().default(false).meta({ description: 'Also people who had the guide before' }),
})

export const orderRequest = orderSelection.extend({
  order_id: z
    .string()
    .meta({ description: 'Your own id of the order. A second order with the same id returns the first.' }),
  due_date: instant
    .nullable()
    .default(null)
    .meta({ description: 'Due at the end of this day, as the platform counts days' }),
  asked_by: z.string().max(500).default('').meta({ description: 'Who asks, for the record' }),
  reason: z.string().max(500).default(''),
})

export const orderAgain = z.strictObject({
  user_ids: z.array(id).max(500).optional().meta({ description: 'Only for these people. Default: all' }),
})

const previewAnswer = z.object({
  guide: z.object({
    id: z.string(),
    title: z.string(),
    known: z.boolean().meta({ description: 'Whether it is on the platform’s list of guides as last pulled' }),
  }),
  people: z.array(
    z.object({
      user_id: z.string(),
      plan: z.enum(['assign', 'has_guide', 'has_left', 'unknown']),
      assignment_id: z.string().nullable(),
      order_id: z
        .string()
        .nullable()
        .meta({ description: 'The earlier order that got no answer, if the plan is unknown' }),
    }),
  ),
  seen_at: instant.nullable().meta({
    description: 'When the platform last listed who has a guide; null: it does not list that',
  }),
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
        can_ask_again: z.boolean().meta({ description: 'The call got no answer, and none will come' }),
      }),
    ),
  })
  .meta({ id: 'GuideOrder' })

const ordersAnswer = z.object({ orders: z.array(orderAnswer) })

/** The operations for giving people guides. */
const json = 'application/json'
const refusals = [400, 404] as const
const offered = 'Answers 404 where no platform is configured, or where ASSIGN_GUIDES does not allow it.'

export const guideOrderOperations: readonly Operation[] = [
  post('/guide-orders/preview', 'previewGuideOrder', 'Who would get a guide', {
    description: `Changes nothing and does not call the platform. ${offered}`,
    body: { [json]: orderSelection },
    answers: { [json]: previewAnswer },
    refusals,
  }),
  post('/guide-orders', 'placeGuideOrder', 'Assign a guide', {
    description: `Stored before the answer and carried out afterwards, one call per person. ${offered}`,
    body: { [json]: orderRequest },
    answers: { [json]: orderAnswer },
    refusals,
  }),
  post('/guide-orders/{id}/again', 'repeatGuideOrder', 'Repeat the calls that got no answer', {
    description: `Check the platform first: a guide may then be there twice. ${offered}`,
    pathParameters: z.object({ id: z.string() }),
    body: { [json]: orderAgain },
    answers: { [json]: orderAnswer },
    refusals,
  }),
  get('/guide-orders', 'listGuideOrders', 'The newest orders with their outcomes', {
    description: offered,
    answers: { [json]: ordersAnswer },
    refusals: [404],
  }),
  get('/guide-orders/{id}', 'getGuideOrder', 'One order with the outcome for each person', {
    description: offered,
    pathParameters: z.object({ id: z.string() }),
    answers: { [json]: orderAnswer },
    refusals: [404],
  }),
]
