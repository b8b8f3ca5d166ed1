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
import type { CallOptions, PlatformClient } from './platform-client.ts'
import { PlatformError } from './platform-error.ts'
import { defaultPaths, type PlatformPaths } from '../config/values/platform-paths.ts'
import { withMissingLists, type ListAnswer } from './missing-lists.ts'
import { readItems, toAssignment, toChange, toList, toPayloads } from './read-answer.ts'
import { createPageReader, itemsPerPage } from './read-pages.ts'

export type PlatformClientOptions = CallerOptions & {
  /** Without `/api/v1`. */
  baseUrl: string
  /** Default those of the live platform. */
  paths?: PlatformPaths
  onList?: (answer: ListAnswer) => void
}

/** An account has a handful of subscriptions; a list of more pages than this has no end. */
const maxSubscriptionPages = 50
/** The same for one person's assignments. */
const maxAssignmentPages = 100

export function openPlatformClient(options: PlatformClientOptions): PlatformClient {
  const { baseUrl, paths = defaultPaths, clock } = options
  const caller = createCaller(options)
  const readPage = withMissingLists(
    createPageReader(
      (endpoint, where, pageOptions) => call({ endpoint, method: 'GET' }, where, pageOptions),
      clock,
    ),
    clock,
    options.onList,
  )

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
    users(pageOptions) {
      const readAll = (raw: unknown[]) => {
        const numeric = new Set(
          raw.flatMap((one) => (isObject(one) && typeof one['id'] === 'number' ? toId(one['id']) : [])),
        )
        const read = readItems(raw, userSchema)
        return { ...read, items: read.items.map((user) => ({ ...user, isNumericId: numeric.has(user.id) })) }
      }
      return readPage(
        { endpoint: 'users', name: 'users', query: { includeDeleted: 'true' }, readAll },
        pageOptions,
      )
    },

    guides(pageOptions) {
      const readAll = (raw: unknown[]) => readItems(raw, platformGuideSchema)
      return readPage({ endpoint: 'guides', name: 'guides', readAll }, pageOptions)
    },

    guideAssignments(guideId, pageOptions) {
      const readAll = (raw: unknown[]) => {
        const read = readItems(raw, platformGuideAssignmentSchema)
        return { ...read, items: read.items.map((item) => ({ ...item, guideId })) }
      }
      return readPage(
        { endpoint: 'guide_assignments', name: 'assignments', id: guideId, readAll },
        pageOptions,
      )
    },

    changedGuideAssignments({ fromMs, toMs }, pageOptions) {
      const range = {
        start_time: new Date(fromMs).toISOString(),
        end_time: new Date(toMs).toISOString(),
        include_deleted: 'true',
      }
      const readAll = (raw: unknown[]) => {
        const read = raw.map(toChange)
        return {
          items: read.flatMap(({ items }) => items),
          skipped: read.flatMap(({ skipped }) => skipped),
        }
      }
      return readPage(
        { endpoint: 'changed_guide_assignments', name: 'assignments', range, readAll },
        pageOptions,
      )
    },

    async createGuideAssignment({ guideId, userId, dueDateMs }, callOptions) {
      const body = {
        userId,
        ...(dueDateMs !== undefined && { dueDate: new Date(dueDateMs).toISOString(), dueAtEndOfDay: true }),
      }
      const sent = { endpoint: 'guide_assignments', method: 'POST', body } as const
      return toAssignment(await callWrite(() => call(sent, { id: guideId }, callOptions)), guideId)
    },

    async userAssignments(userId, callOptions) {
      const raw: unknown[] = []
      try {
        // Not documented as paged; where an envelope says that there is more, the rest is read.
        for (let page = 1, before = ''; ; page++) {
          const where = { id: userId, query: page === 1 ? {} : { page: String(page) } }
          const json = await call({ endpoint: 'user_assignments', method: 'GET' }, where, callOptions)
          const answer = toList(json, 'assignments')
          raw.push(...answer.raw)
          if (answer.hasMore !== true) break
          const content = JSON.stringify(answer.raw)
          // What is not read would count as deleted.
          if (content === before || page === maxAssignmentPages) {
            const message =
              'The platform’s list of one person’s assignments does not end: it says that there is more and gives nothing new.'
            throw new PlatformError('ENDLESS', message)
          }
          before = content
        }
      } catch (error) {
        if (error instanceof PlatformError && error.code === 'NOT_FOUND') return { outcome: 'not_found' }
        throw error
      }
      const { payloads, skipped } = toPayloads(raw)
      if (raw.length > 0 && payloads.length === 0) return { outcome: 'not_offered' }
      return { outcome: 'assignments', payloads, skipped, answeredAtMs: clock.now() }
    },

    async webhookSubscriptions(callOptions) {
      const subscriptions = new Map<string, WebhookSubscription>()
      for (let page = 1; page <= maxSubscriptionPages; page++) {
        const query = { per_page: String(itemsPerPage), page: String(page) }
        const json = await call({ endpoint: 'webhook_subscriptions', method: 'GET' }, { query }, callOptions)
        const answer = toList(json, 'webhookSubscriptions')
        const before = subscriptions.size
        for (const item of readItems(answer.raw, webhookSubscriptionSchema).items)
          subscriptions.set(item.id, item)
        // A bare list without paging gives the same page again.
        if (!(answer.hasMore ?? answer.raw.length >= itemsPerPage) || subscriptions.size === before) break
      }
      return [...subscriptions.values()]
    },

    async createWebhookSubscription(values, callOptions) {
      const sent = { endpoint: 'webhook_subscriptions', method: 'POST', body: values } as const
      return toSubscription(await call(sent, {}, callOptions))
    },

    async changeWebhookSubscription(id, values, callOptions) {
      const sent = { endpoint: 'webhook_subscriptions', method: 'PATCH', body: values } as const
      return toSubscription(await call(sent, { under: id }, callOptions))
    },

    async deleteWebhookSubscription(id, callOptions) {
      await call({ endpoint: 'webhook_subscriptions', method: 'DELETE' }, { under: id }, callOptions)
    },

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
  if (id !== undefined) checkId(id)
  const url = new URL(baseUrl + (id === undefined ? path : path.replace('{id}', encodeURIComponent(id))))
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

/** As a part of a path these change the place, in any spelling. */
function checkId(id: string): void {
  if (id === '' || id === '.' || id === '..')
    throw new PlatformError('REFUSED', 'This id cannot be asked for.')
}
