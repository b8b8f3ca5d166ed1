/** Notes that people wrote on days, on charts that have the day. */
import type { Option } from '../../reporting/metrics/overview.ts'
import { shiftPeriod } from '../../schemas/metrics/calendar.ts'
import type { Period } from '../../schemas/metrics/answer.ts'
import { toSeenNotes, type SeenNote } from '../../services/notes/notes.ts'
import { t } from '../../language/translate.ts'
import type { PageContext } from '../page-context.ts'

export type Noted = SeenNote & { band: number }

/** Notes on teams that the reader sees and that are in the scope of the page. `bands`: those of the chart. */
export function notesOn(
  { notes = [], rows, params }: PageContext,
  teams: readonly Option[],
  bands: readonly { period_start: string }[],
  period: Period,
): Noted[] {
  const teamIds = (rows?.params ?? params).getAll('team')
  return toSeenNotes(notes, teams).flatMap((note) => {
    const isShown = note.team === '' || teamIds.length === 0 || teamIds.includes(note.team)
    const band = bands.findIndex(
      ({ period_start: start }) => start <= note.day && note.day < shiftPeriod(period, start, 1),
    )
    return isShown && band !== -1 ? [{ ...note, band }] : []
  })
}

/** The numbers of the notes on their bands. */
export function NoteMarks({ notes, bands }: { notes: readonly Noted[]; bands: number }) {
  const byBand = Map.groupBy(notes.keys(), (index) => notes[index]?.band ?? 0)
  return (
    <>
      {[...byBand].map(([band, numbers]) => (
        <span class={`note-mark at-x-${Math.round(((band + 0.5) / bands) * 200)}`} aria-hidden="true">
          {numbers.map((index) => index + 1).join(', ')}
        </span>
      ))}
    </>
  )
}

/** The same in words. */
export function NoteList({ notes, format }: { notes: readonly Noted[]; format: PageContext['format'] }) {
  if (notes.length === 0) return null
  return (
    <ol class="chart-notes" aria-label={t('Notes')}>
      {notes.map(({ day, teamName, text }) => (
        <li>
          <time datetime={day}>{format.dayYear(day)}</time>: {text}
          {teamName === '' ? null : <span class="quiet"> ({teamName})</span>}
        </li>
      ))}
    </ol>
  )
}
