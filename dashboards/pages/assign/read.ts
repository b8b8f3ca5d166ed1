/** What the page of a guide order reads: the people of a list, the guides, and the preview. */
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { toCalendarDate } from '../../../schemas/metrics/calendar.ts'
import type { Queries } from '../../../reporting/queries/queries.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { GuideOrders } from '../../../services/guide-orders/create-guide-orders.ts'
import { maxPeoplePerOrder } from '../../../services/guide-orders/guide-orders.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext, pageRequest } from '../../http/page-request.ts'

const recentOrders = 20
/** Fields of the form that are not filters. */
const formKeys = ['guide', 'due', 'again']

export type AssignView = Awaited<ReturnType<typeof readAssign>>

export async function readAssign(c: Context, routes: RouteContext, orders: GuideOrders) {
  const { queries } = routes
  const now = routes.clock()
  const { query, params, notices, scope } = pageRequest(c, routes, { ignore: formKeys, rows: true })
  const guideId = (query.get('guide') ?? '').trim()
  const [due, again] = [query.get('due') ?? '', query.get('again') === 'true']
  const [list, guides, recent, sample] = await Promise.all([
    // The people of now, whatever the moment of the page that led here.
    findPeople(queries, { ...scope, asOf: now }),
    orders.guides(),
    orders.recent(recentOrders),
    queries.isSample(),
  ])
  const { userIds } = list
  const tried = guideId === '' ? null : await orders.preview({ guideId, userIds, again })
  const context = pageContext(c, routes, { now })
  return {
    context: tried?.ok === false ? { ...context, outcome: tried } : context,
    /** The filters in force. */
    params,
    list,
    guides,
    /** The form's values so far. */
    form: { guideId, due: toDueDateMs(due) === undefined ? '' : due, again },
    /** `null` until a guide is chosen that can be ordered. */
    preview: tried?.ok === true ? tried.preview : null,
    /** The id of an order placed from this page: pressing twice is one order. */
    orderId: randomUUID(),
    recent,
    sample,
    notices,
  }
}

/** The people behind the assignments of a list, each once. `isCut`: more than an order allows. */
async function findPeople(queries: Pick<Queries, 'assignments'>, scope: Scope) {
  const userIds = new Set<string>()
  let assignments = 0
  let cursor: Parameters<Queries['assignments']>[1]['cursor'] = null
  do {
    const options = { cursor, limit: 1_000, withTotal: false }
    const page: Awaited<ReturnType<Queries['assignments']>> = await queries.assignments(scope, options)
    for (const { user_id } of page.rows) if (user_id !== null) userIds.add(user_id)
    assignments += page.rows.length
    cursor = page.next
  } while (cursor !== null && userIds.size <= maxPeoplePerOrder)
  const isCut = userIds.size > maxPeoplePerOrder
  return { userIds: [...userIds].slice(0, maxPeoplePerOrder), assignments, isCut }
}

/**
 * Noon UTC of the day: the platform turns it into the end of that day in its own zone, and noon is that day nearly
 * everywhere.
 */
export function toDueDateMs(day: string): number | null | undefined {
  if (day === '') return null
  return toCalendarDate(day) === undefined ? undefined : Date.parse(`${day}T12:00:00Z`)
}
