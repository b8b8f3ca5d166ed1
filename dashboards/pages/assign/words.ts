import { type Message, t } from '../../../language/translate.ts'
import type { GuideOrder, OrderOutcome } from '../../../services/guide-orders/guide-orders.ts'
import type { Format } from '../../../language/format.ts'
import { own } from '../../../schemas/own.ts'

/** In the order in which a sentence names them. */
export const outcomeWords = {
  assigned: { one: 'Assigned', many: '{n} assigned' },
  given: { one: 'Given, not verified', many: '{n} given, not verified' },
  already: { one: 'Had it already', many: '{n} had it already' },
  left: { one: 'Has left', many: '{n} who left' },
  refused: { one: 'Refused by the platform', many: '{n} refused by the platform' },
  gave_up: { one: 'Given up', many: '{n} given up' },
  planned: { one: 'Waiting for its turn', many: '{n} waiting' },
  waiting: { one: 'Not done yet, will be tried again', many: '{n} not done yet, will be tried again' },
  calling: { one: 'Being asked for', many: '{n} being asked for' },
  unknown: { one: 'No answer; being looked up', many: '{n} unknown: no answer' },
  taking_back: { one: 'Being taken back', many: '{n} being taken back' },
  taken_back: { one: 'Taken back', many: '{n} taken back' },
  kept: { one: 'Could not be taken back', many: '{n} could not be taken back' },
} as const satisfies Record<OrderOutcome, { one: Message; many: Message }>

export function toCountWords(counts: GuideOrder['counts'], format: Format): string {
  return (Object.keys(outcomeWords) as OrderOutcome[])
    .flatMap((outcome) => {
      const n = counts[outcome]
      return n === undefined ? [] : [t(outcomeWords[outcome].many, { n: format.count(n) })]
    })
    .join(', ')
}

const details: Record<string, Message> = {
  FOUND_ON_LIST: 'The answer was lost; the assignment was found on the guide’s list.',
  ANSWER_UNREADABLE: 'Done; what else the platform said could not be read.',
  NOT_ON_LIST: 'Not on the guide’s list, so it is asked for again.',
  GUIDE_NOT_FOUND: 'The platform has no such guide any more.',
  GIVEN_BEFORE: 'An earlier order gave it.',
  AS_LAST_PULLED: 'As last pulled from the platform.',
  MARKED_GIVEN: 'Marked as given by a person.',
  ORDERED_AGAIN: 'Ordered again by a person.',
  NO_TAKE_BACK: 'PLATFORM_PATHS has no take_back_guide.',
  WAS_GONE: 'It was gone: an earlier try without an answer has done it.',
  UNDECIDED: 'An earlier order for this person has no answer: decide there first.',
  EXPIRED: 'More than a day went by; ask for it again if it is still wanted.',
  INTERRUPTED: 'Rollcall was stopped in the middle of the call.',
}

export function toDetailWords(detail: string): string {
  const words = own(details, detail)
  return words === undefined ? detail : t(words)
}

export function orderHref({ orderId }: { orderId: string }): string {
  return `/assign/orders/${encodeURIComponent(orderId)}`
}
