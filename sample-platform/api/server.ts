/** The platform's API, as far as it is known: users, guides, assignments and subscriptions, for everybody who has a token. */
import { type Context, Hono, type Next } from 'hono'
import type { Person } from '../company/population.ts'
import { toRecordAt, writeEvent } from '../company/record.ts'
import { type Account, type AccountOptions, createAccount } from './account.ts'
import type { ApiFaults } from './api-faults.ts'
import type { ApiCall, CallLog } from './calls.ts'
import { parsePage } from './dialect.ts'
import { badRequest, createGate, failure, type GateOptions } from './gate.ts'
import { createChangedGuideRoutes, createGuideRoutes, toDue } from './guide-routes.ts'
import { createSubscriptionRoutes, type Subscriptions } from './subscriptions.ts'

export type PlatformAppDeps = GateOptions &
  AccountOptions & {
    subscriptions: Subscriptions
    calls: CallLog
    faults: ApiFaults
  }

export function createPlatformApp(deps: PlatformAppDeps): Hono {
  const { now, clock = Date.now } = deps
  const account = createAccount(deps)
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
  const rooms =
    account.dialect === 'specification'
      ? [createSpecificationRoutes]
      : [createUserRoutes, createGuideRoutes, createChangedGuideRoutes]
  for (const create of rooms) api.route('/', create(account))
  if (account.dialect !== 'specification' && !account.absent.includes('webhook_subscriptions')) {
    api.route('/webhook_subscriptions', createSubscriptionRoutes(deps.subscriptions, now))
  }
  // Needs a good token, like everything under /api/v1.
  api.all('*', (context) => context.json({ error: 'Not found' }, 404))
  app.route('/api/v1', api)
  // The addresses to which the demo's pages lead.
  app.get('/:place{people|assignments|grading}/:id', (context) => {
    const { place, id } = context.req.param()
    return context.text(`Stand-in platform. A real one would show this here: ${place}, ${id}`)
  })
  app.notFound((context) => context.json({ error: 'Not found' }, 404))
  return app
}

/** `/users`: people, and the assignments of a person. */
function createUserRoutes({ life, guides, now, absent, json, toPulled, findPerson }: Account): Hono {
  const { population, calendar } = life
  const routes = new Hono()

  routes.get('/users', (context) => {
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

  routes.get('/users/:id/assignments', (context) => {
    const person = findPerson(context.req.param('id'))
    if (person === undefined) return failure(context, 404, 'not_found', 'No such user.')
    if (context.req.query('webhook_payloads') !== 'true' || absent.includes('webhook_payloads')) {
      const ownAssignments = guides.assignmentsAt(now()).filter((assignment) => assignment.person === person)
      return json(
        context,
        ownAssignments.map(({ record }) => record),
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

  return routes
}

/**
 * The specification and nothing else: its two endpoints, unpaged, without a query, with ids as strings. Parts that it does not
 * show differ from answer to answer.
 */
function createSpecificationRoutes({ life, guides, now, findPerson }: Account): Hono {
  const routes = new Hono()
  let answers = 0

  const withoutQuery = (context: Context, next: Next) =>
    new URL(context.req.url).search === '' ? next() : Promise.resolve(badRequest(context))

  routes.get('/users', withoutQuery, (context) => {
    const present = life.population.people.filter((person) => !person.isDeleted)
    return context.json(
      present.map(({ id, name, email }, index) => ({
        id: String(id),
        name,
        ...(index % 3 > 0 && { email: index % 3 === 1 ? email : null }),
      })),
    )
  })
  routes.all('/users', notAllowed)

  routes.post('/guides/:id/assignments', withoutQuery, async (context) => {
    const guide = guides.list().find(({ id }) => id === context.req.param('id'))
    if (guide === undefined) return failure(context, 404, 'not_found', 'No such guide.')
    const body: unknown = await context.req.json().catch(() => undefined)
    if (typeof body !== 'object' || body === null) return badRequest(context)
    const { userId, dueDate, dueAtEndOfDay } = body as Record<string, unknown>
    const due = toDue(life.calendar, dueDate, dueAtEndOfDay)
    // Identifiers are strings.
    if (typeof userId !== 'string' || due === undefined) return badRequest(context)
    const person = findPerson(userId)
    if (person === undefined || person.isDeleted) return failure(context, 404, 'not_found', 'No such user.')
    guides.assign(guide, person, now(), due)
    // The body is not shown.
    switch (answers++ % 3) {
      case 0:
        return context.body(null, 204)
      case 1:
        return context.text('OK', 202)
      default:
        return context.json({ ok: true }, 201)
    }
  })
  routes.all('/guides/:id/assignments', notAllowed)

  return routes
}

function notAllowed(context: Context) {
  return context.json({ error: 'Method not allowed' }, 405)
}
