/**
 * Assigning guides: a preview, then an order, which is stored before anything is done, then one call per person. A call is made at most
 * once, through kills and over processes. If its answer is lost, it is made again only when a person asks for that.
 */
import type { Problem } from '../../language/problems.ts'

export type PlannedPerson = {
  userId: string
  name: string | null
  /** `unknown`: a call of an earlier order got no answer. */
  plan: 'assign' | 'has_guide' | 'has_left' | 'unknown'
  assignmentId: string | null
  /** The earlier order, if the plan is `unknown`. */
  orderId: string | null
}

export type OrderRequest = {
  /** Created with the preview, reused when a confirmation is repeated. At most 100 letters, digits and - _. */
  orderId: string
  guideId: string
  userIds: string[]
  /** Epoch ms, after 0; `null`: no due date. */
  dueDateMs: number | null
  /** Also for people who had the guide before. */
  again: boolean
  /** As a person entered it; not verified. */
  askedBy: string
  /** The list that the people come from. */
  reason: string
}

export type OrderProblem = Problem<
  'invalid_guide' | 'invalid_order_id' | 'invalid_due_date' | 'nobody_to_order_for' | 'too_many_to_order_for'
>

/** waiting: tried, and certainly not done yet. unknown: no answer, or not yet. */
export const orderOutcomes = [
  'assigned',
  'already',
  'left',
  'refused',
  'gave_up',
  'planned',
  'waiting',
  'unknown',
] as const
export type OrderOutcome = (typeof orderOutcomes)[number]

export type OrderedPerson = {
  userId: string
  name: string | null
  outcome: OrderOutcome
  assignmentId: string | null
  lastStepAtMs: number | null
  detail: string
  /** The answer will not come any more. */
  canAskAgain: boolean
}

/** `askedBy`: `null` if unknown. */
export type GuideOrder = Omit<OrderRequest, 'userIds' | 'askedBy'> & {
  askedAtMs: number
  askedBy: string | null
  guideTitle: string
  /** Nothing is left to do unless a person asks again. */
  isDone: boolean
  counts: Partial<Record<OrderOutcome, number>>
  people: OrderedPerson[]
}

export const maxPeoplePerOrder = 500
