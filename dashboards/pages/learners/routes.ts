import type { Context, Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import { toTable, type TableColumns } from '../../../reporting/exports/csv.ts'
import type { LearnerCursor } from '../../../reporting/scope/learner-request.ts'
import type { Learner, LearnerPage as LearnersFound } from '../../../reporting/statements/learners.ts'
import { present } from '../../../services/runtime/control/command.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { toSteps } from '../../../reporting/explain/steps.ts'
import { cutTimeline, toTimeline } from '../../../reporting/explain/timeline.ts'
import { momentOnly } from '../../scope/follow.ts'
import { drawCohorts } from '../../components/figures/draw-charts.ts'
import { pageFilters, withChange } from '../../scope/page-url.ts'
import { readReminded } from '../../components/remind.tsx'
import { pageRequest } from '../../http/page-request.ts'
import { sendTable } from '../../http/send-table.ts'
import { notAmongOwnPeople, notFound } from '../../http/problems.ts'
import { AssignmentPage } from './assignment-page.tsx'
import { LearnerPage } from './learner-page.tsx'
import { chipWords, LearnersPage } from './learners-page.tsx'
import { learnersHref, learnersKeys, parseLearnersState } from './links.ts'

const peoplePerPage = 50
const peopleAtATime = 5_000
/** A page of one thing takes its moment from the address. */
const waiting = pageFilters.filter((key) => !momentOnly.includes(key))
/** The newest of a person; the page of rows has the others. */
const mostAssignments = 50
/** Of each assignment on a person's page; its own page has the others. */
const mostSteps = 10

export function mountLearners(app: Hono, routes: RouteContext): void {
  app.get('/learners', (c) => listPage(c, routes))
  app.get('/:file{learners\\.(csv|xlsx)}', (c) => listFile(c, routes))
  app.get('/learners/:id', (c) => learnerPage(c, routes))
  app.get('/assignments/:id', (c) => assignmentPage(c, routes))
}

async function listPage(c: Context, routes: RouteContext): Promise<Response> {
  const request = pageRequest(c, routes, { ignore: learnersKeys, rows: true, compares: false })
  const { scope, params } = request
  const state = parseLearnersState(request.query)
  const { search, only, cursor } = state
  const [page, frame] = await Promise.all([
    routes.queries.learners(scope, { search, only, cursor, limit: peoplePerPage }),
    routes.queries.frame(scope),
  ])
  // Nothing beyond the place: fewer people are found than before, so this is the beginning.
  if (page.learners.length === 0 && cursor !== null) return c.redirect(learnersHref(params, state, {}))
  const context = { ...request.context(new Date(scope.asOf).toISOString()), keeps: { q: search, with: only } }
  const notices = [...request.notices, ...state.notices]
  const users = only === 'overdue' ? page.learners.map(({ user_id }) => user_id) : []
  const reminded = await readReminded(routes, users)
  return c.html(LearnersPage({ context, scope, page, frame, state, reminded, notices }))
}

async function listFile(c: Context, routes: RouteContext): Promise<Response> {
  const request = pageRequest(c, routes, { ignore: learnersKeys, rows: true, compares: false })
  const { scope, query } = request
  const { search, only } = parseLearnersState(query)
  const people: Learner[] = []
  let cursor: LearnerCursor | null = null
  do {
    const page: LearnersFound = await routes.queries.learners(scope, { search, only, cursor, limit: peopleAtATime })
    people.push(...page.learners)
    cursor = page.next
  } while (cursor !== null)
  const own = present([
    search !== '' && { key: 'q', id: search, label: t('Name or id'), value: search },
    only !== null && { key: 'with', id: only, label: t('People'), value: t(chipWords[only]) },
  ])
  return sendTable(c, 'learners', toTable(columns, people), { ...request, own }, await routes.queries.frame(scope))
}

const toNames = (named: Learner['teams']) => named.map(([id, name]) => name || id).join('; ')

const columns: TableColumns<Learner> = {
  user_id: ({ user_id }) => user_id,
  user_name: ({ user_name }) => user_name,
  overdue: ({ overdue }) => overdue,
  awaiting_grading: ({ awaiting }) => awaiting,
  completed: ({ completed }) => completed,
  assigned: ({ assigned }) => assigned,
  managers: ({ managers }) => toNames(managers),
  teams: ({ teams }) => toNames(teams),
  has_left: ({ is_active }) => String(!is_active),
}

async function learnerPage(c: Context, routes: RouteContext): Promise<Response> {
  const parsed = pageRequest(c, routes, { idle: waiting, compares: false })
  const userId = c.req.param('id') ?? ''
  const scope = { ...parsed.scope, user: [userId], includeLeavers: true }
  const [person, page, overview] = await Promise.all([
    routes.queries.person(userId, scope),
    routes.queries.assignments(scope, { limit: mostAssignments, withTotal: true }),
    routes.queries.overview(scope, null),
  ])
  if (person === null && page.rows.length === 0) return notAmongOwnPeople(c, routes, 'person') ?? notFound(c, routes)
  const events = await routes.queries.eventsOf(
    page.rows.map((row) => row.assignment_id),
    scope.asOf,
  )
  const params = withChange(parsed.rowParams, { user: userId, include_leavers: 'true' })
  const context = { ...parsed.context(), rows: { params, asOf: overview.answer.as_of } }
  const assignments = page.rows.map((row) => ({
    row,
    steps: toSteps(toTimeline(events.get(row.assignment_id) ?? [])).slice(-mostSteps),
  }))
  const reminded = (await readReminded(routes, person === null ? [] : [userId])).get(userId)
  const canAssign = routes.assigning !== undefined && currentVisitor().role === 'owner'
  return c.html(
    LearnerPage({
      context,
      userId,
      person,
      page,
      assignments,
      overview,
      cohorts: await drawCohorts(overview, context, routes),
      canAssign,
      reminded,
      notices: parsed.notices,
    }),
  )
}

async function assignmentPage(c: Context, routes: RouteContext): Promise<Response> {
  const parsed = pageRequest(c, routes, { ignore: ['before'], idle: waiting, compares: false })
  const { scope } = parsed
  const assignmentId = c.req.param('id') ?? ''
  const events = await routes.queries.assignmentEvents(assignmentId, scope.asOf)
  if (events.length === 0) return notAmongOwnPeople(c, routes, 'assignment') ?? notFound(c, routes)
  const [page, frame] = await Promise.all([
    routes.queries.assignments(
      { ...scope, includeLeavers: true },
      { limit: 1, withTotal: false, onlyAssignment: assignmentId },
    ),
    routes.queries.frame(scope),
  ])
  const context = parsed.context()
  const all = toTimeline(events)
  const timeline = cutTimeline(all, parsed.query.get('before'))
  const shown = new Set(timeline.events.map(({ event_id }) => event_id))
  return c.html(
    AssignmentPage({
      context,
      scope,
      assignmentId,
      row: page.rows[0] ?? null,
      timeline,
      steps: toSteps(all).filter(({ event_id }) => shown.has(event_id)),
      lives: all.lives.length,
      isTakenAway: all.lives.at(-1)?.ended_at !== null,
      frame,
      notices: parsed.notices,
    }),
  )
}
