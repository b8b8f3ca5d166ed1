/** The platform's API, as far as it is known: users, guides, assignments and subscriptions, for everyone who has a token. */
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { toPulledUser, toRecord, writeEvent } from '../company/assignment.ts'
import { endOfDay } from '../company/calendar.ts'
import type { Guides } from '../company/guides.ts'
import type { Life } from '../company/life.ts'
import type { Person } from '../company/population.ts'
import { badRequest, createAnswers, failure, parsePage, readObject } from './answers.ts'
import type { Dialect, WireOptions } from './answers.ts'
import { createSubscriptionRoutes, type Subscriptions } from './subscriptions.ts'

export type ApiOptions = {
  /** Default `paginated`. */
  dialect?: Dialect
  wire?: WireOptions
  /** Endpoints that the account does not have: 404, but for webhook payloads, where the parameter is ignored. */
  absent?: readonly ('webhook_subscriptions' | 'webhook_payloads')[]
  /** Pulled users carry their groups and managers as those inside events do. Default false, as documented. */
  userGroups?: boolean
  /** Tokens that work. Default one, `platform-token`. */
  tokens?: readonly string[]
  /** Tokens whose admin was deleted: 403. */
  forbiddenTokens?: readonly string[]
  /** Calls in any hour. Default 3,000, without the bursts that live platforms let pass now and then. */
  callsPerHour?: number
}

export type ApiCall = { method: string; path: string; query: string }

type ApiDeps = ApiOptions & {
  life: Life
  guides: Guides
  subscriptions: Subscriptions
  /** The platform's time: how far it has been lived. */
  now: () => number
  /** Real time, for the limit. */
  clock: () => number
  onCall: (call: ApiCall) => void
  faults: MiddlewareHandler
}

export function createPlatformApp(deps: ApiDeps): Hono {
  const isSpecified = deps.dialect === 'specification'
  const api = new Hono()
  api.use((context, next) => {
    const { pathname, search } = new URL(context.req.url)
    const path = pathname.replace(/^\/api\/v1/, '')
    deps.onCall({ method: context.req.method, path, query: search })
    return next()
  })
  api.use(deps.faults)
  api.use(createGate(deps))
  if (isSpecified) api.route('/', createSpecificationRoutes(deps))
  else api.route('/', createUserRoutes(deps)).route('/', createGuideRoutes(deps))
  if (!isSpecified && deps.absent?.includes('webhook_subscriptions') !== true)
    api.route('/webhook_subscriptions', createSubscriptionRoutes(deps.subscriptions, deps.now))
  // Needs a good token, like everything under /api/v1.
  api.all('*', notFound)
  const app = new Hono().route('/api/v1', api)
  // The addresses to which the demo's pages lead.
  app.get('/:place{people|assignments|grading}/:id', (context) => {
    const { place, id } = context.req.param()
    return context.text(`Stand-in platform. A real one would show this here: ${place}, ${id}`)
  })
  return app.notFound(notFound)
}

const notFound = (context: Context) => context.json({ error: 'Not found' }, 404)

/** The checks before every endpoint: token, hourly limit, content type. */
function createGate(deps: ApiDeps): MiddlewareHandler {
  const { tokens = ['platform-token'], forbiddenTokens = [], callsPerHour = 3_000, clock } = deps
  const recent: number[] = []
  return async (context, next) => {
    const token = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1] ?? ''
    if (forbiddenTokens.includes(token))
      return failure(context, 403, 'forbidden', 'This token may not do that.')
    if (!tokens.includes(token)) return context.text('Unauthorized', 401)
    while (recent[0] !== undefined && recent[0] <= clock() - 3_600_000) recent.shift()
    // Live platforms give no Retry-After here.
    if (recent.length >= callsPerHour) return context.json({ error: 'Rate limit exceeded' }, 429)
    recent.push(clock())
    const isJson = /^application\/json\b/i.test(context.req.header('content-type') ?? '')
    if (context.req.method !== 'GET' && !isJson)
      return failure(context, 400, 'invalid', 'Content-type must be application/json.')
    return next()
  }
}

const findPerson = ({ population }: Life, id: unknown) =>
  population.people.find((person) => String(person.id) === String(id))

/** `/users`: people, and the assignments of a person. */
function createUserRoutes(deps: ApiDeps): Hono {
  const { life, guides, now, dialect = 'paginated', wire = {}, absent = [], userGroups = false } = deps
  const { json } = createAnswers(dialect, wire)
  const { people } = life.population
  const toReports = (manager: Person) =>
    people.filter(({ isDeleted, managers }) => !isDeleted && managers.includes(manager))
  const routes = new Hono()

  routes.get('/users', (context) => {
    const { page = '0', limit = '100', includeDeleted } = context.req.query()
    const request = parsePage(page, limit, 0, 100)
    if (request === undefined) return badRequest(context)
    const users = people
      .filter(({ isDeleted }) => !isDeleted || includeDeleted === 'true')
      .slice(request.start, request.start + request.size)
    return json(
      context,
      users.map((person) => toPulledUser(person, toReports(person), userGroups)),
    )
  })

  routes.get('/users/:id/assignments', (context) => {
    const person = findPerson(life, context.req.param('id'))
    if (person === undefined) return failure(context, 404, 'not_found', 'No such user.')
    if (context.req.query('webhook_payloads') !== 'true' || absent.includes('webhook_payloads')) {
      const given = guides.assignmentsAt(now()).filter((one) => one.person === person)
      return json(
        context,
        given.map(({ record }) => record),
      )
    }
    // Each as it would be sent now: the record with what time has made of it since the last event.
    const payloads = [...life.assignments.values()]
      .filter((assignment) => assignment.person === person && !assignment.isDeleted)
      .map((assignment) => {
        const kind = toRecord(assignment, now()).isCompleted ? 'Completed' : 'Progress'
        const event = JSON.parse(writeEvent(kind, now(), assignment)) as object
        return { ...event, timestamp: assignment.updatedAt }
      })
    return json(context, payloads)
  })
  return routes
}

