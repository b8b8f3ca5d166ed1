/** The platform's API, as far as it is known: users, guides, assignments and subscriptions, for whoever has a token. */
import { Hono, type Context } from 'hono'
import type { ApiFaults } from './api-faults.ts'
import type { ApiCall, CallLog } from './calls.ts'
import { parsePage, spell, toListAnswer, toSnakeCase, type Dialect } from './dialect.ts'
import { badRequest, createGate, failure, type GateOptions } from './gate.ts'
import type { Guides } from '../company/guides.ts'
import type { Life } from '../company/life.ts'
import type { Person } from '../company/population.ts'
import { toEventUser, toRecordAt, writeEvent } from '../company/record.ts'
import type { Subscriptions } from './subscriptions.ts'
import { createSubscriptionRoutes } from './subscription-routes.ts'
import { toWire, type WireOptions } from './wire.ts'

/** What some accounts do not have: 404 there, but for webhook payloads, where the parameter is just not heard. */
export const optionalEndpoints = [
  'webhook_subscriptions',
  'webhook_payloads',
  'changed_assignments',
  'challenge',
] as const
export type OptionalEndpoint = (typeof optionalEndpoints)[number]

export type PlatformAppDeps = GateOptions & {
  life: Life
  guides: Guides
  subscriptions: Subscriptions
  /** The platform's time: how far it has been lived. */
  now: () => number
  calls: CallLog
  faults: ApiFaults
  /** Default `paginated`. */
  dialect?: Dialect
  wire?: WireOptions
  /** Default none. */
  absent?: readonly OptionalEndpoint[]
  /** Pulled users carry their groups and managers as those inside events do. Default false, as documented. */
  userGroups?: boolean
}

const pages = { first: 1, size: 200, maxSize: 200 }

