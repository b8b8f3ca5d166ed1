/**
 * The platform's API for the rest of Rollcall. Whatever the platform's dialect - zero- or one-based pages, bare lists or
 * envelopes, camelCase or snake_case, numbers or ISO 8601 - results have one shape: text ids, epoch milliseconds,
 * camelCase names. For every value, absent (`undefined`) means "not said" and `null` means "none".
 */
import type { PlatformGuideAssignment, PlatformUser } from '../../schemas/platform.ts'
import type { DeliveredEvent } from '../../schemas/webhook/parse-delivery.ts'

/** Who asks: a waiting person, a scheduled job, or a sweep that spreads its calls. */
export type CallPriority = 'person' | 'job' | 'sweep'

export type CallOptions = {
  /** Default `job`. */
  priority?: CallPriority
  /** Ends the wait or the running call; rejects with the code `STOPPED`. */
  signal?: AbortSignal
}

export type ListOptions = CallOptions & {
  /** Where to begin. The first page is 0, whatever the platform calls it. Default 0. */
  from?: number
  /** Page size. Default: the platform's maximum, 100 users, 200 of the others. Do not change it between pages. */
  size?: number
  /** A list of more pages has no end. Default 10,000. */
  maxPages?: number
}

/** An unreadable item of a list. The list continues without it. */
export type SkippedItem = { index: number; reason: 'not_an_object' | 'no_id' | 'not_an_event' }

export type Page<Item> = {
  page: number
  items: Item[]
  skipped: SkippedItem[]
  /** When the complete answer had arrived, epoch ms: the moment of the observation. */
  answeredAtMs: number
}

/** Of a list, to its end. Rejects with `NOT_OFFERED` if the platform does not have the list. */
export type Pages<Item> = AsyncGenerator<Page<Item>, void, undefined>

/** `isNumericId`: the id was sent as a JSON number. */
export type ListedUser = PlatformUser & { isNumericId: boolean }

export type GuideAssignment = PlatformGuideAssignment & { guideId: string }

/** One assignment of a challenge, as a webhook would carry it now. */
export type AssignmentPayload = {
  /** The payload's JSON text, written again: not the bytes of any delivery. */
  body: Uint8Array
  event: DeliveredEvent & { assignment: NonNullable<DeliveredEvent['assignment']> }
}

export type UserAssignments =
  | { outcome: 'assignments'; payloads: AssignmentPayload[]; skipped: SkippedItem[]; answeredAtMs: number }
  /** No such user, or no such endpoint: both are 404. */
  | { outcome: 'not_found' }
  /** The platform answers without webhook payloads: it does not know the parameter. */
  | { outcome: 'not_offered' }

export type NewGuideAssignment = {
  guideId: string
  /** In the form in which the platform sends it. */
  userId: string | number
  /** Epoch ms, due at the end of its day; absent: none. */
  dueDateMs?: number
}

export type SubscriptionValues = { name: string; url: string; eventTypes: string[] }
