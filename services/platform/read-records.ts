/** Records that need more than their schema. */
import {
  platformGuideAssignmentSchema,
  platformGuideSchema,
  type PlatformGuide,
  type PlatformGuideAssignment,
} from '../../schemas/platform/guide.ts'
import { platformUserSchema, type PlatformUser } from '../../schemas/platform/user.ts'
import { parseDelivery } from '../../schemas/webhook/parse-delivery.ts'
import type { AssignmentPayload, GuideAssignmentChange, SkippedItem } from './platform-client.ts'
import { isObject, readItem, readItems, toCamelCase } from './read-answer.ts'

/** `{user, guide, guide_assignment}`, or an assignment alone. */
export function toChange(
  value: unknown,
  index: number,
  drift: Map<string, number>,
): { change: GuideAssignmentChange } | { skipped: SkippedItem } {
  if (!isObject(value)) return { skipped: { index, reason: 'not_an_object' } }
  const item = toCamelCase(value) as Record<string, unknown>
  const inner = isObject(item['guideAssignment']) ? item['guideAssignment'] : item
  const assignment = readItem(inner, platformGuideAssignmentSchema, drift)
  const user = readItem(item['user'], platformUserSchema, drift)
  const guide = readItem(item['guide'], platformGuideSchema, drift)
  const guideId = guide?.id ?? assignment?.guideId ?? assignment?.courseId
  if (!assignment?.id || !guideId) return { skipped: { index, reason: 'no_id' } }
  return {
    change: {
      assignment: { ...assignment, id: assignment.id, guideId, userId: assignment.userId ?? user?.id },
      user: user?.id ? (user as PlatformUser) : undefined,
      guide: guide?.id ? (guide as PlatformGuide) : undefined,
    },
  }
}

/** The answer to a new assignment; `undefined` where it does not name the assignment. */
export function toAssignment(
  json: unknown,
  guideId: string,
): (PlatformGuideAssignment & { guideId: string }) | undefined {
  const inner = isObject(json) && isObject(json['data']) ? json['data'] : json
  const [item] = readItems([inner], platformGuideAssignmentSchema).items
  return item === undefined ? undefined : { ...item, guideId }
}

/** Assignments of challenges in the shape of webhooks. Other items are skipped. */
export function toPayloads(raw: readonly unknown[]): { payloads: AssignmentPayload[]; skipped: SkippedItem[] } {
  const payloads: AssignmentPayload[] = []
  const skipped: SkippedItem[] = []
  raw.forEach((value, index) => {
    if (!isObject(value)) return skipped.push({ index, reason: 'not_an_object' })
    const json = 'event_type' in value ? toCamelCase(value) : value
    const body = Buffer.from(JSON.stringify(json))
    const delivery = parseDelivery(body)
    if (delivery.outcome === 'failed' || delivery.event.assignment === undefined) {
      return skipped.push({ index, reason: 'not_an_event' })
    }
    const { event } = delivery
    payloads.push({ body, event: { ...event, assignment: delivery.event.assignment } })
  })
  return { payloads, skipped }
}
