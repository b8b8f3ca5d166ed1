/**
 * Giving guides: first a preview; then an order, stored before anything is done; then one call per person, each recorded
 * before it is made. After a crash, a time-out or a second click, nobody gets the guide twice, and every outcome is
 * recorded.
 */

/** What the order would do for a person. */
export type PlannedPerson = {
  userId: string
  name: string | null
  plan: 'assign' | 'has_guide' | 'has_left'
  /** Of `has_guide`. */
  assignmentId: string | null
}

export type OrderRequest = {
  /** Created with the preview, reused when a confirmation is repeated. At most 100 letters, digits and - _. */
  orderId: string
  guideId: string
  userIds: string[]
  /** Epoch ms; `null`: no due date. */
  dueDateMs: number | null
  /** Also for people who have completed it before. */
  again: boolean
  /** As a person entered it; not verified. */
  askedBy: string
  /** The list that the people come from. */
  reason: string
}

export type OrderPreview = {
  guide: { id: string; title: string }
  /** In the order of the request, each once. */
  people: PlannedPerson[]
  /** Calls to the platform: one per person, plus the guide's list. */
  calls: { assign: number; list: number }
  /** When the guide's assignments were last pulled, epoch ms: later assignments are found before the calls. */
  seenAtMs: number | null
}

export type OrderProblem =
  | { reason: 'unknown_guide' | 'nobody' | 'invalid_id'; message: string }
  | { reason: 'too_many'; message: string; most: number }
  /** An order with this id and different content exists. */
  | { reason: 'conflict'; message: string }

/** planned, calling, unknown and waiting are not final. */
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
  /** Why the order is stuck now, such as a refused token; `null`: it continues, or is done. */
  heldUpBy: string | null
  counts: Partial<Record<OrderOutcome, number>>
  people: OrderedPerson[]
}

export type GuideOrders = {
  /** The guides that can be assigned, by title. */
  guides(): Promise<{ id: string; title: string }[]>
  preview(
    request: Pick<OrderRequest, 'guideId' | 'userIds' | 'again'>,
  ): Promise<{ ok: true; preview: OrderPreview } | { ok: false; problem: OrderProblem }>
  /** Durable when it resolves; executed afterwards. The same order again changes nothing. */
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