/** `/guides` and `/assignments/guide`: guides, and who has them. */
function createGuideRoutes({
  life,
  guides,
  now,
  dialect = 'paginated',
  wire = {},
  userGroups = false,
}: ApiDeps) {
  const { json, list, spell } = createAnswers(dialect, wire)
  const routes = new Hono()
  const findGuide = (id: string) => guides.list().find((guide) => guide.id === id)
  const noGuide = (context: Context) => context.json({ error: 'Guide not found' }, 404)

  routes.get('/guides', (context) => list(context, 'guides', guides.list()))

  routes.get('/guides/:id/assignments', (context) => {
    const guide = findGuide(context.req.param('id'))
    if (guide === undefined) return noGuide(context)
    const given = guides.assignmentsAt(now()).filter((one) => one.guide === guide)
    return list(
      context,
      'assignments',
      given.map(({ record }) => record),
    )
  })

  routes.post('/guides/:id/assignments', async (context) => {
    const guide = findGuide(context.req.param('id'))
    if (guide === undefined) return noGuide(context)
    const { userId, email, dueDate, dueAtEndOfDay = true } = (await readObject(context)) ?? {}
    if ((userId === undefined) === (email === undefined) || typeof dueAtEndOfDay !== 'boolean')
      return badRequest(context)
    const due = toDue(dueDate, dueAtEndOfDay)
    if (due === undefined)
      return failure(context, 400, 'invalid', 'dueDate must be ISO 8601 or epoch milliseconds.')
    const person =
      userId === undefined
        ? life.population.people.find((one) => one.email === email)
        : findPerson(life, userId)
    if (person === undefined || person.isDeleted) return failure(context, 404, 'not_found', 'No such user.')
    // No idempotency here, as on live platforms: the same call twice assigns twice.
    return json(context, spell(guides.assign(guide, person, now(), due)), 201)
  })

  // Guide assignments that were made or changed in a range of time.
  routes.get('/assignments/guide', (context) => {
    const { start_time, end_time, include_deleted } = context.req.query()
    const from = start_time === undefined ? -Infinity : Date.parse(start_time)
    const to = end_time === undefined ? Infinity : Date.parse(end_time)
    if (Number.isNaN(from) || Number.isNaN(to)) return badRequest(context)
    const isIn = (at: number) => at >= from && at <= to
    const all = guides
      .assignmentsAt(now())
      .filter(({ person }) => include_deleted === 'true' || !person.isDeleted)
      .filter(({ record }) => isIn(record.createdAt) || isIn(record.updatedAt))
      .map(({ record, person, guide }) => {
        return { user: toPulledUser(person, [], userGroups), guide, guideAssignment: record }
      })
    return list(context, 'assignments', all)
  })
  return routes
}

/** When a new assignment is due: `null`, never; `undefined`, unreadable. */
function toDue(value: unknown, isAtEndOfDay: boolean) {
  if (value === undefined || value === null) return null
  const due = typeof value === 'string' ? Date.parse(value) : Number(value)
  if (!Number.isFinite(due) || due <= 0) return undefined
  return isAtEndOfDay ? endOfDay(due) : Math.floor(due)
}

/**
 * The specification and nothing else: its two endpoints, unpaged, without a query, with ids as strings. Parts that it does not
 * show differ from answer to answer.
 */
function createSpecificationRoutes({ life, guides, now }: ApiDeps): Hono {
  const routes = new Hono()
  let answers = 0
  const withoutQuery: MiddlewareHandler = (context, next) =>
    new URL(context.req.url).search === '' ? next() : Promise.resolve(badRequest(context))
  const notAllowed = (context: Context) => context.json({ error: 'Method not allowed' }, 405)

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
    const { userId, dueDate, dueAtEndOfDay } = (await readObject(context)) ?? {}
    const due = toDue(dueDate, dueAtEndOfDay !== false)
    // Identifiers are strings.
    if (typeof userId !== 'string' || due === undefined) return badRequest(context)
    const person = findPerson(life, userId)
    if (person === undefined || person.isDeleted) return failure(context, 404, 'not_found', 'No such user.')
    guides.assign(guide, person, now(), due)
    // The body is not shown.
    const forms = [
      () => context.body(null, 204),
      () => context.text('OK', 202),
      () => context.json({ ok: true }, 201),
    ]
    return (forms[answers++ % 3] as (typeof forms)[number])()
  })
  routes.all('/guides/:id/assignments', notAllowed)
  return routes
}
