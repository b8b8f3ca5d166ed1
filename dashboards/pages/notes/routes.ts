/** Notes on days: owners write for everybody and for any team, managers for the teams that they see as a whole. */
import type { Context, Hono } from 'hono'
import type { Problem } from '../../../language/problems.ts'
import { t } from '../../../language/translate.ts'
import { toCalendarDate } from '../../../reporting/scope/instants.ts'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import { toLocalDate } from '../../../schemas/metrics/calendar.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import { toSeenNotes, type Notes } from '../../../services/notes/notes.ts'
import { toActor } from '../../access/identify.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'
import { formLimit, readForm } from '../../http/read-form.ts'
import { NotesPage, type NotesPageProps } from './page.tsx'

export function mountNotes(app: Hono, routes: RouteContext, notes: Notes): void {
  const { clock, settings, queries, seenIds } = routes

  const readTeams = async () => (await queries.frame(createScope(clock(), settings))).options.teams

  /** Teams of which a manager sees everybody, perhaps besides themselves. */
  async function readOwnTeams() {
    const { role, audience } = currentVisitor()
    if (role === 'owner') return readTeams()
    const managers = audience.people === 'all' ? [] : audience.people.under
    const people = [...((await seenIds()) ?? []), ...managers]
    const [teams, whole] = await Promise.all([readTeams(), notes.wholeTeams(people)])
    return teams.filter(({ id }) => whole.includes(id))
  }

  async function show(
    c: Context,
    more: Partial<Pick<NotesPageProps, 'fields' | 'problem'>> = {},
  ): Promise<Response> {
    const [all, people, teams] = await Promise.all([notes.read(), readTeams(), readOwnTeams()])
    const context = pageContext(c, routes)
    const fields = { day: toLocalDate(settings.timeZone, clock()), team: '', text: '', ...more.fields }
    return c.html(
      NotesPage({
        context,
        notes: toSeenNotes(all, people).toReversed(),
        teams,
        fields,
        problem: more.problem,
      }),
    )
  }

  app.get('/notes', (c) => show(c))

  app.post('/notes', formLimit, async (c) => {
    const { role, via } = currentVisitor()
    if (via === 'token') return c.text('Notes belong to people, not to tokens.', 403)
    const text = await readForm(c)
    const by = toActor(c)
    const fields = { day: text('day'), team: text('team'), text: text('text') }
    const refuse = (problem: Problem) => {
      c.status(400)
      return show(c, { fields, problem })
    }
    if (text('do') === 'remove') {
      const { day, team, text: words } = (await notes.read()).find(({ id }) => id === text('id')) ?? fields
      const removed = await notes.remove(text('id'), { ...by, isOwner: role === 'owner' })
      if (!removed.ok) return refuse(removed.problem)
      const undo = { action: '/notes', fields: { do: 'add', day, team, text: words } }
      return routes.flash.done(c, '/notes', { says: t('Note deleted.'), undo })
    }
    if (toCalendarDate(fields.day) === undefined) return refuse({ code: 'not_a_note_day' })
    const isForAll = fields.team === '' && role === 'owner'
    if (!isForAll && !(await readOwnTeams()).some(({ id }) => id === fields.team))
      return refuse({ code: 'not_your_team' })
    const added = await notes.add(fields, by)
    return added.ok ? routes.flash.done(c, '/notes', { says: t('Note added.') }) : refuse(added.problem)
  })
}
