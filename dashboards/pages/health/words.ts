import { t, type Message } from '../../../language/translate.ts'
import type { FailureReason } from '../../../schemas/webhook/parse-delivery.ts'

/** Why a webhook cannot be used, and what to do about it. */
const words: Record<FailureReason | 'damaged', { says: Message; todo: Message }> = {
  not_json: {
    says: 'The body is not JSON.',
    todo: 'Something else sends to this address, or a proxy changes bodies. It cannot be fixed here.',
  },
  not_an_object: {
    says: 'The body is JSON, but not one event.',
    todo: 'Something else sends to this address. It cannot be fixed here.',
  },
  no_event_type: {
    says: 'eventType is missing, empty or not text.',
    todo: 'Update Rollcall and replay, or set eventType by a fix.',
  },
  no_timestamp: {
    says: 'timestamp is missing or cannot be read.',
    todo: 'Update Rollcall and replay, or set timestamp by a fix.',
  },
  no_assignment_id: {
    says: 'The assignment ID is missing.',
    todo: 'Update Rollcall and replay, or set challengeAssignment.id of a single one by a fix.',
  },
  not_storable: {
    says: 'It can be read, but the store refuses its content.',
    todo: 'Report the error of the store. Replay after an update.',
  },
  damaged: {
    says: 'The event log was damaged here: the body is not what was received.',
    todo: 'Run rollcall backfill: the platform still has its content.',
  },
}

export function reasonWords(reason: string): { says: string; todo: string } {
  const message = Object.hasOwn(words, reason) ? words[reason as FailureReason] : undefined
  if (message === undefined) return { says: reason, todo: t('See docs/cli.md.') }
  return { says: t(message.says), todo: t(message.todo) }
}
