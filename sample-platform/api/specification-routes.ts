/**
 * The specification and nothing else: its two endpoints, unpaged, without a query, with ids as strings. Parts that it does not
 * show differ from answer to answer.
 */
import { Hono, type Context, type Next } from 'hono'
import type { Account } from './account.ts'
import { badRequest, failure } from './gate.ts'
import { toDue } from './guide-routes.ts'

export function createSpecificationRoutes({ life, guides, now, findPerson }: Account): Hono {
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
