/** Orders to assign guides, as the API takes and answers them. */
import { z } from 'zod'
import { orderOutcomes } from '../../../services/guide-orders/guide-orders.ts'

const id = z.string().min(1).max(200)
const instant = z.iso.datetime()

export const orderSelection = z.strictObject({
  guide_id: id,
  user_ids: z.array(id).max(10_000).optional().meta({ description: 'The people. Or else `filters`.' }),
  filters: z.string().max(4_000).optional().meta({
    description: 'The query of /api/assignments that lists them, such as fact=overdue&team=7. Or else `user_ids`.',
  }),
  again: z.boolean().default(false).meta({ description: 'Also to those who have completed it before' }),
})

export const orderRequest = orderSelection.extend({
  order_id: z.string().meta({ description: 'Your own id of this order: the same one again is the same order.' }),
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
    .meta({ description: 'With their `step`: people for whom something was done since are left as they are.' }),
})

export const orderDecision = orderedPeople.extend({
  decision: z.enum(['given', 'again']).meta({
    description:
      'given: marked as given, nothing is sent. again: asked for once more, the guide may then be there twice. Of people with `needs_decision`.',
  }),
})

export const previewAnswer = z.object({
  guide: z.object({
    id: z.string(),
    title: z.string(),
    known: z.boolean().meta({ description: 'Whether it is on the platform’s list of guides as last pulled' }),
  }),
  listed: z.boolean().meta({
    description: 'Whether the platform lists who has a guide. If not, orders go by POST alone and nothing is verified.',
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

export const orderAnswer = z
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

export const ordersAnswer = z.object({ orders: z.array(orderAnswer) })
