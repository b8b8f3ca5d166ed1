/** Notes on days: owners write for everybody and for any team, managers for the teams that they see as a whole. */
import type { Context, Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import { toCalendarDate, toLocalDate } from '../../../schemas/metrics/calendar.ts'
import { currentVisitor } from '../../../services/access/visitor.ts'
import { longestNote, toSeenNotes, type Notes, type SeenNote } from '../../../services/notes/notes.ts'
import { toActor } from '../../access/identify.ts'
import { Act, Field, Form, Hidden, Select } from '../../components/field.tsx'
import { PlainPage } from '../../components/plain-page.tsx'
import { ListPanel, Panel } from '../../components/section.tsx'
import { column, type Table } from '../../components/table.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { mountForms } from '../../http/mount-forms.ts'
import { pageContext } from '../../http/page-request.ts'
import type { Sent } from '../../http/read-form.ts'

const notesTable: Table<SeenNote> = {
  label: 'All notes',
  className: 'list-cards',
  columns: [
    column('text', 'note', 'Note', ({ text }) => text),
    column('day', 'day', 'Day'),
    column('text', 'for', 'For', ({ team, teamName }) => (team === '' ? t('Everyone') : teamName)),
    column('text', 'by', 'By', ({ login }) => login || '–', { optional: true }),
    column('text', 'change', 'Change', () => '', {
      cell: ({ id, text, login }, { visitor }) =>
        visitor.role === 'owner' || login === visitor.login ? (
          <form method="post" action="/notes">
            <Hidden fields={[['id', id]]} />
            <Act does="remove" says={t('Delete')} of={text} />
          </form>
        ) : null,
    }),
  ],
}

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

  async function show(c: Context, sent: Sent): Promise<Response> {
    const [all, named, teams] = await Promise.all([notes.read(), readTeams(), readOwnTeams()])
    const context = pageContext(c, routes)
    const isOwner = context.visitor.role === 'owner'
    const options = [...(isOwner ? [{ id: '', name: t('Everyone') }] : []), ...teams]
    return c.html(
      <PlainPage
        context={context}
        title={t('Notes')}
        lead={t('Notes appear on charts for that day, for everyone who can see the team.')}
      >
        {options.length === 0 ? (
          <p>{t('You can read notes. Only people who see a whole team can add them.')}</p>
        ) : (
          <Panel id="add" title={t('Add a note')} className="figure">
            <Form action="/notes" does="add" button={t('Add note')}>
              <Field
                label={t('Day')}
                type="date"
                name="day"
                required
                value={sent('day') || toLocalDate(settings.timeZone, clock())}
              />
              <Select
                label={t('For')}
                name="team"
                options={options.map(({ id, name }) => [id, name])}
                chosen={sent('team')}
              />
              <Field
                label={t('Note')}
                name="text"
                required
                maxlength={longestNote}
                value={sent('text')}
                autocomplete="off"
                aria-describedby="no-names"
              />
              <p class="quiet" id="no-names">
                {t('Visible to others. Do not name people.')}
              </p>
            </Form>
          </Panel>
        )}
        <ListPanel
          id="notes"
          context={context}
          table={notesTable}
          rows={toSeenNotes(all, named).toReversed()}
          empty={t('No notes yet.')}
        />
      </PlainPage>,
    )
  }

  async function change(sent: Sent, c: Context) {
    const { role, via } = currentVisitor()
    if (via === 'token') return c.text('Notes belong to people, not to tokens.', 403)
    const by = toActor(c)
    if (sent('do') === 'remove') {
      const note = (await notes.read()).find(({ id }) => id === sent('id'))
      const removed = await notes.remove(sent('id'), { ...by, isOwner: role === 'owner' })
      if (!removed.ok) return removed
      const { day = '', team = '', text = '' } = note ?? {}
      const undo = { action: '/notes', fields: { do: 'add', day, team, text } }
      return { says: t('Note deleted.'), undo }
    }
    const note = { day: sent('day'), team: sent('team'), text: sent('text') }
    if (toCalendarDate(note.day) === undefined) return { problem: { code: 'not_a_note_day' } as const }
    const isForAll = note.team === '' && role === 'owner'
    if (!isForAll && !(await readOwnTeams()).some(({ id }) => id === note.team))
      return { problem: { code: 'not_your_team' } as const }
    const added = await notes.add(note, by)
    return added.ok ? { says: t('Note added.') } : added
  }

  mountForms(app, routes, { path: '/notes', show, forms: { '/notes': change } })
}
