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
  again: z.boolean().default(false).meta({ description: 'Also people who already completed it' }),
})

export const orderRequest = orderSelection.extend({
  order_id: z
    .string()
    .meta({ description: 'Your own id of this order: the same one again is the same order.' }),
  due_date: instant
    .nullable()
    .default(null)
    .meta({ description: 'Due at the end of this day, as the platform counts days' }),
  asked_by: z.string().max(500).default('').meta({ description: 'Who asks, for the record' }),
  reason: z.string().max(500).default(''),
})

export const orderedPeople = z.strictObject({
  people: z
    .array(z.strictObject({ user_id: id, step: z.int().min(0).max(999_999_999) }))
    .min(1)
    .max(500)
    .meta({
      description: 'With their `step`: people for whom something was done since are left as they are.',
    }),
})

export const orderDecision = orderedPeople.extend({
  decision: z.enum(['given', 'again']).meta({
    description:
      'given: marked as given, nothing is sent. again: asked for once more, the guide may then be there twice. Of people with `needs_decision`.',
  }),
})

const previewAnswer = z.object({
  guide: z.object({
    id: z.string(),
    title: z.string(),
    known: z.boolean().meta({ description: 'Whether it is on the platform’s list of guides as last pulled' }),
  }),
  listed: z.boolean().meta({
    description:
      'Whether the platform lists who has a guide. If not, orders go by POST alone and nothing is verified.',
  }),
  people: z.array(
    z.object({
      user_id: z.string(),
      plan: z.enum(['assign', 'has_guide', 'has_left', 'undecided']),
      assignment_id: z.string().nullable(),
      order_id: z.string().nullable().meta({ description: 'Of undecided: the order that has no answer yet' }),
    }),
  ),
  calls: z
    .object({ assign: z.int(), list: z.int() })
    .meta({ description: 'To the platform: one per person who gets it, and those that read who has it.' }),
  seen_at: instant.nullable().meta({ description: 'When it was last pulled who has the guide' }),
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
    held_up_by: z.string().nullable().meta({ description: 'Why nothing goes on just now' }),
    counts: z.partialRecord(outcome, z.int()),
    people: z.array(
      z.object({
        user_id: z.string(),
        outcome,
        assignment_id: z.string().nullable(),
        tries: z.int(),
        last_step_at: instant.nullable(),
        detail: z.string(),
        step: z.int(),
        needs_decision: z.boolean().meta({ description: 'No answer, and no list to look it up' }),
        can_take_back: z.boolean(),
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
  post(
    '/guide-orders/preview',
    'previewGuideOrder',
    'Who of a list would be given a guide, and by how many calls',
    {
      description: `Changes nothing and does not ask the platform. ${offered}`,
      body: { [json]: orderSelection },
      answers: { [json]: previewAnswer },
      refusals,
    },
  ),
  post('/guide-orders', 'placeGuideOrder', 'Assign a guide', {
    description: `Stored when it answers and carried out afterwards, one call per person. ${offered}`,
    body: { [json]: orderRequest },
    answers: { [json]: orderAnswer },
    refusals,
  }),
  post(
    '/guide-orders/{id}/decisions',
    'decideGuideOrder',
    'Decide about people for whom the platform gave no answer',
    {
      description: `Only where the platform does not list who has a guide. ${offered}`,
      pathParameters: z.object({ id: z.string() }),
      body: { [json]: orderDecision },
      answers: { [json]: orderAnswer },
      refusals,
    },
  ),
  post(
    '/guide-orders/{id}/withdrawals',
    'takeBackGuideOrder',
    'Take the guide back from people who got it by this order',
    {
      description: `Only of people with \`can_take_back\`: it needs take_back_guide in PLATFORM_PATHS. The platform deletes the assignment, with all that they did. ${offered}`,
      pathParameters: z.object({ id: z.string() }),
      body: { [json]: orderedPeople },
      answers: { [json]: orderAnswer },
      refusals,
    },
  ),
  get('/guide-orders', 'listGuideOrders', 'The newest orders and what came of them', {
    description: offered,
    answers: { [json]: ordersAnswer },
    refusals: [404],
  }),
  get(
    '/guide-orders/{id}',
    'getGuideOrder',
    'One order: who asked, when, for what, and what came of each person',
    {
      description: offered,
      pathParameters: z.object({ id: z.string() }),
      answers: { [json]: orderAnswer },
      refusals: [404],
    },
  ),
]
