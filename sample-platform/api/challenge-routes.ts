/** `/challenge/:id`: a challenge and its members. */
import { Hono } from 'hono'
import type { Account } from './account.ts'
import { badRequest, failure } from './gate.ts'

export function createChallengeRoutes({ life, absent, json, pageOf }: Account): Hono {
  const routes = new Hono()

  routes.get('/challenge/:id', (context) => {
    const challenge = absent.includes('challenge')
      ? undefined
      : life.population.challenges.find(({ id }) => id === context.req.param('id'))
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

  return routes
}
