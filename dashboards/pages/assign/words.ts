import type { Format } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { GuideOrder, OrderOutcome } from '../../../services/guide-orders/guide-orders.ts'

/** In the order in which a sentence names them. */
export const outcomeWords: Record<OrderOutcome, Message> = {
  assigned: 'assigned',
  already: 'had it already',
  left: 'left§outcome',
  refused: 'refused by the platform',
  gave_up: 'given up',
  planned: 'waiting§order',
  waiting: 'tried, not done yet',
  unknown: 'no answer',
}

/** "5 assigned, 1 no answer" */
export function countWords(counts: GuideOrder['counts'], format: Format): string {
  const outcomes = Object.keys(outcomeWords) as OrderOutcome[]
  const some = outcomes.filter((outcome) => counts[outcome] !== undefined)
  return some.map((outcome) => `${format.count(counts[outcome] ?? 0)} ${t(outcomeWords[outcome])}`).join(', ')
}

export const orderHref = ({ orderId }: { orderId: string }) => `/assign/orders/${encodeURIComponent(orderId)}`
