import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../language/problems.ts'
import type { Option } from '../../../reporting/metrics/overview.ts'
import { longestNote, type SeenNote } from '../../../services/notes/notes.ts'
import { PlainPage } from '../../components/plain-page.tsx'
import { ListPanel, Panel } from '../../components/section.tsx'
import { column, type Table } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'
import { Act, Field, Form, Hidden, Select } from '../../components/field.tsx'

export type NotesPageProps = {
  context: PageContext
  /** Those that the reader sees, the newest day first. */
  notes: readonly SeenNote[]
  /** Teams that the reader may write for. */
  teams: readonly Option[]
  /** The form as it was sent. */
  fields: { day: string; team: string; text: string }
  problem?: Problem | undefined
}

const notesTable: Table<SeenNote> = {
  label: 'All notes',
  className: 'list-cards',
  columns: [
    column('text', 'note', 'Note', ({ text }) => text),
    column('day', 'day', 'Day', ({ day }) => day),
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

export function NotesPage({ context, notes, teams, fields, problem }: NotesPageProps) {
  const isOwner = context.visitor.role === 'owner'
  return (
    <PlainPage
      context={context}
      title={t('Notes')}
      lead={t('Notes appear on charts for that day, for everyone who can see the team.')}
      problem={problem}
    >
      {isOwner || teams.length > 0 ? (
        <Panel id="add" title={t('Add a note')} className="figure">
          <Form action="/notes" does="add" button={t('Add note')}>
            <Field label={t('Day')} type="date" name="day" required value={fields.day} />
            <Select
              label={t('For')}
              name="team"
              options={[
                ...(isOwner ? [['', t('Everyone')] as const] : []),
                ...teams.map(({ id, name }) => [id, name] as const),
              ]}
              chosen={fields.team}
            />
            <Field
              label={t('Note')}
              name="text"
              required
              maxlength={longestNote}
              value={fields.text}
              autocomplete="off"
              aria-describedby="no-names"
            />
            <p class="quiet" id="no-names">
              {t('Visible to others. Do not name people.')}
            </p>
          </Form>
        </Panel>
      ) : (
        <p>{t('You can read notes. Only people who see a whole team can add them.')}</p>
      )}
      <ListPanel
        id="notes"
        title={t('All notes')}
        context={context}
        table={notesTable}
        rows={notes}
        empty={t('No notes yet.')}
      />
    </PlainPage>
  )
}
