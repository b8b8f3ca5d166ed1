/** Why a delivery cannot be used, and what to do about it, for people. */
import type { FailureReason } from '../../../schemas/webhook/parse-delivery.ts'
import { t, type Message } from '../../../language/translate.ts'

const words: Record<FailureReason | 'damaged', { says: Message; todo: Message }> = {
  not_json: {
    says: 'The body is not JSON.',
    todo: 'Something else sends to this address, or a proxy changes bodies. It cannot be put right here.',
  },
  not_an_object: {
    says: 'The body is JSON, but not one event.',
    todo: 'Something else sends to this address. It cannot be put right here.',
  },
  no_event_type: {
    says: 'It does not say what happened: eventType is missing, empty or no text.',
    todo: 'Update Rollcall and replay, or set eventType by a fix.',
  },
  no_timestamp: {
    says: 'It does not say when it happened: timestamp is missing or cannot be read.',
    todo: 'Update Rollcall and replay, or set timestamp by a fix.',
  },
  no_assignment_id: {
    says: 'It does not say which assignment it is about.',
    todo: 'Update Rollcall and replay, or set challengeAssignment.id of a single one by a fix.',
  },
  not_storable: {
    says: 'It can be read, but the store refuses what it holds.',
    todo: 'Report it with the words of the store, then replay after an update.',
  },
  damaged: {
    says: 'The event log was damaged where it kept this delivery: the body is not what was received.',
    todo: 'Run rollcall backfill: the platform still knows what it said.',
  },
}

export function reasonWords(reason: string): { says: string; todo: string } {
  const message = Object.hasOwn(words, reason) ? words[reason as FailureReason] : undefined
  if (message === undefined) return { says: reason, todo: t('See docs/cli.md.') }
  return { says: t(message.says), todo: t(message.todo) }
}
