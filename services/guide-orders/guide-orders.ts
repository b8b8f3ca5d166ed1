/**
 * Giving guides: first a preview; then an order, stored before anything is done; then one call per person, each recorded
 * before it is made. After a crash, a time-out or a second click, nobody gets the guide twice, and every outcome is
 * recorded. Where the platform does not list who has a guide, a call without an answer waits for a person.
 */
import type { Problem } from '../../language/problems.ts'

export type PlannedPerson = {
  userId: string
  name: string | null
  /** `undecided`: an earlier order has no answer yet. */
  plan: 'assign' | 'has_guide' | 'has_left' | 'undecided'
  assignmentId: string | null
  /** Set for `undecided`: that order. */
  orderId: string | null
}

export type OrderRequest = {
  /** Created with the preview, reused when a confirmation is repeated. At most 100 letters, digits and - _. */
  orderId: string
  guideId: string
  userIds: string[]
  /** Epoch ms, after 0; `null`: no due date. */
  dueDateMs: number | null
  /** Also for people who have completed it before. */
  again: boolean
  /** As a person entered it; not verified. */
  askedBy: string
  /** The list that the people come from. */
  reason: string
}

export type OrderPreview = {
  /** `isKnown`: it was on the platform's list of guides. */
  guide: { id: string; title: string; isKnown: boolean }
  /** Whether the platform lists who has a guide. If not, only orders tell, and nothing is verified. */
  isListed: boolean
  /** In the order of the request, each once. */
  people: PlannedPerson[]
  /** Calls to the platform: one per person, plus the guide's list, twice if it has several pages. */
  calls: { assign: number; list: number }
  /** When the guide's assignments were last pulled, epoch ms: later assignments are found before the calls. */
  seenAtMs: number | null
}

/** order_conflict: an order with this id and different content exists. */
export type OrderProblem = Problem<
  | 'invalid_guide'
  | 'invalid_order_id'
  | 'invalid_due_date'
  | 'nobody_to_order_for'
  | 'too_many_to_order_for'
  | 'order_conflict'
>

/** given: acknowledged, and not verified. kept: could not be taken back. */
const finalOutcomes = [
  'assigned',
  'given',
  'already',
  'left',
  'refused',
  'gave_up',
  'taken_back',
  'kept',
] as const
export type FinalOutcome = (typeof finalOutcomes)[number]
export const orderOutcomes = [
  ...finalOutcomes,
  'planned',
  'waiting',
  'calling',
  'unknown',
  'taking_back',
] as const
export type OrderOutcome = (typeof orderOutcomes)[number]

export function isFinal(outcome: OrderOutcome): boolean {
  return (finalOutcomes as readonly OrderOutcome[]).includes(outcome)
}

export type OrderedPerson = {
  userId: string
  name: string | null
  outcome: OrderOutcome
  assignmentId: string | null
  tries: number
  lastStepAtMs: number | null
  detail: string
  /** Counts up with everything that is done. */
  step: number
  /** No answer, and no list to look it up: see `decide`. */
  needsDecision: boolean
  canTakeBack: boolean
}

/** `again`: call once more, although the guide may then be there twice. */
export type OrderDecision = 'given' | 'again'

/** `askedBy` `null`: not said. */
export type GuideOrder = Omit<OrderRequest, 'userIds' | 'askedBy'> & {
  askedAtMs: number
  askedBy: string | null
  guideTitle: string
  /** Nothing is left to do but decisions of a person. */
  isDone: boolean
  /** Why the order is stuck now, such as a refused token; `null`: it continues, or is done. */
  heldUpBy: string | null
  counts: Partial<Record<OrderOutcome, number>>
  people: OrderedPerson[]
}

export type GuideOrders = {
  /** The guides that the platform lists, by title. Others can be ordered by their id. */
  guides(): Promise<{ id: string; title: string }[]>
  /** By its last answer. */
  areGuidesListed(): Promise<boolean>
  preview(
    request: Pick<OrderRequest, 'guideId' | 'userIds' | 'again'>,
  ): Promise<{ ok: true; preview: OrderPreview } | { ok: false; problem: OrderProblem }>
  /** Durable when it resolves; executed afterwards. The same order again changes nothing. */
  place(
    request: OrderRequest,
  ): Promise<{ ok: true; order: GuideOrder; isNew: boolean } | { ok: false; problem: OrderProblem }>
  get(orderId: string): Promise<GuideOrder | null>
  /**
   * A person's decision about calls without an answer. Ignored for everyone for whom something was done since `step`.
   * `null`: no such order.
   */
  decide(
    orderId: string,
    decision: OrderDecision,
    people: readonly { userId: string; step: number }[],
  ): Promise<GuideOrder | null>
  /** Takes the guide back from people who got it by this order; the rest as of `decide`. */
  takeBack(orderId: string, people: readonly { userId: string; step: number }[]): Promise<GuideOrder | null>
  /** Newest first. */
  recent(limit: number): Promise<GuideOrder[]>
}

export const maxPeoplePerOrder = 500
