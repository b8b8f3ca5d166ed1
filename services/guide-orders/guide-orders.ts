/**
 * Closing the loop: people of a list are given a guide. First a preview; then an order, which is stored before anything is
 * done; then one call per person, each written down before it is made. Whatever happens in between - a crash, a time-out, a
 * second click - nobody is given the guide twice, and every person's outcome is on record.
 */

/** What a person's place in the order would come to. */
export type PlannedPerson = {
  userId: string
  name: string | null
  plan: 'assign' | 'has_guide' | 'has_left'
  /** Of `has_guide`. */
  assignmentId: string | null
}

export type OrderRequest = {
  /** Made by whoever previews, used again when a confirmation is repeated. At most 100 letters, digits and - _. */
  orderId: string
  guideId: string
  userIds: string[]
  /** Epoch ms; `null`: no due date. */
  dueDateMs: number | null
  /** Also to those who have completed it before. */
  again: boolean
  /** As entered by a person; nobody checks it. */
  askedBy: string
  /** From which list they come. */
  reason: string
}

export type OrderPreview = {
  guide: { id: string; title: string }
  /** In the order of the request, each once. */
  people: PlannedPerson[]
  /** Of the platform: one per person, and the guide's list to see who has it already. */
  calls: { assign: number; list: number }
  /** When the guide's assignments were last pulled, epoch ms: who was given it since is found out before the calls. */
  seenAtMs: number | null
}

export type OrderProblem =
  | { reason: 'unknown_guide' | 'nobody' | 'invalid_id'; message: string }
  | { reason: 'too_many'; message: string; most: number }
  /** An order with this id and other content exists. */
  | { reason: 'conflict'; message: string }

/** planned, calling, unknown and waiting are still under way. */
export type OrderOutcome =
  'planned' | 'calling' | 'unknown' | 'waiting' | 'assigned' | 'already' | 'left' | 'refused' | 'gave_up'

export type OrderedPerson = {
  userId: string
  name: string | null
  outcome: OrderOutcome
  assignmentId: string | null
  tries: number
  lastStepAtMs: number | null
  detail: string
}

export type GuideOrder = {
  orderId: string
  askedAtMs: number
  askedBy: string | null
  reason: string
  guideId: string
  guideTitle: string
  dueDateMs: number | null
  again: boolean
  /** Nothing is left to do. */
  isDone: boolean
  /** Why nothing goes on just now, such as a token that the platform refuses; `null`: it goes on, or is done. */
  heldUpBy: string | null
  counts: Partial<Record<OrderOutcome, number>>
  people: OrderedPerson[]
}

export type GuideOrders = {
  /** What can be assigned, by title. */
  guides(): Promise<{ id: string; title: string }[]>
  preview(
    request: Pick<OrderRequest, 'guideId' | 'userIds' | 'again'>,
  ): Promise<{ ok: true; preview: OrderPreview } | { ok: false; problem: OrderProblem }>
  /** Durable when it resolves; it is carried out afterwards. The same order again changes nothing. */
  place(
    request: OrderRequest,
  ): Promise<{ ok: true; order: GuideOrder; isNew: boolean } | { ok: false; problem: OrderProblem }>
  get(orderId: string): Promise<GuideOrder | null>
  /** Newest first. */
  recent(limit: number): Promise<GuideOrder[]>
}

export const maxPeoplePerOrder = 500

const finalOutcomes: readonly OrderOutcome[] = ['assigned', 'already', 'left', 'refused', 'gave_up']

export function isFinal(outcome: OrderOutcome): boolean {
  return finalOutcomes.includes(outcome)
}
