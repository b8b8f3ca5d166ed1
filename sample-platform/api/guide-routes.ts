/** `/guides` and `/assignments/guide`: guides, and who has them. */
import { Hono } from 'hono'
import type { Account } from './account.ts'
import { spell, toListAnswer, toSnakeCase } from './dialect.ts'
import { badRequest, failure } from './gate.ts'

export function createGuideRoutes({ life, guides, now, dialect, json, pageOf, findPerson }: Account): Hono {
  const routes = new Hono()
  const findGuide = (id: string) => guides.list().find((guide) => guide.id === id)

  routes.get('/guides', (context) => {
    const request = pageOf(context.req.query())
    return request === undefined
      ? badRequest(context)
      : json(context, toListAnswer('guides', guides.list(), request, context.req.url, dialect))
  })

  routes.get('/guides/:id/assignments', (context) => {
    const guide = findGuide(context.req.param('id'))
    if (guide === undefined) return context.json({ error: 'Guide not found' }, 404)
    const request = pageOf(context.req.query())
    if (request === undefined) return badRequest(context)
    const all = guides.assignmentsAt(now()).filter((assignment) => assignment.guide === guide)
    const records = all.map(({ record }) => record)
    return json(context, toListAnswer('assignments', records, request, context.req.url, dialect))
  })

  routes.post('/guides/:id/assignments', async (context) => {
    const guide = findGuide(context.req.param('id'))
    if (guide === undefined) return context.json({ error: 'Guide not found' }, 404)
    const body: unknown = await context.req.json().catch(() => undefined)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return badRequest(context)
    const { userId, email, dueDate, dueAtEndOfDay = true } = body as Record<string, unknown>
    if ((userId === undefined) === (email === undefined) || typeof dueAtEndOfDay !== 'boolean')
      return badRequest(context)
    const due = toDue(life.calendar, dueDate, dueAtEndOfDay)
    if (due === undefined)
      return failure(context, 400, 'invalid', 'dueDate must be ISO 8601 or epoch milliseconds.')
    const id = typeof userId === 'number' || typeof userId === 'string' ? String(userId) : undefined
    const person =
      id === undefined ? life.population.people.find((one) => one.email === email) : findPerson(id)
    if (person === undefined || person.isDeleted) return failure(context, 404, 'not_found', 'No such user.')
    // No idempotency here, as on live platforms: the same call twice assigns twice.
    const assignment = guides.assign(guide, person, now(), due)
    return json(context, spell(assignment.record, dialect), 201)
  })

  return routes
}

/** Guide assignments that were made or changed in a range of time. */
export function createChangedGuideRoutes({
  guides,
  now,
  dialect,
  absent,
  json,
  toPulled,
  pageOf,
}: Account): Hono {
  const routes = new Hono()

  routes.get('/assignments/guide', (context) => {
    if (absent.includes('changed_assignments')) return context.json({ error: 'Not found' }, 404)
    const query = context.req.query()
    const request = pageOf(query)
    const from = query['start_time'] === undefined ? -Infinity : Date.parse(query['start_time'])
    const to = query['end_time'] === undefined ? Infinity : Date.parse(query['end_time'])
    if (request === undefined || Number.isNaN(from) || Number.isNaN(to)) return badRequest(context)
    const includeDeleted = query['include_deleted'] === 'true'
    const isIn = (at: number) => at >= from && at <= to
    const all = guides
      .assignmentsAt(now())
      .filter(
        ({ record, person }) =>
          (includeDeleted || !person.isDeleted) && (isIn(record.createdAt) || isIn(record.updatedAt)),
      )
      .map(({ record, person, guide }) =>
        dialect === 'paginated'
          ? {
              user: toSnakeCase(toPulled(person, [])),
              guide: toSnakeCase(guide),
              guide_assignment: toSnakeCase(record),
            }
          : { user: toPulled(person, []), guide, guideAssignment: record },
      )
    return json(context, toListAnswer('assignments', all, request, context.req.url, dialect))
  })

  return routes
}

/** When a new assignment is due: `null`, never; `undefined`, unreadable. */
export function toDue(calendar: Account['life']['calendar'], dueDate: unknown, atEndOfDay: unknown = true) {
  if (dueDate === undefined || dueDate === null) return null
  const due = toInstant(dueDate)
  return due === undefined || atEndOfDay === false ? due : calendar.endOfDay(due, 0)
}

function toInstant(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : NaN
  return Number.isFinite(ms) && ms > 0 ? Math.floor(ms) : undefined
}
