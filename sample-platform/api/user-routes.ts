/** `/users`: people, and the assignments of a person. */
import { Hono } from 'hono'
import type { Person } from '../company/population.ts'
import { toRecordAt, writeEvent } from '../company/record.ts'
import type { Account } from './account.ts'
import { parsePage } from './dialect.ts'
import { badRequest, failure } from './gate.ts'

export function createUserRoutes({ life, guides, now, absent, json, toPulled, findPerson }: Account): Hono {
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
