/** The outcomes of an order in words. */
import { type Message, t } from '../../../language/translate.ts'
import type { GuideOrder, OrderOutcome } from '../../../services/guide-orders/guide-orders.ts'
import type { Format } from '../../../language/format.ts'

export const outcomeWords: Record<OrderOutcome, Message> = {
  assigned: 'Assigned',
  given: 'Given, not verified',
  already: 'Had it already',
  left: 'Has left',
  refused: 'Refused by the platform',
  gave_up: 'Given up',
  planned: 'Waiting for its turn',
  waiting: 'Not done yet, will be tried again',
  calling: 'Being asked for',
  unknown: 'No answer; being looked up',
  taking_back: 'Being taken back',
  taken_back: 'Taken back',
  kept: 'Could not be taken back',
}

export const undecidedWords = 'Unknown: no answer' satisfies Message

const countWords = {
  assigned: '{n} assigned',
  given: '{n} given, not verified',
  already: '{n} had it already',
  left: '{n} has left',
  refused: '{n} refused by the platform',
  gave_up: '{n} given up',
  planned: '{n} waiting for its turn',
  waiting: '{n} not done yet, will be tried again',
  calling: '{n} being asked for',
  unknown: '{n} unknown: no answer',
  taking_back: '{n} being taken back',
  taken_back: '{n} taken back',
  kept: '{n} could not be taken back',
} as const satisfies Record<OrderOutcome, Message>

const order = Object.keys(outcomeWords) as OrderOutcome[]

export function toCountWords(counts: GuideOrder['counts'], format: Format): string {
  return order
    .filter((outcome) => counts[outcome] !== undefined)
    .map((outcome) => t(countWords[outcome], { n: format.count(counts[outcome] ?? 0) }))
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
  NO_TAKE_BACK: 'PLATFORM_TAKE_BACK_PATH is not set.',
  WAS_GONE: 'It was gone: an earlier try without an answer has done it.',
  UNDECIDED: 'An earlier order for this person has no answer: decide there first.',
  EXPIRED: 'More than a day went by; place a new order if it is still wanted.',
  INTERRUPTED: 'Rollcall was stopped in the middle of the call.',
}

export function toDetailWords(detail: string): string {
  const words = details[detail]
  return words === undefined ? detail : t(words)
}
