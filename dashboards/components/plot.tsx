import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { Chart } from '../charts/chart.ts'
import type { Format } from '../../language/format.ts'
import { isolateText, t } from '../../language/translate.ts'
import { currentReading } from '../../language/language.ts'
import type { Option } from '../../reporting/metrics/overview.ts'
import { shiftPeriod } from '../../schemas/metrics/calendar.ts'
import type { Period } from '../../schemas/metrics/answer.ts'
import { toSeenNotes, type SeenNote } from '../../services/notes/notes.ts'
import type { PageContext } from '../page-context.ts'

export type PlotProps = {
  chart: Chart
  /** The drawn marks; `null` where drawing failed. */
  svg: string | null
  format: Format
  /** The text for screen readers instead of the drawing. */
  label: string
  /** Lines are labelled at their end, columns by a legend. */
  endLabels?: boolean
  /** The name of the target; `null`: there is none. */
  target?: string | null
  /** The unit of the vertical axis, where its numbers do not say it. */
  unit?: string
  notes?: readonly Noted[]
  children?: Child
}

/** The marks with their words around them. The script reads tooltip values from the figure's table. */
export function Plot(props: PlotProps) {
  const { chart, svg, format, label, endLabels = false, target, unit, notes = [], children } = props
  if (svg === null)
    return (
      <p class="block-problem">
        {t(
          'This chart could not be drawn. Its numbers are complete below; loading the page again draws it again.',
        )}
      </p>
    )
  // Columns have a tick each, and a legend that says so.
  const notices = [unit, target && !chart.targets ? t('dashed: {line}', { line: lowerFirst(target) }) : null]
  const notice = notices.filter(Boolean).join('; ')
  const lastBand = Math.round(((chart.bands - 0.5) / chart.bands) * 200)
  return (
    <div class={`plot ${endLabels ? 'with-ends' : ''}`}>
      {chart.labels.length === 0 ? null : (
        <ul class="legend">
          {chart.labels.map(({ series, name }) => (
            <li>
              <span class={`swatch ${series}`} aria-hidden="true"></span>
              {name}
            </li>
          ))}
          {unit === undefined ? null : <li class="plot-unit">{unit}</li>}
          {target ? (
            <li>
              <span class={`swatch target ${chart.targets ? '' : 'dashed'}`} aria-hidden="true"></span>
              {target}
            </li>
          ) : null}
        </ul>
      )}
      <div class="plot-area" role="img" aria-label={label} data-plot data-bands={chart.bands}>
        <div class="y-axis" aria-hidden="true">
          {chart.ticks.toReversed().map((tick) => (
            <span>{format.count(tick)}</span>
          ))}
        </div>
        <div class="canvas" data-canvas>
          {chart.running === null ? null : (
            <Overlay className="running" bands={chart.bands}>
              <rect x={chart.running} width="1" height="1" />
            </Overlay>
          )}
          {raw(svg)}
          {chart.targets === undefined ? null : (
            <Overlay className="targets" bands={chart.bands}>
              <path d={toTicks(chart.targets)} />
            </Overlay>
          )}
          {notice === '' ? null : <span class="plot-note">{notice}</span>}
          <NoteMarks notes={notes} bands={chart.bands} />
          {children}
          {chart.dots?.map(({ xPercent, yPercent }) => (
            <span class={`end-dot few at-x-${Math.round(xPercent * 2)} at-y-${Math.round(yPercent)}`}></span>
          ))}
          {endLabels
            ? chart.labels.map(({ series, markPercent }) => (
                <span class={`end-dot ${series} at-x-${lastBand} at-y-${Math.round(markPercent)}`}></span>
              ))
            : null}
        </div>
        {endLabels ? (
          <div class="end-labels" aria-hidden="true">
            {chart.labels.map(({ series, name, value, labelPercent }) => (
              <span class={`${series} at-y-${Math.round(labelPercent)}`}>
                <b>{value}</b> {lowerFirst(name)}
              </span>
            ))}
          </div>
        ) : null}
        <div class={`x-axis ${chart.xLabels.length > 8 ? 'dense' : ''}`} aria-hidden="true">
          {chart.xLabels.map(({ percent, text, rank }) => (
            <span class={`rank-${rank} at-x-${Math.round(percent * 2)}`}>{text}</span>
          ))}
        </div>
      </div>
      <NoteList notes={notes} format={format} />
    </div>
  )
}

type OverlayProps = { className: string; bands: number; children?: Child }

function Overlay({ className, bands, children }: OverlayProps) {
  return (
    <svg
      class={className}
      viewBox={`0 0 ${bands} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

/** `at`: how far from the top, 0 to 1; `null`: none on this column. */
const toTicks = (at: readonly (number | null)[]) =>
  at.map((y, i) => (y === null ? '' : `M${i + 0.1} ${y.toFixed(3)}H${i + 0.9}`)).join('')

/** Inside a line English writes it small; German nouns stay as they are. */
function lowerFirst(name: string): string {
  return currentReading().language === 'en' ? name.charAt(0).toLowerCase() + name.slice(1) : name
}

/** Notes that people wrote on days, on charts that have the day. */
type Noted = SeenNote & { band: number }

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

function NoteMarks({ notes, bands }: { notes: readonly Noted[]; bands: number }) {
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

function NoteList({ notes, format }: { notes: readonly Noted[]; format: PageContext['format'] }) {
  if (notes.length === 0) return null
  return (
    <ol class="chart-notes" aria-label={t('Notes')}>
      {notes.map(({ day, teamName, text }) => (
        <li>
          <time datetime={day}>{format.dayYear(day)}</time>: {text}
          {teamName === '' ? null : <span class="quiet"> ({isolateText(teamName)})</span>}
        </li>
      ))}
    </ol>
  )
}