export function createPlatformApp(deps: PlatformAppDeps): Hono {
  const { life, guides, now, dialect = 'paginated', wire = {}, absent = [], clock = Date.now } = deps
  const { population, calendar } = life
  const app = new Hono()
  const api = new Hono()
  api.use(async (context, next) => {
    const { pathname, search } = new URL(context.req.url)
    const path = pathname.replace(/^\/api\/v1/, '')
    const call: ApiCall = { at: clock(), method: context.req.method, path, query: search, status: null }
    deps.calls.add(call)
    await next()
    call.status = context.res.headers.has('x-hono-already-sent') ? 0 : context.res.status
  })
  api.use(deps.faults.middleware)
  api.use(createGate(deps))
  const json = (context: Context, value: unknown, status: 200 | 201 = 200) =>
    context.json(toWire(value, wire) as object, status)
  const toPulled = (person: Person, reports: readonly Person[]) => toUser(person, reports, deps.userGroups === true)

  const pageOf = (query: Record<string, string>) => parsePage(query['page'], query['per_page'], pages)
  const findPerson = (id: string) => population.people.find((person) => String(person.id) === id)
  const findGuide = (id: string) => guides.list().find((guide) => guide.id === id)

  api.get('/users', (context) => {
    const query = context.req.query()
    const request = parsePage(query['page'], query['limit'], { first: 0, size: 100, maxSize: 100 })
    if (request === undefined) return badRequest(context)
    const all = population.people.filter((person) => !person.isDeleted || query['includeDeleted'] === 'true')
    const start = request.page * request.size
    const links = population.people
      .filter((person) => !person.isDeleted)
      .flatMap((person) => person.managers.map((manager) => ({ person, manager })))
    const reports = Map.groupBy(links, ({ manager }) => manager)
    const toReports = (person: Person) => (reports.get(person) ?? []).map((link) => link.person)
    const users = all.slice(start, start + request.size).map((person) => toPulled(person, toReports(person)))
    return json(context, users)
  })

  api.get('/users/:id/assignments', (context) => {
    const person = findPerson(context.req.param('id'))
    if (person === undefined) return failure(context, 404, 'not_found', 'No such user.')
    if (context.req.query('webhook_payloads') !== 'true' || absent.includes('webhook_payloads')) {
      const own = guides.assignmentsAt(now()).filter((assignment) => assignment.person === person)
      return json(
        context,
        own.map(({ record }) => record),
      )
    }
    // Each as it would be sent now: the record with what time has made of it since the last event.
    const payloads = [...life.assignments.values()]
      .filter((assignment) => assignment.person === person && assignment.deletedAt === undefined)
      .map((assignment) => {
        const record = toRecordAt(assignment, now(), calendar)
        const type = record.isCompleted ? 'assignmentCompleted.challenge' : 'assignmentProgress.challenge'
        return JSON.parse(writeEvent(type, record.updatedAt, { ...assignment, record })) as object
      })
    return json(context, payloads)
  })

  api.get('/guides', (context) => {
    const request = pageOf(context.req.query())
    return request === undefined
      ? badRequest(context)
      : json(context, toListAnswer('guides', guides.list(), request, context.req.url, dialect))
  })

  api.get('/guides/:id/assignments', (context) => {
    const guide = findGuide(context.req.param('id'))
    if (guide === undefined) return context.json({ error: 'Guide not found' }, 404)
    const request = pageOf(context.req.query())
    if (request === undefined) return badRequest(context)
    const all = guides.assignmentsAt(now()).filter((assignment) => assignment.guide === guide)
    const records = all.map(({ record }) => record)
    return json(context, toListAnswer('assignments', records, request, context.req.url, dialect))
  })

  api.post('/guides/:id/assignments', async (context) => {
    const guide = findGuide(context.req.param('id'))
    if (guide === undefined) return context.json({ error: 'Guide not found' }, 404)
    const body: unknown = await context.req.json().catch(() => undefined)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return badRequest(context)
    const { userId, email, dueDate, dueAtEndOfDay = true } = body as Record<string, unknown>
    if ((userId === undefined) === (email === undefined) || typeof dueAtEndOfDay !== 'boolean')
      return badRequest(context)
    const due = dueDate === undefined || dueDate === null ? null : toInstant(dueDate)
    if (due === undefined) return failure(context, 400, 'invalid', 'dueDate must be ISO 8601 or epoch milliseconds.')
    const id = typeof userId === 'number' || typeof userId === 'string' ? String(userId) : undefined
    const person = id === undefined ? population.people.find((one) => one.email === email) : findPerson(id)
    if (person === undefined || person.isDeleted) return failure(context, 404, 'not_found', 'No such user.')
    // No idempotency here, as on live platforms: the same call twice assigns twice.
    const given = guides.assign(guide, person, now(), due === null || !dueAtEndOfDay ? due : calendar.endOfDay(due, 0))
    return json(context, spell(given.record, dialect), 201)
  })

  api.get('/assignments/guide', (context) => {
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

  api.get('/challenge/:id', (context) => {
    const challenge = absent.includes('challenge')
      ? undefined
      : population.challenges.find(({ id }) => id === context.req.param('id'))
    if (challenge === undefined) return failure(context, 404, 'not_found', 'No such challenge.')
    const request = pageOf(context.req.query())
    if (request === undefined) return badRequest(context)
    const members = [...life.assignments.values()].filter(
      (assignment) => assignment.challenge === challenge && assignment.deletedAt === undefined,
    )
    const start = (request.page - 1) * request.size
    return json(context, {
      id: challenge.id,
      title: challenge.title,
      // No assignment ids: enough to audit, not to rebuild.
      challenge_user_assignments: members.slice(start, start + request.size).map(({ record, person }) => ({
        completion_date: record.completedAt === null ? null : new Date(record.completedAt).toISOString(),
        grade: { earned_points: record.calculatedGrade, total_points: 100, incomplete: !record.isFullyGraded },
        is_fully_graded: record.isFullyGraded,
        time_spent: 0,
        passed: record.passed,
        user: { name: person.name, email: person.email },
      })),
    })
  })

  if (!absent.includes('webhook_subscriptions')) {
    api.route('/webhook_subscriptions', createSubscriptionRoutes(deps.subscriptions, now))
  }
  // Asked for with a good token only, as everything under /api/v1.
  api.all('*', (context) => context.json({ error: 'Not found' }, 404))
  app.route('/api/v1', api)
  app.notFound((context) => context.json({ error: 'Not found' }, 404))
  return app
}

/** A pulled user says less than the one inside events, but for the reports: neither groups nor managers as a rule. */
function toUser(person: Person, reports: readonly Person[], withGroups: boolean) {
  const { id, name, email, isAdmin, isDeleted, isPermanentlyDeleted, createdAt, updatedAt, groups, managers } =
    toEventUser(person)
  return {
    id,
    name,
    email,
    isAdmin,
    isDeleted,
    isPermanentlyDeleted,
    createdAt,
    updatedAt,
    directReports: reports.map(({ id, name, email }) => ({ id, name, email })),
    certifications: [],
    ...(withGroups && { groups, managers }),
  }
}

function toInstant(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : NaN
  return Number.isFinite(ms) && ms > 0 ? Math.floor(ms) : undefined
}
