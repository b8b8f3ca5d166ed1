/**
 * The platform's API as the rest of Rollcall sees it. Whatever the platform's dialect - zero- or one-based pages, bare
 * lists or envelopes, camelCase or snake_case, numbers or ISO 8601 - comes out in one shape: text ids, epoch
 * milliseconds, camelCase names. Of every value absent (`undefined`) means "not said" and `null` means "none".
 *
 * Every call waits for its turn in the call budget. Reads are tried again while that makes sense; a write is sent again
 * only when it surely was not carried out. Every failure is a `PlatformError`.
 */
import type { ChallengeMember } from '../../schemas/platform/challenge-member.ts'
import type { PlatformGuide, PlatformGuideAssignment } from '../../schemas/platform/guide.ts'
import type { PlatformUser } from '../../schemas/platform/user.ts'
import type { WebhookSubscription } from '../../schemas/platform/webhook-subscription.ts'
import type { DeliveredEvent } from '../../schemas/webhook/parse-delivery.ts'

/** Who asks: a person who waits, a scheduled job, or a sweep that has time and spreads its calls over it. */
export type CallPriority = 'person' | 'job' | 'sweep'

export type CallOptions = {
  /** Default `job`. */
  priority?: CallPriority
  /** Gives up waiting and the call under way; rejects with the code `STOPPED`. */
  signal?: AbortSignal
}

export type PageOptions = CallOptions & {
  /** The first page is 0, whatever the platform calls it. */
  page: number
  /** Items on a page. Default: the most that the platform gives, 100 users, 200 of the others. Do not change it between pages. */
  size?: number
}

/** An item of a list that could not be read. The list goes on without it. */
export type SkippedItem = { index: number; reason: 'not_an_object' | 'no_id' | 'not_an_event' }

export type Page<Item> = {
  items: Item[]
  skipped: SkippedItem[]
  /** Fields of a type that does not fit, dropped as unknown: each with its number of items. */
  drift: Map<string, number>
  /** False: this was the last page. True: ask for the next, which may turn out to be empty. */
  hasMore: boolean
  /** When the whole answer had arrived, epoch ms: the moment at which it counts as observed. */
  answeredAtMs: number
}

/** A change of a guide assignment, with the people and guides it came with. */
export type GuideAssignmentChange = {
  assignment: PlatformGuideAssignment & { guideId: string }
  user: PlatformUser | undefined
  guide: PlatformGuide | undefined
}

/** One assignment of a challenge as a webhook would carry it now. */
export type AssignmentPayload = {
  /** The payload's JSON text, written anew: not the bytes of any delivery. */
  body: Uint8Array
  event: DeliveredEvent & { assignment: NonNullable<DeliveredEvent['assignment']> }
}

export type UserAssignments =
  | { outcome: 'assignments'; payloads: AssignmentPayload[]; skipped: SkippedItem[]; answeredAtMs: number }
  /** No such user - or no such endpoint: both are 404. */
  | { outcome: 'not_found' }
  /** The platform answers with something else than webhook payloads: it does not know the parameter. */
  | { outcome: 'not_offered' }

export type NewGuideAssignment = {
  guideId: string
  userId: string
  /** Epoch ms; absent: none. */
  dueDateMs?: number
  /** Default true, as the platform's. */
  dueAtEndOfDay?: boolean
}

export type SubscriptionValues = { name: string; url: string; eventTypes: string[] }

export type PlatformClient = {
  /** Ascending pages of everybody; a page may hold people twice or skip some when the list moves while it is read. */
  users(options: PageOptions & { includeDeleted?: boolean }): Promise<Page<PlatformUser>>
  guides(options: PageOptions): Promise<Page<PlatformGuide>>
  guideAssignments(guideId: string, options: PageOptions): Promise<Page<PlatformGuideAssignment & { guideId: string }>>
  /** Created or updated within the range, both ends inclusive. Rejects with `NOT_FOUND` where the platform lacks it. */
  changedGuideAssignments(
    range: { fromMs: number; toMs: number; includeDeleted?: boolean },
    options: PageOptions,
  ): Promise<Page<GuideAssignmentChange>>
  /** Never sent twice unless the first was surely refused: look at `mayHaveHappened` of the error before trying again. */
  createGuideAssignment(
    values: NewGuideAssignment,
    options?: CallOptions,
  ): Promise<(PlatformGuideAssignment & { guideId: string }) | undefined>
  /** Everything the person is assigned to, in the shape of webhooks. */
  userAssignments(userId: string, options?: CallOptions): Promise<UserAssignments>
  challengeMembers(challengeId: string, options: PageOptions): Promise<Page<ChallengeMember>>
  /** All of them. */
  webhookSubscriptions(options?: CallOptions): Promise<WebhookSubscription[]>
  webhookSubscription(id: string, options?: CallOptions): Promise<WebhookSubscription>
  createWebhookSubscription(values: SubscriptionValues, options?: CallOptions): Promise<WebhookSubscription>
  changeWebhookSubscription(
    id: string,
    values: Partial<SubscriptionValues>,
    options?: CallOptions,
  ): Promise<WebhookSubscription>
  deleteWebhookSubscription(id: string, options?: CallOptions): Promise<void>
  /** Gives up what waits and what is under way. */
  close(): Promise<void>
}
