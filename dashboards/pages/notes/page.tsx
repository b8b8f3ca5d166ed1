import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../language/problems.ts'
import type { Option } from '../../../reporting/metrics/overview.ts'
import { longestNote, type SeenNote } from '../../../services/notes/notes.ts'
import { PlainPage } from '../../components/plain-page.tsx'
import { Panel } from '../../components/section.tsx'
import { Listing } from '../../components/listing.tsx'
import type { PageContext } from '../../page-context.ts'
import { Act, Field, Select } from '../../components/field.tsx'

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

export function NotesPage({ context, notes, teams, fields, problem }: NotesPageProps) {
  const { format, visitor } = context
  const isOwner = visitor.role === 'owner'
  return (
    <PlainPage
      context={context}
      title={t('Notes')}
      lead={t('A note on a day is shown on every chart that has the day, to everybody who sees the team.')}
      problem={problem}
    >
      {isOwner || teams.length > 0 ? (
        <form method="post" action="/notes" class="access-form">
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
            {t('Do not name people: others read this.')}
          </p>
          <button class="button primary" name="do" value="add">
            {t('Add note')}
          </button>
        </form>
      ) : (
        <p>{t('You see no team as a whole, so you can read notes, but not write them.')}</p>
      )}
      <Panel id="notes" title={t('All notes')} className="figure">
        <Listing
          label={t('All notes')}
          columns={[t('Day'), t('Note'), t('For'), t('By'), { read: t('Change') }]}
          empty={t('No notes yet.')}
          cells={notes.map(({ id, day, text, login, team, teamName }) => [
            format.dayYear(day),
            text,
            team === '' ? t('Everyone') : teamName,
            login === '' ? '–' : login,
            isOwner || login === visitor.login ? (
              <form method="post" action="/notes">
                <input type="hidden" name="id" value={id} />
                <Act does="remove" says={t('Delete')} of={text} />
              </form>
            ) : null,
          ])}
        />
      </Panel>
    </PlainPage>
  )
}
