/** The platform's API over HTTP: endpoints, parameters, and how answers are read. */
import { isObject } from '../../schemas/json.ts'
import {
  platformGuideAssignmentSchema,
  platformGuideSchema,
  type WebhookSubscription,
  webhookSubscriptionSchema,
} from '../../schemas/platform.ts'
import { userSchema } from '../../schemas/webhook/event.ts'
import { toId } from '../../schemas/webhook/field.ts'
import { createCaller, type CallerOptions, type SentCall } from './create-caller.ts'
import type {
  AssignmentPayload,
  CallOptions,
  ListOptions,
  NewGuideAssignment,
  Page,
  SubscriptionValues,
  UserAssignments,
} from './platform-client.ts'
import { PlatformError } from './platform-error.ts'
import { defaultPaths, type PlatformPaths } from '../config/values/platform-paths.ts'
import type { ListAnswer } from './missing-lists.ts'
import { readItems, toAssignment, toChanges, toPayloads } from './read-answer.ts'
import { createPageReader } from './read-pages.ts'

export type PlatformClientOptions = CallerOptions & {
  /** Without `/api/v1`. */
  baseUrl: string
  /** Default those of the live platform. */
  paths?: PlatformPaths
  onList?: (answer: ListAnswer) => void
}

export function openPlatformClient(options: PlatformClientOptions) {
  const { baseUrl, paths = defaultPaths, clock, onList } = options
  const caller = createCaller(options)
  const readPages = createPageReader({
    get: (endpoint, where, callOptions) => call({ endpoint, method: 'GET' }, where, callOptions),
    now: () => clock.now(),
    onList,
  })

  function call(
    sent: Omit<SentCall, 'url'>,
    where: { id?: string; under?: string; query?: Record<string, string> },
    callOptions: CallOptions = {},
  ) {
    const path =
      paths[sent.endpoint] + (where.under === undefined ? '' : `/${encodeURIComponent(where.under)}`)
    return caller.call({ ...sent, url: toUrl(baseUrl, path, where.id, where.query ?? {}) }, callOptions)
  }

  return {
    /** A page may repeat or skip people when the list moves meanwhile. */
    users(listOptions?: ListOptions) {
      const readAll = (raw: unknown[]) => {
        const numeric = new Set(
          raw.flatMap((one) => (isObject(one) && typeof one['id'] === 'number' ? toId(one['id']) : [])),
        )
        const read = readItems(raw, userSchema)
        return { ...read, items: read.items.map((user) => ({ ...user, isNumericId: numeric.has(user.id) })) }
      }
      const query = { includeDeleted: 'true' }
      return readPages({ endpoint: 'users', name: 'users', query, readAll }, listOptions)
    },

    guides(listOptions?: ListOptions) {
      const readAll = (raw: unknown[]) => readItems(raw, platformGuideSchema)
      return readPages({ endpoint: 'guides', name: 'guides', readAll }, listOptions)
    },

    guideAssignments(guideId: string, listOptions?: ListOptions) {
      const readAll = (raw: unknown[]) => {
        const read = readItems(raw, platformGuideAssignmentSchema)
        return { ...read, items: read.items.map((item) => ({ ...item, guideId })) }
      }
      const list = { endpoint: 'guide_assignments', name: 'assignments', id: guideId, readAll } as const
      return readPages(list, listOptions)
    },

    /** Created or updated within the range, both ends inclusive. */
    changedGuideAssignments({ fromMs, toMs }: { fromMs: number; toMs: number }, listOptions?: ListOptions) {
      const range = {
        start_time: new Date(fromMs).toISOString(),
        end_time: new Date(toMs).toISOString(),
        include_deleted: 'true',
      }
      const list = { endpoint: 'changed_guide_assignments', name: 'assignments', range } as const
      return readPages({ ...list, readAll: toChanges }, listOptions)
    },

    /** Never sent twice unless the first was certainly refused: check the error's `mayHaveHappened` before a retry. */
    async createGuideAssignment(values: NewGuideAssignment, callOptions?: CallOptions) {
      const { guideId, userId, dueDateMs } = values
      const body = {
        userId,
        ...(dueDateMs !== undefined && { dueDate: new Date(dueDateMs).toISOString(), dueAtEndOfDay: true }),
      }
      const sent = { endpoint: 'guide_assignments', method: 'POST', body } as const
      return toAssignment(await callWrite(() => call(sent, { id: guideId }, callOptions)), guideId)
    },

    /** All assignments of the person, in the shape of webhooks. */
    async userAssignments(userId: string, callOptions?: CallOptions): Promise<UserAssignments> {
      const list = { endpoint: 'user_assignments', name: 'assignments', id: userId, isShort: true } as const
      const pages: Page<AssignmentPayload>[] = []
      try {
        for await (const page of readPages({ ...list, readAll: toPayloads }, callOptions)) pages.push(page)
      } catch (error) {
        if (error instanceof PlatformError && error.code === 'NOT_FOUND') return { outcome: 'not_found' }
        throw error
      }
      const payloads = pages.flatMap(({ items }) => items)
      const skipped = pages.flatMap((page) => page.skipped)
      if (payloads.length === 0 && skipped.length > 0) return { outcome: 'not_offered' }
      return { outcome: 'assignments', payloads, skipped, answeredAtMs: clock.now() }
    },

    async webhookSubscriptions(callOptions?: CallOptions) {
      const list = { endpoint: 'webhook_subscriptions', name: 'webhookSubscriptions', isShort: true } as const
      const readAll = (raw: unknown[]) => readItems(raw, webhookSubscriptionSchema)
      const subscriptions = new Map<string, WebhookSubscription>()
      for await (const { items } of readPages({ ...list, readAll }, callOptions))
        for (const item of items) subscriptions.set(item.id, item)
      return [...subscriptions.values()]
    },

    async createWebhookSubscription(values: SubscriptionValues, callOptions?: CallOptions) {
      const sent = { endpoint: 'webhook_subscriptions', method: 'POST', body: values } as const
      return toSubscription(await call(sent, {}, callOptions))
    },

    async changeWebhookSubscription(
      id: string,
      values: Partial<SubscriptionValues>,
      callOptions?: CallOptions,
    ) {
      const sent = { endpoint: 'webhook_subscriptions', method: 'PATCH', body: values } as const
      return toSubscription(await call(sent, { under: id }, callOptions))
    },

    async deleteWebhookSubscription(id: string, callOptions?: CallOptions) {
      await call({ endpoint: 'webhook_subscriptions', method: 'DELETE' }, { under: id }, callOptions)
    },

    /** Ends waiting and running calls. */
    async close() {
      caller.stop()
    },
  }
}

function toSubscription(json: unknown): WebhookSubscription {
  const inner = isObject(json) && isObject(json['data']) ? json['data'] : json
  const [subscription] = readItems([inner], webhookSubscriptionSchema).items
  if (subscription === undefined)
    throw new PlatformError('UNEXPECTED', 'The platform answered with no webhook subscription.')
  return subscription
}

/** An unreadable 2xx answer means: done. The created thing is then unknown, and need not be known. */
async function callWrite(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof PlatformError && error.isDone) return undefined
    throw error
  }
}

function toUrl(baseUrl: string, path: string, id: string | undefined, query: Record<string, string>): URL {
  // As a part of a path these change the place, in any spelling.
  if (id === '' || id === '.' || id === '..')
    throw new PlatformError('REFUSED', 'This id cannot be asked for.')
  const url = new URL(baseUrl + (id === undefined ? path : path.replace('{id}', encodeURIComponent(id))))
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

export type PlatformClient = ReturnType<typeof openPlatformClient>
