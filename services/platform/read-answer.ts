/** How answers are read: both list forms, both spellings, and item by item, so that one bad item affects only itself. */
import type { z } from 'zod'
import { isObject } from '../../schemas/json.ts'
import { platformGuideAssignmentSchema, platformGuideSchema } from '../../schemas/platform.ts'
import { userSchema } from '../../schemas/webhook/event.ts'
import { parseDelivery } from '../../schemas/webhook/parse-delivery.ts'
import { readTolerantly } from '../../schemas/webhook/read-tolerantly.ts'
import type { AssignmentPayload, GuideAssignment, SkippedItem } from './platform-client.ts'
import { PlatformError } from './platform-error.ts'

/** `hasMore`: `undefined` of a bare list, which does not say; it continues until a page is empty. */
export type List = { raw: unknown[]; hasMore: boolean | undefined }

/** A bare array, or an envelope whose `data` holds the list, by its name or as its only list. */
export function toList(json: unknown, name: string): List {
  if (Array.isArray(json)) return { raw: json, hasMore: undefined }
  if (isObject(json)) {
    const envelope = toCamelCase(json) as Record<string, unknown>
    const within = isObject(envelope['data']) ? envelope['data'] : envelope
    const data = Array.isArray(envelope['data']) ? envelope['data'] : within[name]
    const lists = Object.values(within).filter((value) => Array.isArray(value))
    const raw = Array.isArray(data) ? data : lists.length === 1 ? lists[0] : undefined
    const { hasMore } = envelope
    if (raw !== undefined) return { raw, hasMore: typeof hasMore === 'boolean' ? hasMore : undefined }
  }
  throw new PlatformError('UNEXPECTED', `The platform answered with JSON that holds no list of ${name}.`)
}

export type ReadItems<Item> = { items: Item[]; skipped: SkippedItem[] }

export function readItems<Item extends { id?: string | null | undefined }>(
  raw: readonly unknown[],
  schema: z.ZodType<Item>,
): ReadItems<Item & { id: string }> {
  const skipped: SkippedItem[] = []
  const items: (Item & { id: string })[] = []
  for (const [index, value] of raw.entries()) {
    const item = isObject(value) ? readItem(toCamelCase(value), schema) : undefined
    if (item?.id) items.push(item as Item & { id: string })
    else skipped.push({ index, reason: item === undefined ? 'not_an_object' : 'no_id' })
  }
  return { items, skipped }
}

function readItem<Item>(json: unknown, schema: z.ZodType<Item>): Item | undefined {
  return isObject(json) ? readTolerantly(json, schema).value : undefined
}

/** No record of the platform nests deeper. Deeper parts are dropped, so that no answer can overflow the stack. */
const maxDepth = 32

/** On every level. If both spellings exist, the camelCase one counts. */
export function toCamelCase(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return null
  if (Array.isArray(value)) return value.map((item) => toCamelCase(item, depth + 1))
  const fields: [string, unknown][] = []
  for (const [key, inner] of Object.entries(value)) {
    const name = key.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    if (name === key || !Object.hasOwn(value, name)) fields.push([name, toCamelCase(inner, depth + 1)])
  }
  return Object.fromEntries(fields)
}

// Records that need more than their schema.

/** Each `{user, guide, guide_assignment}`, or an assignment alone. */
export function toChanges(raw: readonly unknown[]): ReadItems<GuideAssignment> {
  const items: GuideAssignment[] = []
  const skipped: SkippedItem[] = []
  for (const [index, value] of raw.entries()) {
    const item = isObject(value) ? (toCamelCase(value) as Record<string, unknown>) : {}
    const inner = isObject(item['guideAssignment']) ? item['guideAssignment'] : item
    const assignment = readItem(inner, platformGuideAssignmentSchema)
    const guideId =
      readItem(item['guide'], platformGuideSchema)?.id ?? assignment?.guideId ?? assignment?.courseId
    const userId = assignment?.userId ?? readItem(item['user'], userSchema)?.id
    if (assignment?.id && guideId) items.push({ ...assignment, id: assignment.id, guideId, userId })
    else skipped.push({ index, reason: isObject(value) ? 'no_id' : 'not_an_object' })
  }
  return { items, skipped }
}

/** The answer to a new assignment; `undefined` where it does not name the assignment. */
export function toAssignment(json: unknown, guideId: string): GuideAssignment | undefined {
  const inner = isObject(json) && isObject(json['data']) ? json['data'] : json
  const [item] = readItems([inner], platformGuideAssignmentSchema).items
  return item === undefined ? undefined : { ...item, guideId }
}

/** Assignments of challenges in the shape of webhooks. Other items are skipped. */
export function toPayloads(raw: readonly unknown[]): ReadItems<AssignmentPayload> {
  const items: AssignmentPayload[] = []
  const skipped: SkippedItem[] = []
  raw.forEach((value, index) => {
    if (!isObject(value)) return skipped.push({ index, reason: 'not_an_object' })
    const json = 'event_type' in value ? toCamelCase(value) : value
    const body = toBody(json)
    if (body === undefined) return skipped.push({ index, reason: 'not_an_event' })
    const delivery = parseDelivery(body)
    if (delivery.outcome === 'failed' || delivery.event.assignment === undefined) {
      return skipped.push({ index, reason: 'not_an_event' })
    }
    const { event } = delivery
    items.push({ body, event: { ...event, assignment: delivery.event.assignment } })
  })
  return { items, skipped }
}

/** `undefined`: it nests too deeply to be written. */
function toBody(json: unknown): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(json))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

/** Of an item as it was sent. Its content if it has no id. */
export function toItemId(item: unknown): string {
  const { id } = (item ?? {}) as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? String(id) : JSON.stringify(item)
}
